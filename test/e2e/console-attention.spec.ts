import type { AttentionItem as Item } from '../../src/modules/attention/attention.dto';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { type ApiClient, consoleApi, createOrganization, userOf } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';
const EARLIER = '2026-11-18T08:32:00Z';

describe('console: attention', () => {
  const app = useTestApp({ at: NOW, redis: false });
  const own = perTest(() => createOrganization(app));

  const ask = async (by: ApiClient = consoleApi(app), at = own.consolePath) =>
    (await by.read<{ items: Item[] }>(`${at}/attention`)).items;
  const kinds = async (by?: ApiClient) => (await ask(by)).map(({ kind }) => kind);

  const fall = (kind: 1 | 2, id: number, since: string | null = EARLIER) =>
    app.sql(
      `UPDATE link_health SET status = 'unhealthy', problem = 'NOT_FOUND', unhealthy_since = $3, failed_at = ARRAY[$4::timestamptz]
        WHERE kind = $1 AND tracked_link_id = $2`,
      [kind, id, since, '2026-11-17T00:00:00Z'],
    );
  const addWebhook = async (fields: object = {}) => {
    const body = { url: 'https://hooks.example.com/secret-path', events: ['*'] };
    const { body: made } = await consoleApi(app)
      .post(`${own.consolePath}/webhooks`, { ...body, ...fields })
      .expect(201);
    return (made as { id: number }).id;
  };

  it('is empty when all is well', async () => {
    await createLink(own);
    await createDomain(app, own, `well-${own.organizationId}.example.com`, 'ACTIVE');
    await addWebhook();
    expect(await ask()).toEqual([]);
  });

  it('shows unhealthy links and campaigns', async () => {
    const link = await createLink(own, { title: 'Spring sale' });
    await fall(1, link.id);
    const campaign = await createCampaign(own);
    await fall(2, campaign.id, null);
    await createLink(own);
    const example = { reason: 'NOT_FOUND', expiresAt: null };
    expect(await ask()).toEqual([
      {
        kind: 'UNHEALTHY_LINKS',
        count: 1,
        examples: [{ id: link.id, name: 'Spring sale', since: EARLIER, ...example }],
      },
      {
        kind: 'UNHEALTHY_CAMPAIGNS',
        count: 1,
        examples: [{ id: campaign.id, name: campaign.name, since: '2026-11-17T00:00:00Z', ...example }],
      },
    ]);
    await own.api.delete(`${CAMPAIGNS}/${campaign.id}`).expect(204);
    expect(await kinds()).toEqual(['UNHEALTHY_LINKS']);
  });

  it('counts all, and shows the five that fell last', async () => {
    const ids: number[] = [];
    for (let i = 1; i <= 7; i++) {
      const { id } = await createLink(own);
      await fall(1, id, `2026-11-1${i}T00:00:00Z`);
      ids.unshift(id);
    }
    const [item] = await ask();
    expect(item).toMatchObject({ kind: 'UNHEALTHY_LINKS', count: 7 });
    expect(item?.examples.map(({ id }) => id)).toEqual(ids.slice(0, 5));
  });

  it('leaves out links that are archived, switched off or expired', async () => {
    for (const fields of ['archived = true', 'enabled = false', `expires_at = '2026-11-20T08:00:00Z'`]) {
      const { id } = await createLink(own);
      await fall(1, id);
      expect(await kinds()).toEqual(['UNHEALTHY_LINKS']);
      await app.alter(`UPDATE links SET ${fields} WHERE id = $1`, [id]);
    }
    expect(await ask()).toEqual([]);
  });

  it('shows custom domains that do not work', async () => {
    const name = (label: string) => `${label}-${own.organizationId}.example.com`;
    const add = async (label: string, status: string, fields: string) => {
      const id = await createDomain(app, own, name(label), status);
      await app.alter(`UPDATE custom_domains SET ${fields} WHERE id = $1`, [id]);
      return id;
    };
    const failed = await add('failed', 'FAILED', `pending_since = '2026-11-10T00:00:00Z'`);
    const revoked = await add('revoked', 'REVOKED', `failing_since = '2026-11-11T00:00:00Z'`);
    const missing = await add('missing', 'ACTIVE', `failing_since = '2026-11-19T00:00:00Z'`);
    const disabled = await add('disabled', 'ACTIVE', `disabled_reason = 'Phishing'`);
    await add('deleted', 'ACTIVE', `deleted_at = now()`);
    await add('pending', 'PENDING', `pending_since = '2026-11-20T00:00:00Z'`);
    const at = (day: number) => `2026-11-${day}T00:00:00Z`;
    expect(await ask()).toEqual([
      {
        kind: 'CUSTOM_DOMAINS',
        count: 4,
        examples: [
          { id: missing, name: name('missing'), reason: 'CNAME_MISSING', since: at(19), expiresAt: null },
          { id: revoked, name: name('revoked'), reason: 'REVOKED', since: at(11), expiresAt: null },
          { id: failed, name: name('failed'), reason: 'FAILED', since: at(10), expiresAt: null },
          { id: disabled, name: name('disabled'), reason: 'DISABLED', since: null, expiresAt: null },
        ],
      },
    ]);
  });

  it('shows webhook endpoints that fail or were disabled by failures, by host name', async () => {
    const failing = await addWebhook();
    await app.sql('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [failing, EARLIER]);
    const gone = await addWebhook();
    await app.sql(
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'GONE', disabled_at = $2 WHERE id = $1`,
      [gone, NOW],
    );
    await addWebhook({ enabled: false });
    // More well ones than any page has.
    await app.sql(
      `INSERT INTO webhook_endpoints (organization_id, delivery, sealed, events, enabled, created_at, updated_at)
       SELECT organization_id, delivery, sealed, events, true, created_at, updated_at
         FROM webhook_endpoints, generate_series(1, 101) WHERE id = $1`,
      [failing],
    );
    const example = { name: 'hooks.example.com', expiresAt: null };
    expect(await ask()).toEqual([
      {
        kind: 'WEBHOOKS',
        count: 2,
        examples: [
          { id: gone, reason: 'GONE', since: NOW, ...example },
          { id: failing, reason: 'FAILING', since: EARLIER, ...example },
        ],
      },
    ]);
  });

  it('shows deliveries that are overdue, by endpoint', async () => {
    const [busy, off] = [await addWebhook(), await addWebhook({ enabled: false })];
    const deliver = (endpoint: number, dueAt: string, status = 'PENDING') =>
      app.sql(
        // A lease keeps the workers of the test away.
        `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, status, next_at, lease, lease_until)
         VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'link.created', $3, $4, gen_random_uuid(), '2027-01-01')`,
        [own.organizationId, endpoint, status, dueAt],
      );
    await deliver(busy, '2026-11-20T08:00:00Z');
    await deliver(busy, '2026-11-20T08:30:00Z');
    await deliver(busy, '2026-11-20T08:31:30Z');
    await deliver(busy, '2026-11-20T08:00:00Z', 'DELIVERED');
    await deliver(off, '2026-11-20T08:00:00Z');
    const waiting = { id: busy, name: 'hooks.example.com', reason: null, expiresAt: null };
    expect(await ask()).toEqual([
      { kind: 'WEBHOOK_BACKLOG', count: 2, examples: [{ ...waiting, since: '2026-11-20T08:00:00Z' }] },
    ]);
  });

  it('shows API keys that expire within 14 days', async () => {
    const add = async (name: string, expiresAt: string | null) => {
      const body = { name, userId: own.userId, expiresAt };
      const { body: made } = await consoleApi(app).post(`${own.consolePath}/api-keys`, body).expect(201);
      return (made as { id: number }).id;
    };
    const second = await add('Second', '2026-12-04T08:32:00Z');
    const first = await add('First', '2026-11-21T08:32:00Z');
    await add('Later', '2026-12-04T08:33:00Z');
    const ended = await add('Ended', '2026-11-20T08:33:00Z');
    await app.sql('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [ended, NOW]);
    const example = { reason: null, since: null };
    expect(await ask()).toEqual([
      {
        kind: 'EXPIRING_API_KEYS',
        count: 2,
        examples: [
          { id: first, name: 'First', expiresAt: '2026-11-21T08:32:00Z', ...example },
          { id: second, name: 'Second', expiresAt: '2026-12-04T08:32:00Z', ...example },
        ],
      },
    ]);
  });

  it('shows users below ADMIN neither webhooks nor keys, and nobody another organization', async () => {
    const link = await createLink(own);
    await fall(1, link.id);
    const endpoint = await addWebhook();
    await app.sql('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [endpoint, EARLIER]);
    await app.sql('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [
      own.apiKeyId,
      '2026-11-21T00:00:00Z',
    ]);
    const admin = await userOf(app, own, 'ADMIN');
    expect(await kinds(admin)).toEqual(['UNHEALTHY_LINKS', 'WEBHOOKS', 'EXPIRING_API_KEYS']);
    expect(await kinds(await userOf(app, own, 'EDITOR'))).toEqual(['UNHEALTHY_LINKS']);
    expect(await kinds(await userOf(app, own, 'VIEWER'))).toEqual(['UNHEALTHY_LINKS']);
    const other = await createOrganization(app);
    const foreign = other.consolePath;
    await admin.get(`${foreign}/attention`).expect(404);
    expect(await ask(undefined, foreign)).toEqual([]);
  });
});
