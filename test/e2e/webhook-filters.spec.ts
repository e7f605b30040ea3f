import { Database, type Tx } from '../../src/infrastructure/database/database';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { createCampaign } from '../support/campaigns';
import { CONTACTS } from '../support/contacts';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createAppOwner, createSession } from '../support/journeys';
import { createApp, createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { visit } from '../support/visits';
import { type TestWebhook, Webhooks } from '../support/webhooks';

const LINKS = '/api/v1/service/urls';
const WEBHOOKS = '/api/v1/service/webhooks';

describe('filters of webhook endpoints', () => {
  const app = useTestApp();
  let org: TestOrganization;
  beforeEach(async () => {
    org = await createOrganization(app, { allowList: ['127.0.0.0/8'] });
  });

  /** Its deliveries are pulled, so that none is due elsewhere. */
  const listen = (filters: object, events = ['*']): Promise<TestWebhook> =>
    org.api.create<TestWebhook>(WEBHOOKS, { delivery: 'PULL', events, ...filters });
  const delivered = async ({ id }: TestWebhook) =>
    (await new Webhooks(app, org).log(id, 'size=100')).map(({ event }) => event).sort();
  const change = (link: { id: number }, title: string) =>
    org.api.put(`${LINKS}/${link.id}`, { title }).expect(200);

  it('pass events about one of the links, whatever happens to it', async () => {
    const [wanted, other] = [await createLink(org), await createLink(org)];
    const endpoint = await listen({ links: [wanted.id] });
    expect(endpoint).toMatchObject({ links: [wanted.id], campaigns: [], tags: [], apps: [] });
    await change(wanted, 'Wanted');
    await change(other, 'Other');
    const campaign = await createCampaign(org);
    await org.api.delete(`/api/v1/service/campaigns/${campaign.id}`).expect(204);
    await org.api.delete(`${LINKS}/${wanted.id}`).expect(204);
    await org.api.delete(`${LINKS}/${other.id}`).expect(204);
    expect(await delivered(endpoint)).toEqual(['link.deleted', 'link.updated']);

    // The endpoint can still be edited, but the deleted link cannot be added to another one.
    const kept = await org.api.patch(`${WEBHOOKS}/${endpoint.id}`, { links: [wanted.id], tags: ['New'] });
    expect(kept.body).toMatchObject({ links: [wanted.id], tags: ['new'] });
    const audit = `${org.consolePath}/audit-log?resourceType=webhook`;
    const [entry] = (await consoleApi(app).get(audit).expect(200)).body.content as { changes: object }[];
    expect(entry?.changes).toEqual({
      filters: {
        from: { links: [wanted.id], campaigns: [], tags: [], apps: [] },
        to: { links: [wanted.id], campaigns: [], tags: ['new'], apps: [] },
      },
    });
    const gone = await org.api.post(WEBHOOKS, { delivery: 'PULL', events: ['*'], links: [wanted.id] });
    expect(gone.body.details).toEqual([
      { field: 'links', message: expect.stringContaining('does not exist') },
    ]);
  });

  it('pass events that are about no link, campaign or app', async () => {
    const endpoint = await listen({ links: [(await createLink(org)).id] });
    await org.api.post(CONTACTS, { externalUserId: 'kim' }).expect(201);
    await org.api.post('/api/v1/service/messaging/unsubscribes', { value: '+82 10-2345-6789' }).expect(201);
    await createLink(org);
    await org.api.post(`${WEBHOOKS}/${endpoint.id}/test`).expect(202);
    expect(await delivered(endpoint)).toEqual(['contact.created', 'unsubscribe.created', 'webhook.test']);
  });

  it('pass each click of a mixed batch to the endpoints that want it', async () => {
    const spring = await createLink(org, { tags: ['Spring', 'Sale'] });
    const sale = await createLink(org, { tags: ['sale'] });
    const plain = await createLink(org);
    const campaign = await createCampaign(org, { tags: ['Poster'] });
    const endpoints = {
      everything: await listen({}),
      link: await listen({ links: [plain.id] }),
      campaign: await listen({ campaigns: [campaign.id] }),
      tag: await listen({ tags: ['SALE', 'absent'] }),
      campaignTag: await listen({ tags: ['poster'] }),
      either: await listen({ links: [plain.id], tags: ['spring'] }),
    };
    for (const { link } of [spring, sale, plain, campaign]) {
      await visit(app, new URL(String(link)).pathname);
    }
    const clicks = (endpoint: TestWebhook) =>
      app.sql<{ link_id: number | null; campaign_id: number | null }>(
        `SELECT e.link_id, e.campaign_id FROM webhook_deliveries d
           JOIN outbox_events e ON e.organization_id = d.organization_id AND e.id = d.event_id
          WHERE d.organization_id = $1 AND d.endpoint_id = $2 ORDER BY e.link_id`,
        [org.organizationId, endpoint.id],
      );
    const ofLinks = (...links: { id: number }[]) =>
      links.map(({ id }) => ({ link_id: id, campaign_id: null }));
    const ofCampaign = [{ link_id: null, campaign_id: campaign.id }];
    await eventually(async () => expect(await clicks(endpoints.everything)).toHaveLength(4));
    expect(await clicks(endpoints.link)).toEqual(ofLinks(plain));
    expect(await clicks(endpoints.campaign)).toEqual(ofCampaign);
    expect(await clicks(endpoints.tag)).toEqual(ofLinks(spring, sale));
    expect(await clicks(endpoints.campaignTag)).toEqual(ofCampaign);
    expect(await clicks(endpoints.either)).toEqual(ofLinks(spring, plain));

    // A replay honours the filters as well, also new ones.
    await org.api
      .patch(`${WEBHOOKS}/${endpoints.link.id}`, { links: [], campaigns: [campaign.id] })
      .expect(200);
    const since = new Date(app.clock.now() - 60_000).toISOString();
    await org.api.post(`${WEBHOOKS}/${endpoints.link.id}/replay`, { since }).expect(202);
    // The second pull finds nothing due, and goes on with the replay.
    for (const limit of [10, 11])
      await org.api.get(`${WEBHOOKS}/${endpoints.link.id}/pending?limit=${limit}`).expect(200);
    expect(await clicks(endpoints.link)).toEqual([...ofLinks(plain), ...ofCampaign]);
  });

  it('pass events of an app, and of links that open it', async () => {
    const owner = await createAppOwner(app);
    org = owner;
    const opened = await createApp(app, org, 'iOS', `shop${org.organizationId}`);
    const opens = await createLink(org, { iosAppId: opened });
    const link = await createLink(org, { tags: ['spring'] });
    const endpoints = [
      await listen({ apps: [opened] }, ['link.*', 'session.*']),
      await listen({ apps: [owner.appId] }, ['link.*', 'session.*']),
      await listen({ tags: ['spring'] }, ['link.*', 'session.*']),
    ];
    await change(opens, 'Opens an app');
    await createSession(owner, { platform: 'IOS', urlId: link.id });
    expect(await Promise.all(endpoints.map(delivered))).toEqual([
      ['link.updated'],
      ['session.created'],
      ['session.created'],
    ]);
  });

  it.each([
    ['links', [999_999_999]],
    ['campaigns', [999_999_999]],
    ['apps', [999_999_999]],
  ])('refuse %s %j, also of another organization', async (field, value) => {
    const endpoint = await listen({});
    for (const send of [
      org.api.post(WEBHOOKS, { delivery: 'PULL', events: ['*'], [field]: value }),
      org.api.patch(`${WEBHOOKS}/${endpoint.id}`, { [field]: value }),
    ]) {
      const { body } = await send.expect(400);
      expect(body.details.map((each: { field: string }) => each.field)).toEqual([field]);
    }
    const foreign = await createLink(await createOrganization(app));
    await org.api.patch(`${WEBHOOKS}/${endpoint.id}`, { links: [foreign.id] }).expect(400);
  });

  it('take no further statement, and read links only for a filter that needs them', async () => {
    const link = await createLink(org);
    const events = Array.from({ length: 100 }, () => ({
      name: 'link.clicked' as const,
      organizationId: org.organizationId,
      data: { urlId: link.id },
    }));
    const reads: number[] = [];
    const readsOf = async (tx: Tx) => {
      const [links] = await tx.query<{ scans: number }>(
        `SELECT idx_scan + seq_scan AS scans FROM pg_stat_xact_user_tables WHERE relname = 'links'`,
      );
      return Number(links?.scans);
    };
    for (const filters of [{}, { links: [link.id] }, { tags: ['spring'] }]) {
      await listen(filters);
      await app.get(Database).write(async (tx) => {
        const before = await readsOf(tx);
        const sent = jest.spyOn(tx, 'query');
        await app.get(WebhookOutbox).add(tx, ...events);
        expect(sent).toHaveBeenCalledTimes(1);
        reads.push((await readsOf(tx)) - before);
      });
    }
    // On Citus, workers read them.
    expect(reads).toEqual([0, 0, process.env.TEST_CITUS ? 0 : 100]);
  });
});
