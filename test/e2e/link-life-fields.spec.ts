import { DEFAULT_DOMAIN } from '../../src/modules/tracked-links/code-domains';
import { deleteLinks } from '../support/addresses';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { codeOf, createLink, URLS, VALID_LINK } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';
import { LinkCache } from '../../src/modules/tracked-links/tracked-link-cache';

const DEFAULTS = {
  enabled: true,
  archived: false,
  startsAt: null,
  notStartedUrl: null,
  expiredUrl: null,
  forwardQuery: true,
};
const CHANGED = {
  enabled: false,
  archived: true,
  startsAt: '2026-11-01T00:00:00Z',
  notStartedUrl: 'https://shop.example.com/soon',
  expiredUrl: 'https://shop.example.com/over',
  forwardQuery: false,
};

type Body = Record<string, unknown> & { id: number };

describe('when links and campaigns answer', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perTest(() => createOrganization(app));

  const kinds = {
    links: {
      create: (body: object): Promise<Body> => createLink(org, { ...body }),
      path: URLS,
      expiry: 'expirationDate',
    },
    campaigns: {
      create: (body: object): Promise<Body> => createCampaign(org, { ...body }),
      path: CAMPAIGNS,
      expiry: 'expiresAt',
    },
  };

  describe.each(['links', 'campaigns'] as const)('%s', (kind) => {
    const { create, path, expiry } = kinds[kind];
    const put = (id: number, body: object) => org.api.put(`${path}/${id}`, body);

    it('have defaults, change, and are sent back as read', async () => {
      const link = await create({});
      expect(link).toMatchObject(DEFAULTS);
      expect((await put(link.id, { ...CHANGED, startsAt: '2026-11-01' }).expect(200)).body).toMatchObject(
        CHANGED,
      );
      const read = await org.api.read<Body>(`${path}/${link.id}`);
      expect(read).toMatchObject(CHANGED);
      expect((await put(link.id, read).expect(200)).body).toEqual(read);
      const nulls = Object.fromEntries(Object.keys(CHANGED).map((field) => [field, null]));
      const cleared = { startsAt: null, notStartedUrl: null, expiredUrl: null };
      expect((await put(link.id, nulls).expect(200)).body).toMatchObject({ ...CHANGED, ...cleared });
      expect(await create({ ...CHANGED })).toMatchObject(CHANGED);
      expect(await create(nulls)).toMatchObject(DEFAULTS);
    });

    it('are sent back as read after their expiry, too', async () => {
      const link = await create({ [expiry]: '2026-11-20T08:33:00.500Z', startsAt: '2026-11-20T08:32:30Z' });
      app.clock.set('2026-11-20T09:00:00Z');
      const read = await org.api.read<Body>(`${path}/${link.id}`);
      const { updatedAt: _, ...same } = read;
      expect((await put(link.id, read).expect(200)).body).toMatchObject(same);
      const { body } = await put(link.id, { [expiry]: '2026-11-20T08:34:00Z' }).expect(400);
      expect(body.details).toEqual([{ field: expiry, message: 'must be in the future' }]);
    });

    it('start before they expire', async () => {
      const link = await create({ startsAt: '2026-12-01 09:00', [expiry]: '2026-12-01 09:01' });
      expect(link).toMatchObject({ startsAt: '2026-12-01T09:00:00Z', expiresAt: '2026-12-01T09:01:00Z' });
      const refused = async (sent: Promise<{ body: { details: unknown } }>) => (await sent).body.details;
      const late = [{ field: 'startsAt', message: 'must be before the expiry' }];
      const early = [{ field: expiry, message: 'must be after startsAt' }];
      expect(await refused(put(link.id, { startsAt: '2026-12-01T09:01:00Z' }).expect(400))).toEqual(late);
      expect(await refused(put(link.id, { [expiry]: '2026-12-01T09:00:00Z' }).expect(400))).toEqual(early);
      const both = { startsAt: '2026-12-05', [expiry]: '2026-12-04' };
      expect(await refused(put(link.id, both).expect(400))).toEqual(late);
      const valid = kind === 'links' ? VALID_LINK : { name: 'x', originalUrl: VALID_LINK.url };
      expect(await refused(org.api.post(path, { ...valid, ...both }).expect(400))).toEqual(late);
      // Both on one day: from its beginning to its end.
      await put(link.id, { startsAt: '2026-12-05', [expiry]: '2026-12-05' }).expect(200);
      await put(link.id, { title: 'Renamed' }).expect(200);
      await put(link.id, { startsAt: '2027-01-01', [expiry]: null }).expect(200);
    });

    it.each([
      ['notStartedUrl', 'http://shop.example.com/'],
      ['notStartedUrl', 'https://127.0.0.1/', 'DESTINATION_NOT_ALLOWED'],
      ['expiredUrl', 'https://user@shop.example.com/', 'DESTINATION_NOT_ALLOWED'],
    ])('refuse %s: %j', async (field, value, code = 'VALIDATION_FAILED') => {
      const { id } = await create({});
      const { body } = await put(id, { [field]: value }).expect(400);
      expect(body).toMatchObject({ code, details: [{ field }] });
      expect((await org.api.get(`${path}/${id}`)).body).toMatchObject(DEFAULTS);
    });

    it('keep the query of a request to themselves without forwardQuery', async () => {
      const url = { [kind === 'links' ? 'url' : 'originalUrl']: 'https://shop.example.com/?a=1' };
      const link = await create({ ...url, utmMedium: 'print', forwardQuery: false, appendClickId: true });
      const shown = new URL(link.link as string).pathname;
      const { headers } = await visit(app, `${shown}?b=2&utm_source=poster&utm_medium=x&cid=kim`).expect(302);
      const { searchParams } = new URL(headers.location ?? '');
      expect(searchParams.get('waypost-token')).toMatch(/^\S{10,}$/);
      searchParams.delete('waypost-token');
      expect(searchParams.toString()).toBe('a=1&utm_medium=print');
      const [click] = await eventually(async () => {
        const rows = await app.sql<{ utm: string[]; custom: string | null }>(
          `SELECT array(SELECT value FROM unnest(dimensions) AS value WHERE value LIKE 'utm_%' ORDER BY 1) AS utm,
                  custom_id AS custom
             FROM clicks WHERE tracked_link_id = $1 AND kind = $2`,
          [link.id, kind === 'links' ? 1 : 2],
        );
        expect(rows).toHaveLength(1);
        return rows;
      });
      expect(click).toEqual({
        utm: ['utm_medium:print', 'utm_source:poster'],
        custom: kind === 'links' ? null : 'kim',
      });
    });
  });

  it('take no room in the cache of links that have none of it', async () => {
    const cachedOf = async (body: Record<string, unknown>) => {
      const { shortUrl } = await createLink(org, body);
      return app.get(LinkCache).find(DEFAULT_DOMAIN, codeOf({ shortUrl }));
    };
    const fields = Object.keys(CHANGED).filter((field) => field !== 'archived');
    const plain = await cachedOf({});
    expect(fields.filter((field) => field in (plain ?? {}))).toEqual([]);
    const full = await cachedOf(CHANGED);
    expect(fields.filter((field) => !(field in (full ?? {})))).toEqual([]);
  });

  it('leave archived links out of exports, and restore every field', async () => {
    await createLink(org, { customAlias: `life-${org.organizationId}`, ...CHANGED });
    const exported = async (query: object) =>
      (await org.api.get(`${URLS}/export`, query).buffer(true).expect(200)).text;
    expect((await exported({})).trim().split('\r\n')).toHaveLength(1);
    const file = await exported({ archived: 'all' });
    await deleteLinks(app, org.organizationId);
    const { body } = await org.api
      .post(`${URLS}/import`)
      .set('Content-Type', 'text/csv')
      .send(file)
      .expect(200);
    expect(body).toMatchObject({ created: 1, failed: 0 });
    const { content } = (await org.api.get(URLS, { archived: 'all' }).expect(200)).body;
    expect(content).toMatchObject([CHANGED]);
  });

  it('accept the fields in bulk and in files, and refuse a start after the expiry there', async () => {
    const items = [
      { ...VALID_LINK, ...CHANGED },
      { ...VALID_LINK, startsAt: '2027-01-02', expirationDate: '2027-01-01' },
    ];
    const { body } = await org.api.post(`${URLS}/bulk`, { items }).expect(200);
    expect(body).toMatchObject({ created: 1, failed: 1 });
    expect(body.results).toMatchObject([{ url: CHANGED }, { error: { details: [{ field: 'startsAt' }] } }]);
    const rows = [
      'url,validSince,validUntil,createdAt,enabled',
      `${VALID_LINK.url},2026-10-05 10:00:00+00,2026-10-06,2026-10-01,false`,
      `${VALID_LINK.url},2026-10-07,2026-10-06,2026-10-01,`,
      `${VALID_LINK.url},2027-10-07,2027-10-06,,`,
    ];
    const imported = await org.api
      .post(`${URLS}/import`)
      .set('Content-Type', 'text/csv')
      .send(rows.join('\n'))
      .expect(200);
    expect(imported.body).toMatchObject({ created: 1, failed: 2, ignoredColumns: [] });
    expect(imported.body.errors).toMatchObject(
      [3, 4].map((line) => ({ line, details: [{ field: 'startsAt' }] })),
    );
    const { content } = (await org.api.get(URLS, { sort: 'createdAt,asc' }).expect(200)).body;
    expect(content[0]).toMatchObject({
      startsAt: '2026-10-05T10:00:00Z',
      enabled: false,
      forwardQuery: true,
    });
  });
});
