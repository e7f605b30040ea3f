import { consoleApi, createOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, URLS, VALID_LINK } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const BULK = `${URLS}/bulk`;

interface Result {
  index: number;
  status: string;
  url: { id: number; shortUrl: string; originalUrl: string; title: string | null } | null;
  error: { code: string; message: string; details: { field: string }[] } | null;
}

describe('POST /urls/bulk', () => {
  const app = useTestApp();
  const org = perTest(() => createOrganization(app));

  const bulk = async (items: unknown, key?: string) => {
    const request = org.api.post(BULK);
    if (key !== undefined) void request.set('Idempotency-Key', key);
    return (await request.send({ items }).expect(200)).body as {
      created: number;
      failed: number;
      results: Result[];
    };
  };
  const outcome = ({ url, error }: Result) => error?.code ?? url?.originalUrl;
  const count = async () => (await org.api.get(URLS, { size: 1 })).body.totalElements as number;

  it('creates links like single calls, each with its audit entry', async () => {
    const iosAppId = await createApp(app, org, 'iOS', `bulk-${org.organizationId}`);
    const items = [
      { ...VALID_LINK, title: 'one', tags: ['a', 'b'], expirationDate: '2100-01-01', utmSource: 's' },
      { url: 'https://shop.example.com/?utm_medium=m', iosAppId, maxClicks: 7 },
      {
        ...VALID_LINK,
        customAlias: `alias-${org.organizationId}`,
        targeting: [{ os: ['iOS'], url: VALID_LINK.url }],
      },
      { ...VALID_LINK, customDomainId: null, variants: [], password: null },
    ];
    const { created, failed, results } = await bulk(items);
    expect([created, failed]).toEqual([4, 0]);
    expect(results.map(({ index, status }) => [index, status])).toEqual(
      [0, 1, 2, 3].map((i) => [i, 'created']),
    );
    for (const [i, { url }] of results.entries()) {
      const read = await org.api.get(`${URLS}/${url?.id}`).expect(200);
      expect(url).toEqual(read.body);
      const { customAlias, ...item } = items[i] as { customAlias?: string };
      const single = await createLink(org, item);
      const code = codeOf(url ?? { shortUrl: '' });
      expect(code).toMatch(customAlias === undefined ? /^[0-9A-Za-z]{7}$/ : customAlias);
      const { id, createdAt, updatedAt, shortUrl, link } = single;
      const own = { id, createdAt, updatedAt, shortUrl, link };
      expect({ ...url, ...own }).toEqual(single);
      await visit(app, new URL(url?.shortUrl ?? '').pathname).expect(302);
    }
    const entries = await app.sql<{ resource_id: string }>(
      `SELECT actor_type, ip, resource_type, resource_id, changes->'originalUrl'->>'to' AS url FROM audit_log
        WHERE organization_id = $1 AND action = 'link.create' AND resource_id = ANY ($2)`,
      [org.organizationId, results.map(({ url }) => String(url?.id))],
    );
    expect(entries).toHaveLength(4);
    for (const { url } of results) {
      expect(entries).toContainEqual({
        actor_type: 'API_KEY',
        ip: '127.0.0.1',
        resource_type: 'link',
        resource_id: String(url?.id),
        url: url?.originalUrl,
      });
    }
  });

  it('fails invalid items individually, by the rules of single calls', async () => {
    await createLink(org, { customAlias: `taken-${org.organizationId}` });
    const pending = await createDomain(app, org, `p${org.organizationId}.example`, 'PENDING');
    const { created, failed, results } = await bulk([
      VALID_LINK,
      { url: 'http://shop.example.com' },
      { url: 'https://127.0.0.1/' },
      {},
      null,
      7,
      'text',
      [],
      { ...VALID_LINK, customAlias: 'api' },
      { ...VALID_LINK, customAlias: `taken-${org.organizationId}` },
      { ...VALID_LINK, customDomainId: pending },
      { ...VALID_LINK, iosAppId: 999_999 },
      { ...VALID_LINK, expirationDate: '2000-01-01' },
      { ...VALID_LINK, title: 'a\u0000' },
      { ...VALID_LINK, tags: ['\ud800'] },
      { ...VALID_LINK, variants: [{ url: VALID_LINK.url, weight: 0 }] },
      { ...VALID_LINK, title: 'last' },
    ]);
    const V = 'VALIDATION_FAILED';
    const bad = [V, 'DESTINATION_NOT_ALLOWED', V, V, V, V, V, 'RESERVED_ALIAS', 'ALIAS_TAKEN'];
    const more = ['DOMAIN_NOT_USABLE', 'APP_NOT_USABLE', V, V, V, V];
    expect(results.map(outcome)).toEqual([VALID_LINK.url, ...bad, ...more, VALID_LINK.url]);
    expect([created, failed]).toEqual([2, 15]);
    expect(results[1]).toMatchObject({ index: 1, status: 'failed', url: null });
    expect(results[1]?.error?.details).toEqual([
      { field: 'url', message: 'must be a valid URL that starts with https://' },
    ]);
    expect(results[15]?.error?.details[0]?.field).toBe('variants[0].weight');
    expect(results[9]?.error?.details[0]?.field).toBe('customAlias');
    expect(await count()).toBe(3);
  });

  it('gives a repeated alias to the first item, and returns a deleted one', async () => {
    const alias = `again-${org.organizationId}`;
    const gone = await createLink(org, { customAlias: alias });
    await visit(app, `/${alias}`).expect(302);
    await org.api.delete(`${URLS}/${gone.id}`).expect(204);
    await visit(app, `/${alias}`).expect(404);
    const items = ['a', 'b', 'c'].map((title) => ({ ...VALID_LINK, title, customAlias: alias }));
    const { results } = await bulk([VALID_LINK, ...items]);
    expect(results.map(outcome)).toEqual([VALID_LINK.url, VALID_LINK.url, 'ALIAS_TAKEN', 'ALIAS_TAKEN']);
    expect(results[1]?.url?.title).toBe('a');
    await visit(app, `/${alias}`).expect(302);
    const other = await createOrganization(app);
    const response = await other.api.post(BULK, { items: [{ ...VALID_LINK, customAlias: alias }] });
    expect(response.body.results[0].error.code).toBe('ALIAS_TAKEN');
  });

  it('accepts 1000 items, and checks each destination once', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => ({
      url: `https://d${i % 3}.example.com/`,
      title: `${i}`,
    }));
    const { created, results } = await bulk(items);
    expect(created).toBe(1000);
    await org.api.post(BULK, { items: [...items, VALID_LINK] }).expect(400);
    expect(results.map(({ url }) => url?.title)).toEqual(items.map(({ title }) => title));
    expect(new Set(results.map(({ url }) => url?.shortUrl)).size).toBe(1000);
    expect(await count()).toBe(1000);
  });

  it('accepts 20 different passwords, for any number of links', async () => {
    const items = Array.from({ length: 21 }, (_, i) => ({ ...VALID_LINK, password: `open sesame ${i}` }));
    const { results } = await bulk([...items, items[0], items[0]]);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 20 }, () => 'created'),
      'failed',
      'created',
      'created',
    ]);
    expect(results[20]?.error?.details[0]?.field).toBe('password');
  });

  it('accepts a body between 1 and 5 MiB', async () => {
    const url = `https://shop.example.com/${'a'.repeat(975)}`;
    const fields = {
      url,
      mobileTargetUrl: url,
      title: 't'.repeat(200),
      iosDeepLinkPath: `/${'p'.repeat(999)}`,
    };
    const { created } = await bulk(Array.from({ length: 1000 }, () => fields));
    expect(created).toBe(1000);
    const items = [{ url, title: 'x'.repeat(5 * 1024 * 1024) }];
    const { body } = await org.api.post(BULK, { items }).expect(413);
    expect(body.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('counts as one call, and is not in the console', async () => {
    const slow = await createOrganization(app, { serviceRatePerMinute: 1 });
    const response = await slow.api.post(BULK, { items: [VALID_LINK, VALID_LINK] }).expect(200);
    expect(response.headers['ratelimit-remaining']).toBe('0');
    await slow.api.post(BULK, { items: [VALID_LINK] }).expect(429);
    await consoleApi(app)
      .post(BULK, { items: [VALID_LINK] })
      .expect(401);
  });
});
