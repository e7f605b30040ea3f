import { gzipSync } from 'node:zlib';
import { OgFetcher } from '../../src/modules/tracked-links/open-graph/og-fetcher';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { usePagesServer } from '../support/pages-server';
import { perSuite, TestApp, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const MINUTE = 60_000;
const EMPTY = { ogTitle: null, ogDescription: null, ogImageUrl: null };
const PAGE =
  '<title>Plain</title><meta property="og:title" content="Theirs"><meta name="description" content="Their words">' +
  '<meta property="og:image" content="https://cdn.example.com/theirs.png">';
const THEIRS = {
  ogTitle: 'Theirs',
  ogDescription: 'Their words',
  ogImageUrl: 'https://cdn.example.com/theirs.png',
};

describe('Open Graph fields from the destination', () => {
  const app = useTestApp({ env: { OG_FETCH: 'true' } });

  const pages = usePagesServer();
  const organization = perSuite(() => createOrganization(app));
  beforeEach(() => app.clock.run());

  /** Points it at the test's site, bypassing the rules for destinations, and makes it due. */
  async function lead(
    table: 'links' | 'campaigns',
    id: number,
    path: string,
    { organizationId } = organization,
  ): Promise<void> {
    const kind = table === 'links' ? 1 : 2;
    await app.sql(`UPDATE ${table} SET original_url = $2 WHERE id = $1`, [id, pages.origin + path]);
    await app.sql(
      `INSERT INTO og_fetches (kind, tracked_link_id, organization_id, due_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (kind, tracked_link_id, organization_id) DO UPDATE SET due_at = excluded.due_at, tries = 0`,
      [kind, id, organizationId, app.clock.date()],
    );
  }

  async function link(
    path: string,
    body: Record<string, unknown> = {},
    owner = organization,
  ): Promise<number> {
    const { id } = await createLink(owner, body);
    await lead('links', id, path, owner);
    return id;
  }

  async function ogOf(id: number, collection = 'urls'): Promise<Record<string, unknown>> {
    const { body } = await organization.api.get(`/api/v1/service/${collection}/${id}`).expect(200);
    const { ogTitle, ogDescription, ogImageUrl } = body;
    return { ogTitle, ogDescription, ogImageUrl };
  }

  const fetchDue = () => app.get(OgFetcher).run();

  async function pending(id: number): Promise<unknown> {
    return app.sql(`SELECT tries FROM og_fetches WHERE kind = 1 AND tracked_link_id = $1`, [id]);
  }

  it('fills missing fields, in the API and for crawlers', async () => {
    pages.html('/all', PAGE);
    const id = await link('/all', { customAlias: 'described' });
    await visit(app, '/described').expect(302);
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual(THEIRS));
    expect(await pending(id)).toEqual([]);
    expect(pages.requests.at(-1)?.userAgent).toContain('WaypostBot');
    const { text } = await visit(app, '/described', { userAgent: 'Twitterbot/1.0' }).expect(200);
    expect(text).toContain('<meta property="og:title" content="Theirs">');
  });

  it('keeps given fields', async () => {
    pages.html('/some', PAGE);
    const id = await link('/some', { ogTitle: 'Ours', ogImageUrl: 'https://a.example/o.png' });
    await fetchDue();
    await eventually(async () =>
      expect(await ogOf(id)).toEqual({
        ogTitle: 'Ours',
        ogDescription: 'Their words',
        ogImageUrl: 'https://a.example/o.png',
      }),
    );
  });

  it('fetches no page when all fields are given', async () => {
    const { id } = await createLink(organization, {
      ogTitle: 'a',
      ogDescription: 'b',
      ogImageUrl: 'https://a.example/o.png',
    });
    expect(await pending(id)).toEqual([]);
  });

  it('keeps fields that the owner has set or cleared meanwhile, then and later', async () => {
    const path = (id: number) => `/api/v1/service/urls/${id}`;
    pages.html('/meanwhile', PAGE);
    const id = await link('/meanwhile');
    await organization.api.put(path(id), { ogTitle: 'Ours', ogDescription: null }).expect(200);
    const expected = { ...THEIRS, ogTitle: 'Ours', ogDescription: null };
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual(expected));
    await organization.api.put(path(id), { originalUrl: 'https://other.example.com/' }).expect(200);
    expect(await ogOf(id)).toEqual({ ...expected, ogImageUrl: null });
    await lead('links', id, '/meanwhile');
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual(expected));
  });

  it('goes on filling fields whose text is sent back', async () => {
    const path = (id: number) => `/api/v1/service/urls/${id}`;
    pages.html('/back', PAGE);
    const id = await link('/back');
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual(THEIRS));
    await organization.api.put(path(id), THEIRS).expect(200);
    await organization.api.put(path(id), { originalUrl: 'https://other.example.com/' }).expect(200);
    expect(await ogOf(id)).toEqual(EMPTY);
  });

  it('replaces fields of the old destination by those of the new one', async () => {
    pages.html('/old', PAGE);
    pages.html('/new', '<title>New</title>');
    const id = await link('/old');
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual(THEIRS));
    const put = await organization.api
      .put(`/api/v1/service/urls/${id}`, { originalUrl: 'https://other.example.com/' })
      .expect(200);
    expect(put.body).toMatchObject(EMPTY);
    await lead('links', id, '/new');
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual({ ...EMPTY, ogTitle: 'New' }));
  });

  it('discards a page when the destination changed while it was fetched', async () => {
    const asked = new Promise<() => void>((resolve) => {
      pages.on('/slowly', (_request, response) =>
        resolve(() => response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE)),
      );
    });
    pages.html('/quick', '<title>Quick</title>');
    const id = await link('/slowly');
    const reading = fetchDue();
    const answer = await asked;
    await lead('links', id, '/quick');
    answer();
    await reading;
    expect(await ogOf(id)).toEqual(EMPTY);
    expect(await pending(id)).toHaveLength(1);
    await fetchDue();
    await eventually(async () => expect(await ogOf(id)).toEqual({ ...EMPTY, ogTitle: 'Quick' }));
  });

  it('does the same for campaigns', async () => {
    pages.html('/campaign', PAGE);
    const { body } = await organization.api
      .post('/api/v1/service/campaigns', {
        name: 'Spring',
        alias: 'og-spring',
        originalUrl: 'https://shop.example.com/',
      })
      .expect(201);
    await lead('campaigns', body.id, '/campaign');
    await fetchDue();
    await eventually(async () => {
      const { text } = await visit(app, '/c/og-spring', { userAgent: 'Twitterbot/1.0' }).expect(200);
      expect(text).toContain('content="Theirs"');
    });
  });

  it('does the same for links created in bulk, and fetches a shared page once', async () => {
    pages.html('/bulk', PAGE);
    const { body } = await organization.api.post('/api/v1/service/urls/bulk', {
      items: [1, 2, 3].map((n) => ({ url: `https://shop.example.com/${n}` })),
    });
    const ids = (JSON.stringify(body).match(/"id":\d+/g) ?? []).map((text) => Number(text.slice(5)));
    expect(ids).toHaveLength(3);
    for (const id of ids) expect(await pending(id)).toHaveLength(1);
    app.clock.set('2030-01-01T00:00:00Z');
    for (const id of ids) await lead('links', id, '/bulk');
    await fetchDue();
    for (const id of ids) await eventually(async () => expect(await ogOf(id)).toEqual(THEIRS));
    expect(pages.asked('/bulk')).toBe(1);
  });

  it('fetches pages of every organization in turn, however many another one has', async () => {
    app.clock.set('2030-06-01T00:00:00Z');
    pages.html('/turns', PAGE);
    const floods = [await createOrganization(app), await createOrganization(app)];
    for (const { organizationId } of floods) {
      await app.sql(
        `INSERT INTO og_fetches (kind, tracked_link_id, organization_id, due_at)
         SELECT 1, 1000000 + i, $1, '2030-05-01' FROM generate_series(1, 500) AS i`,
        [organizationId],
      );
    }
    const ids = [await link('/turns'), await link('/turns', {}, await createOrganization(app))];
    await fetchDue();
    for (const id of ids) expect(await pending(id)).toEqual([]);
    const sql = 'SELECT count(*) AS left FROM og_fetches WHERE organization_id = ANY ($1)';
    const [row] = await app.sql(sql, [floods.map(({ organizationId }) => organizationId)]);
    // In order of time, all 1,000 would have come first. The creations start fetches of their own, of 100 each.
    expect(row?.left).toBeGreaterThan(500);
    await app.sql('DELETE FROM og_fetches');
  });

  it('fetches nothing for deleted links', async () => {
    pages.html('/deleted', PAGE);
    const id = await link('/deleted');
    await organization.api.delete(`/api/v1/service/urls/${id}`).expect(204);
    await fetchDue();
    await eventually(async () => expect(await pending(id)).toEqual([]));
    expect(pages.asked('/deleted')).toBe(0);
  });

  it('retries temporary errors, three times in all', async () => {
    app.clock.set('2031-01-01T00:00:00Z');
    pages.on('/broken', (_request, response) => response.writeHead(503).end());
    const id = await link('/broken');
    for (const minutes of [1, 15, 240]) {
      await fetchDue();
      await fetchDue();
      app.clock.advance(minutes * MINUTE);
    }
    await fetchDue();
    await eventually(async () => expect(await pending(id)).toEqual([]));
    expect(pages.asked('/broken')).toBe(3);
  });

  it('resumes the work of a killed process, and a recovered page', async () => {
    app.clock.set('2032-01-01T00:00:00Z');
    pages.on('/away', (request) => request.socket.destroy());
    const id = await link('/away');
    await fetchDue();
    await eventually(async () => expect(pages.asked('/away')).toBe(1));
    expect(await pending(id)).toEqual([{ tries: 1 }]);
    pages.html('/away', PAGE);
    app.clock.advance(MINUTE);
    const other = await TestApp.start({ database: app.database, env: { OG_FETCH: 'true' } });
    try {
      other.clock.set(app.clock.date());
      await other.get(OgFetcher).run();
    } finally {
      await other.close();
    }
    expect(await ogOf(id)).toEqual(THEIRS);
  });

  describe('handles hostile pages', () => {
    const redirect = (path: string, location: string) =>
      pages.on(path, (_request, response) => response.writeHead(302, { Location: location }).end());

    it.each<[string, Record<string, unknown>, () => void]>([
      [
        '/binary',
        EMPTY,
        () => pages.html('/binary', Buffer.alloc(200_000, 7), { 'Content-Type': 'image/png' }),
      ],
      ['/untyped', EMPTY, () => pages.on('/untyped', (_request, response) => response.end(PAGE))],
      ['/gzip', EMPTY, () => pages.html('/gzip', gzipSync(PAGE), { 'Content-Encoding': 'gzip' })],
      ['/missing', EMPTY, () => undefined],
      [
        '/three',
        THEIRS,
        () => {
          pages.html('/landed', PAGE);
          redirect('/three', '/two');
          redirect('/two', '/one');
          redirect('/one', '/landed');
        },
      ],
      ['/four', EMPTY, () => redirect('/four', '/three')],
      ['/loop', EMPTY, () => redirect('/loop', '/loop')],
      ['/to-file', EMPTY, () => redirect('/to-file', 'file:///etc/passwd')],
      [
        '/wrong-charset',
        { ...EMPTY, ogTitle: 'a\ufffd' },
        () => pages.html('/wrong-charset', Buffer.from([...Buffer.from('<title>a'), 0xe9])),
      ],
      ['/nul', { ...EMPTY, ogTitle: 'a b' }, () => pages.html('/nul', '<title>a\u0000b</title>')],
      [
        '/surrogate',
        { ...EMPTY, ogTitle: 'a\ufffd' },
        () => pages.html('/surrogate', '<title>a&#xD800;</title>'),
      ],
      [
        '/long',
        { ogTitle: `${'🌸'.repeat(199)}…`, ogDescription: `${'b'.repeat(499)}…`, ogImageUrl: null },
        () =>
          pages.html(
            '/long',
            `<title>${'🌸'.repeat(500)}</title><meta name=description content="${'b'.repeat(9_000)}"><meta property=og:image content="https://a.example/${'c'.repeat(1_000)}">`,
          ),
      ],
      [
        '/pictures',
        EMPTY,
        () => pages.html('/pictures', '<meta property=og:image content="javascript:alert(1)">'),
      ],
      [
        '/http-picture',
        EMPTY,
        () => pages.html('/http-picture', '<meta property=og:image content="http://a.example/b.png">'),
      ],
      [
        '/markup',
        { ...EMPTY, ogTitle: '</title><script>alert(1)</script>' },
        () =>
          pages.html(
            '/markup',
            '<meta property=og:title content="&lt;/title>&lt;script>alert(1)&lt;/script>">',
          ),
      ],
      [
        '/huge',
        { ...EMPTY, ogTitle: 'Huge' },
        () =>
          pages.on('/huge', (_request, response) => {
            response.writeHead(200, { 'Content-Type': 'text/html' }).write('<title>Huge</title>');
            const more = () => {
              while (!response.destroyed && response.write(Buffer.alloc(65_536, 60)));
            };
            response.on('drain', more).on('error', () => undefined);
            more();
          }),
      ],
      ['/late', EMPTY, () => pages.html('/late', `${' '.repeat(512 * 1024)}<title>Late</title>`)],
    ])('%s', async (path, expected, prepare) => {
      prepare();
      const id = await link(path);
      await fetchDue();
      await eventually(async () => expect(await pending(id)).toEqual([]));
      expect(await ogOf(id)).toEqual(expected);
    });

    it('a page that never ends', async () => {
      app.clock.set('2033-01-01T00:00:00Z');
      pages.on('/never', (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).write('<title>Never');
        const drip = setInterval(() => response.write(' '), 200);
        response.on('close', () => clearInterval(drip));
      });
      const id = await link('/never');
      await fetchDue();
      expect(await pending(id)).toEqual([{ tries: 1 }]);
      expect(await ogOf(id)).toEqual(EMPTY);
    });
  });

  it('connects to no private address unless the settings allow it', async () => {
    pages.html('/private', PAGE);
    const strict = await TestApp.start({ env: { OG_FETCH: 'true', OUTBOUND_ALLOW_PRIVATE: 'false' } });
    try {
      const owner = await createOrganization(strict);
      const { id } = await createLink(owner);
      await strict.alter(`UPDATE links SET original_url = $2 WHERE id = $1`, [id, `${pages.origin}/private`]);
      await strict.sql(`UPDATE og_fetches SET due_at = now() - interval '1 minute', tries = 0`);
      await strict.get(OgFetcher).run();
      await eventually(async () => expect(await strict.sql(`SELECT * FROM og_fetches`)).toEqual([]));
      expect(pages.asked('/private')).toBe(0);
    } finally {
      await strict.close();
    }
  });

  it('fetches nothing when switched off', async () => {
    pages.html('/off', PAGE);
    const off = await TestApp.start();
    try {
      const owner = await createOrganization(off);
      const { id } = await createLink(owner);
      await off.alter(`UPDATE links SET original_url = $2 WHERE id = $1`, [id, `${pages.origin}/off`]);
      await off.get(OgFetcher).run();
      expect(await off.sql(`SELECT * FROM og_fetches`)).toEqual([]);
      expect(pages.asked('/off')).toBe(0);
    } finally {
      await off.close();
    }
  });
});
