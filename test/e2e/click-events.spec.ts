import { ClickEvents } from '../../src/modules/click-statistics/counting/click-events';
import { encodeClick } from '../../src/modules/clicks/click';
import { openAppPage } from '../support/app-pages';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createApp, createLink } from '../support/links';
import { cataloguedEvents } from '../support/outbox';
import { perTest, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, plainClick, visit } from '../support/visits';
import { useWebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('clicks send events, %s,', (_name, redis) => {
  const app = useTestApp({ redis });

  const receiver = useWebhookReceiver();
  beforeEach(() => {
    app.clock.set('2026-11-20T08:32:00Z');
    receiver.reset();
  });
  const org = perTest(() => createOrganization(app));
  afterEach(() => jest.restoreAllMocks());

  const subscribe = (...events: string[]) => new Webhooks(app, org).create(receiver.url, events);
  const pathOf = ({ shortUrl }: { shortUrl: string }) => new URL(shortUrl).pathname;
  const clicksOf = (id: number) =>
    app.sql<{ id: number }>('SELECT id FROM clicks WHERE tracked_link_id = $1 AND NOT is_bot ORDER BY id', [
      id,
    ]);
  const receive = async (count: number) =>
    eventually(async () => {
      const events = await cataloguedEvents(app, org.organizationId);
      expect(events).toHaveLength(count);
      return events.map(({ name, data }) => ({ name, data }));
    });

  it('for each click on a link, and deliver them', async () => {
    await subscribe('link.clicked');
    const link = await createLink(org, {
      url: 'https://example.com/landing',
      customAlias: `a-${org.organizationId}`,
    });
    await visit(app, pathOf(link), {
      ip: '168.126.63.1',
      userAgent: IPHONE,
      headers: { Referer: 'https://www.google.com/q' },
    });
    const [event] = await receive(1);
    const [click] = await clicksOf(link.id);
    expect(event).toEqual({
      name: 'link.clicked',
      data: {
        clickId: click?.id,
        urlId: link.id,
        shortCode: `a-${org.organizationId}`,
        link: link.link,
        originalUrl: 'https://example.com/landing',
        clickedAt: '2026-11-20T08:32:00Z',
        country: 'KR',
        deviceType: 'Mobile',
        os: 'iOS',
        browser: 'Mobile Safari',
        referrer: 'google.com',
      },
    });
    await new Webhooks(app, org).sweep();
    await eventually(async () =>
      expect(receiver.received.map(({ body }) => body.data)).toEqual([event?.data]),
    );
  });

  it('for each click on a campaign, with tracker and customer', async () => {
    await subscribe('campaign.clicked');
    const alias = `autumn-${org.organizationId}`;
    const { body: campaign } = await org.api
      .post('/api/v1/service/campaigns', { name: 'Autumn', alias, originalUrl: 'https://example.com/autumn' })
      .expect(201);
    await visit(app, `/c/${alias}/poster?cid=customer-42`, { ip: '10.0.0.1', userAgent: 'curl/8.5.0' });
    const [event] = await receive(1);
    expect(event).toEqual({
      name: 'campaign.clicked',
      data: {
        clickId: expect.any(Number),
        urlId: null,
        shortCode: null,
        link: campaign.link,
        originalUrl: 'https://example.com/autumn',
        clickedAt: '2026-11-20T08:32:00Z',
        country: null,
        deviceType: null,
        os: null,
        browser: null,
        referrer: null,
        campaignId: campaign.id,
        alias,
        trackerAlias: 'poster',
        customId: 'customer-42',
      },
    });
  });

  it('once for each of a hundred, but not for bots, duplicates, or without a subscriber', async () => {
    await subscribe('link.clicked');
    const link = await createLink(org);
    const once = await createLink(org);
    const settings = `${org.consolePath}/links/${once.id}/settings`;
    await new Webhooks(app, org).console
      .put(settings, { deduplication: { enabled: true, windowMinutes: 5 } })
      .expect(200);
    const elsewhere = await createOrganization(app);
    const quiet = await createLink(elsewhere);
    await Promise.all([
      ...Array.from({ length: 100 }, () => visit(app, pathOf(link))),
      visit(app, pathOf(link), { userAgent: GOOGLEBOT }),
      visit(app, pathOf(link), { method: 'head' }),
      visit(app, pathOf(once)),
      visit(app, pathOf(quiet)),
    ]);
    await visit(app, pathOf(once));
    const events = await receive(101);
    const clicks = [...(await clicksOf(link.id)), ...(await clicksOf(once.id))];
    expect(events.map(({ data }) => data.clickId).sort()).toEqual(clicks.map(({ id }) => id).sort());
    await eventually(async () => expect(await clicksOf(quiet.id)).toHaveLength(1));
    expect(await cataloguedEvents(app, elsewhere.organizationId)).toEqual([]);
  });

  it('not for a rolled-back batch, and once when it is repeated', async () => {
    await subscribe('link.clicked');
    const link = await createLink(org);
    const add = jest.spyOn(ClickEvents.prototype, 'add');
    add.mockImplementationOnce(async function (this: ClickEvents, ...given) {
      add.mockRestore();
      await ClickEvents.prototype.add.apply(this, given);
      throw new Error('planted: the batch is rolled back');
    });
    await visit(app, pathOf(link));
    const [event] = await receive(1);
    expect(await clicksOf(link.id)).toEqual([{ id: event?.data.clickId }]);
    // The journal delivers it again, together with a new one.
    const again = plainClick({
      id: Number(event?.data.clickId),
      at: app.clock.now(),
      trackedLinkId: link.id,
      organizationId: org.organizationId,
    });
    const fresh = { ...again, id: again.id + 1_000_000 };
    const lines = [again, fresh, fresh].map(encodeClick).join('\n');
    await app.sql('INSERT INTO click_journal (lines, clicks) VALUES ($1, 3)', [lines]);
    expect((await receive(2)).map(({ data }) => data.clickId)).toEqual([again.id, fresh.id]);
  });

  it('for the session that a click on the app page starts', async () => {
    const iosAppId = await createApp(app, org, 'iOS', `shop${org.organizationId}`);
    const link = await createLink(org);
    const opened = { trackedLinkId: link.id, appIds: [iosAppId] };
    await openAppPage(app, org, opened);
    await eventually(async () => expect(await clicksOf(link.id)).toHaveLength(1));
    expect(await cataloguedEvents(app, org.organizationId)).toEqual([]);
    await subscribe('session.created', 'funnel.*');
    await openAppPage(app, org, { ...opened, ip: '168.126.63.1' });
    const [created, reached] = await receive(2);
    expect(created).toMatchObject({
      name: 'session.created',
      data: { appId: iosAppId, platform: 'IOS', urlId: link.id, country: 'KR', stages: ['CLICKED'] },
    });
    expect(reached).toEqual({
      name: 'funnel.stage_reached',
      data: {
        sessionId: created?.data.sessionId,
        appId: iosAppId,
        stage: 'CLICKED',
        stageName: 'Clicked',
        urlId: link.id,
        campaignId: null,
        platform: 'IOS',
        externalUserId: null,
        occurredAt: '2026-11-20T08:32:00Z',
      },
    });
  });
});
