import { request as httpRequest } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ShortUrlResponse as ShortUrl } from '../../src/modules/links/short-url.dto';
import { deleteLinks } from '../support/addresses';
import { createOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, URLS, VALID_LINK } from '../support/links';
import { eventually } from '../support/eventually';
import { API_HOST, perTest, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

interface Imported {
  created: number;
  failed: number;
  generated: number;
  legacyCodes: number;
  ignoredColumns: string[];
  errors: { line: number; code: string; message: string; details: { field: string }[] }[];
}

describe('imports of short links', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perTest(() => createOrganization(app));
  const tag = () => `o${org.organizationId}`;

  const send = (body: string | Buffer, of = org, query: object = {}) =>
    of.api
      .post(`${URLS}/import`)
      .query(query)
      .set('Content-Type', 'text/csv')
      .serialize((text: unknown) => text as string)
      .send(body as never);
  const imported = async (body: string | Buffer, of = org, query: object = {}): Promise<Imported> =>
    (await send(body, of, query).expect(200)).body;
  const exported = async (of = org) => (await of.api.get(`${URLS}/export`).buffer(true).expect(200)).text;
  const list = async (of = org) =>
    (await of.api.get(URLS, { size: 100 }).expect(200)).body.content as ShortUrl[];
  const stored = async () =>
    (
      await app.sql<{ count: number }>('SELECT count(*)::int FROM links WHERE organization_id = $1', [
        org.organizationId,
      ])
    )[0]?.count ?? 0;

  describe('from other products', () => {
    const layouts: [product: string, file: (tag: string) => string, expected: object][] = [
      [
        'YOURLS',
        (t) =>
          'keyword,url,title,timestamp,ip,clicks\n' +
          `${t}-sale,https://shop.example.com/sale,"Sale, spring",2024-05-01 10:00:00,203.0.113.9,42\n`,
        { title: 'Sale, spring', createdAt: '2024-05-01T10:00:00Z', importedClicks: 42 },
      ],
      [
        'Dub, by field',
        (t) =>
          'domain,key,url,shortLink,title,tags,expiresAt,clicks,createdAt\r\n' +
          `dub.sh,${t}-sale,https://shop.example.com/sale,https://dub.sh/${t}-sale,Sale,"a, b",2030-01-01T00:00:00.000Z,7,2024-05-01T10:00:00.000Z\r\n`,
        {
          title: 'Sale',
          tags: ['a', 'b'],
          expiresAt: '2030-01-01T00:00:00Z',
          createdAt: '2024-05-01T10:00:00Z',
        },
      ],
      [
        'Dub, by label',
        (t) =>
          'Short link,Destination URL,Clicks,Created at,Tags\n' +
          `https://dub.sh/${t}-sale,https://shop.example.com/sale,7,2024-05-01T10:00:00.000Z,a\n`,
        { tags: ['a'], createdAt: '2024-05-01T10:00:00Z', importedClicks: 7 },
      ],
      [
        'Short.io',
        (t) =>
          'id;path;originalURL;title;shortURL;createdAt;expiresAt;tags\n' +
          `lnk_1;${t}-sale;https://shop.example.com/sale;Sale;https://go.example/${t}-sale;2024-05-01T10:00:00.000Z;1893456000000;"[""a"",""b""]"\n`,
        { title: 'Sale', tags: ['a', 'b'], expiresAt: '2030-01-01T00:00:00Z' },
      ],
      [
        'Bitly',
        (t) =>
          'bitlink\tlong_url\ttitle\tcreated_at\ttags\n' +
          `bit.ly/${t}-sale\thttps://shop.example.com/sale\tSale\t2024-05-01T10:00:00+0000\ta,b\n`,
        { title: 'Sale', tags: ['a', 'b'], createdAt: '2024-05-01T10:00:00Z' },
      ],
      [
        'Bitly, the template of its bulk upload',
        (t) => `Long URL,Custom back-half,Title\nhttps://shop.example.com/sale,${t}-sale,Sale\n`,
        { title: 'Sale' },
      ],
      [
        'Kutt',
        (t) =>
          'address,target,link,description,expire_in,password,visit_count,created_at\n' +
          `${t}-sale,https://shop.example.com/sale,https://kutt.it/${t}-sale,Sale,,false,3,2024-05-01 10:00:00+00\n`,
        { title: 'Sale', hasPassword: false, createdAt: '2024-05-01T10:00:00Z', importedClicks: 3 },
      ],
      [
        'Rebrandly',
        (t) =>
          '"title","slashtag","destination","shortUrl","createdAt","clicks"\n' +
          `"Sale","${t}-sale","https://shop.example.com/sale","rebrand.ly/${t}-sale","2024-05-01T10:00:00.000Z","1"\n`,
        { title: 'Sale', createdAt: '2024-05-01T10:00:00Z', importedClicks: 1 },
      ],
      [
        'Shlink',
        (t) =>
          'createdAt,domain,longUrl,shortUrl,shortCode,tags,title,visits\n' +
          `2024-05-01T10:00:00+00:00,s.test,https://shop.example.com/sale,https://s.test/${t}-sale,${t}-sale,a|b,Sale,3\n`,
        { title: 'Sale', tags: ['a', 'b'], createdAt: '2024-05-01T10:00:00Z' },
      ],
      [
        'Dub, which writes null for nothing',
        (t) =>
          'key,url,title,tags,expiresAt,utm_source,externalId,createdAt\r\n' +
          `${t}-sale,https://shop.example.com/sale,null,[],null,null,NULL,2024-05-01T10:00:00.000Z\r\n`,
        { title: null, tags: [], expiresAt: null, utmSource: null, externalId: null },
      ],
      [
        'Bitly, with tags as JSON',
        (t) =>
          'bitlink,long_url,title,tags\n' +
          `bit.ly/${t}-sale,https://shop.example.com/sale,null,"[""a"", ""b|c""]"\n`,
        { title: 'null', tags: ['a', 'b|c'] },
      ],
    ];

    it.each(layouts)('reads the files of %s, with their aliases', async (_, file, expected) => {
      expect(await imported(file(tag()))).toMatchObject({ created: 1, failed: 0, generated: 0, errors: [] });
      const [link] = await list();
      expect(link).toMatchObject({ originalUrl: 'https://shop.example.com/sale', ...expected });
      expect(codeOf(link as ShortUrl)).toBe(`${tag()}-sale`);
    });

    describe('an installation', () => {
      interface Row {
        code: string;
        url: string;
        clicks: number;
      }
      const hosted = (host: string, { code }: Row) =>
        `${host}/${code.split('/').map(encodeURIComponent).join('/')}`;
      const csv = (header: string, of: (row: Row) => (string | number)[]) => (rows: readonly Row[]) =>
        [header, ...rows.map((row) => of(row).join(','))].join('\n');
      const INSTALLATIONS: [product: string, file: (rows: readonly Row[]) => string | object][] = [
        ['Shlink', csv('shortCode,longUrl,visits', ({ code, url, clicks }) => [code, url, clicks])],
        [
          "Shlink's API",
          (rows) => ({
            shortUrls: {
              data: rows.map((row) => ({
                shortCode: row.code,
                shortUrl: hosted('https://s.test', row),
                longUrl: row.url,
                visitsSummary: { total: row.clicks, nonBots: 0, bots: 0 },
                meta: { validSince: null, validUntil: '2030-01-01T00:00:00+00:00', maxVisits: null },
                tags: ['a'],
                domain: null,
              })),
              pagination: { currentPage: 1 },
            },
          }),
        ],
        [
          'Firebase Dynamic Links',
          csv('short_link,link,ofl,utm_source,hits', (row) => [
            hosted('https://x.page.link', row),
            row.url,
            '',
            'mail',
            row.clicks,
          ]),
        ],
        [
          'Branch',
          csv('url,alias,$marketing_title,$fallback_url,$desktop_url,Clicks', (row) => [
            hosted('https://x.app.link', row),
            '',
            'Sale',
            row.clicks % 2 ? row.url : '',
            row.url,
            row.clicks,
          ]),
        ],
        ['Bitly', csv('bitlink,long_url,engagements', (row) => [hosted('bit.ly', row), row.url, row.clicks])],
      ];

      it.each(INSTALLATIONS)(
        'of %s keeps its codes and counts, and names what cannot be kept',
        async (_, fileOf) => {
          const url = VALID_LINK.url;
          const kept = [
            'x',
            `${tag()}-sale`,
            'sale.2024',
            'größe',
            '봄 세일',
            'a+b@c',
            '100%',
            'q?x#y',
            'z'.repeat(200),
          ];
          const codes = kept.map((code) => (code.startsWith(tag()) ? code : `${tag()}${code}`));
          const rows = codes.map((code, i) => ({ code, url, clicks: i + 1 }));
          const lost: Row[] = [
            { code: `${tag()}/two`, url, clicks: 0 },
            { code: 'robots.txt', url, clicks: 0 },
            { code: `${tag()}-http`, url: 'http://shop.example.com/', clicks: 0 },
            { code: `${tag()}x`, url, clicks: 0 },
            { code: `${tag()}${'y'.repeat(300)}`, url, clicks: 0 },
          ];
          const body = fileOf([...rows, ...lost]);
          const sent = async (query: object) => {
            const type = typeof body === 'string' ? 'text/csv' : 'application/json';
            const request = org.api.post(`${URLS}/import`).query(query).set('Content-Type', type);
            return (await request.send(body).expect(200)).body as Imported;
          };
          const dry = await sent({ dryRun: true });
          expect(dry).toMatchObject({
            created: rows.length,
            failed: lost.length,
            generated: 0,
            legacyCodes: 7,
          });
          expect(dry.errors.map(({ code }) => code)).toEqual([
            'VALIDATION_FAILED',
            'RESERVED_ALIAS',
            'VALIDATION_FAILED',
            'ALIAS_TAKEN',
            'VALIDATION_FAILED',
          ]);
          expect(await stored()).toBe(0);
          expect(await sent({})).toEqual({ ...dry, dryRun: false });

          const links = await list();
          expect(links.map(({ importedClicks }) => importedClicks).sort()).toEqual(
            rows.map((row) => row.clicks),
          );
          expect(new Set(links.map(({ clickCount }) => clickCount))).toEqual(new Set([0]));
          const paths = links.map(({ link }) => new URL(link).pathname);
          for (const path of [...rows.map(({ code }) => `/${encodeURIComponent(code)}`), ...paths]) {
            const { status, headers } = await visit(app, path);
            expect([path, status, headers.location]).toEqual([path, 302, expect.stringContaining(url)]);
          }
        },
      );

      it('is restored from its own export, where counts are added', async () => {
        const code = `${tag()}.sale`;
        await imported(`url,alias,importedClicks,clicks\n${VALID_LINK.url},${code},5,2\n`);
        const file = await exported();
        await deleteLinks(app, org.organizationId);
        expect(await imported(file)).toMatchObject({ created: 1, legacyCodes: 1 });
        expect(await list()).toMatchObject([{ legacyCode: true, importedClicks: 7, clickCount: 0 }]);
        expect((await visit(app, `/${code}`)).status).toBe(302);
      });

      it('as JSON is refused as a whole if it cannot be read', async () => {
        const json = (body: string) =>
          org.api
            .post(`${URLS}/import`)
            .set('Content-Type', 'application/json')
            .serialize((text: unknown) => text as string)
            .send(body as never);
        expect((await json('{"a":').expect(400)).body).toMatchObject({ code: 'MALFORMED_JSON' });
        expect((await json('{"a":1}').expect(400)).body.message).toContain('without a list of objects');
        expect((await json('[{"target":1}]').expect(200)).body).toMatchObject({
          created: 0,
          errors: [{ line: 1 }],
        });
        const large = JSON.stringify([{ url: VALID_LINK.url, title: 'x'.repeat(6 * 1024 * 1024) }]);
        await json(large).expect(413);
        expect(await stored()).toBe(0);
      });
    });

    it('never generates a code when the file has an unavailable alias', async () => {
      const { created, errors } = await imported(
        `key,shortLink,url\n${tag()}/nested,https://dub.sh/${tag()}/nested,${VALID_LINK.url}\n` +
          `,https://dub.sh/,${VALID_LINK.url}\n` +
          `api,https://dub.sh/api,${VALID_LINK.url}\n`,
      );
      expect(created).toBe(0);
      expect(errors).toMatchObject([
        { line: 2, code: 'VALIDATION_FAILED', details: [{ field: 'customAlias' }] },
        { line: 3, code: 'VALIDATION_FAILED', details: [{ field: 'shortUrl' }] },
        { line: 4, code: 'RESERVED_ALIAS', details: [{ field: 'customAlias' }] },
      ]);
    });

    it('uses the domain of a short link if the organization has it', async () => {
      const host = `${tag()}.example`;
      const customDomainId = await createDomain(app, org, host, 'VERIFIED');
      const { created } = await imported(
        `short_link,long_url,domain\nhttps://${host}/a,${VALID_LINK.url},\nb,${VALID_LINK.url},${host.toUpperCase()}\n` +
          `bit.ly/${tag()}-c,${VALID_LINK.url},bit.ly\n`,
      );
      expect(created).toBe(3);
      const names = (await list()).map(({ shortUrl, customDomainName }) => [
        shortUrl.replace(/^.*\//, ''),
        customDomainName,
      ]);
      expect(names.sort()).toEqual([
        ['a', host],
        ['b', host],
        [`${tag()}-c`, null],
      ]);
      expect(customDomainId).toBeGreaterThan(0);
    });

    it('reports unused columns and the number of generated codes', async () => {
      const answer = await imported(
        `Clicks,url,target,utm_id,UTM-Source,keyword\n1,${VALID_LINK.url},https://no.example/,c,s,\n`,
      );
      expect(answer).toMatchObject({ created: 1, generated: 1 });
      expect(answer.ignoredColumns).toEqual(['target', 'utm_id']);
      expect(await list()).toMatchObject([{ originalUrl: VALID_LINK.url, utmSource: 's' }]);
    });

    it('reports unknown columns when none is the destination', async () => {
      const { body } = await send('ziel,keyword\nhttps://example.com/,x\n').expect(400);
      expect(body.details).toMatchObject([{ field: 'url', message: expect.stringContaining('ziel') }]);
    });
  });

  describe('dry run', () => {
    it('reports what would happen, and creates nothing', async () => {
      await createLink(await createOrganization(app), { customAlias: `${tag()}-foreign` });
      const gone = await createLink(org, { customAlias: `${tag()}-gone` });
      await org.api.delete(`${URLS}/${gone.id}`).expect(204);
      const file =
        'url,alias,notes\n' +
        [`${tag()}-1`, `${tag()}-foreign`, `${tag()}-1`, `${tag()}-gone`, '', 'api']
          .map((alias) => `${VALID_LINK.url},${alias},x\n`)
          .join('') +
        'ftp://x/,,\n';
      const dry = await imported(file, org, { dryRun: true });
      expect(dry).toMatchObject({ dryRun: true, total: 7, created: 3, failed: 4, generated: 1 });
      expect(dry.errors.map(({ line, code }) => [line, code])).toEqual([
        [3, 'ALIAS_TAKEN'],
        [4, 'ALIAS_TAKEN'],
        [7, 'RESERVED_ALIAS'],
        [8, 'VALIDATION_FAILED'],
      ]);
      expect(await list()).toEqual([]);
      expect(await imported(file)).toEqual({ ...dry, dryRun: false });
      expect(await list()).toHaveLength(3);
    });

    it('finds duplicate aliases across batches of a file', async () => {
      const rows = Array.from(
        { length: 1201 },
        (_, i) => `${VALID_LINK.url},${i % 600 ? '' : `${tag()}-x`}\n`,
      );
      const file = `url,slug\n${rows.join('')}`;
      const dry = await imported(file, org, { dryRun: true });
      expect(dry).toMatchObject({ created: 1199, failed: 2, generated: 1198 });
      expect(dry.errors.map(({ line }) => line)).toEqual([602, 1202]);
      expect(await stored()).toBe(0);
      expect(await imported(file)).toEqual({ ...dry, dryRun: false });
      expect(await stored()).toBe(1199);
    });

    it('refuses values other than true and false, and unknown parameters; and reports what it would create', async () => {
      const { body } = await send(`url\n${VALID_LINK.url}\n`, org, { dryRun: 'maybe' }).expect(400);
      expect(body.details).toMatchObject([{ field: 'dryRun' }]);
      const alias = 'dry-run-misspelt';
      for (const name of ['dryrun', 'dry_run', 'DryRun']) {
        const misspelt = await send(`url,alias\n${VALID_LINK.url},${alias}\n`, org, { [name]: true });
        expect([misspelt.status, misspelt.body.details?.[0]?.field]).toEqual([400, name]);
      }
      const broken = await send(`url\n${VALID_LINK.url}\n"x\n`, org, { dryRun: true }).expect(400);
      expect(broken.body.message).toContain('of the rows before it 1 can be created and 0 failed');
    });
  });

  describe('backup', () => {
    const full = (iosAppId?: number) => ({
      title: '=1+1 "한글"\r\nзвёзды, 🎉',
      expirationDate: '2030-01-01',
      tags: ['=a', 'b, "c"', '[x]'],
      maxClicks: 9,
      appendClickId: true,
      ogTitle: '-2+3',
      ogDescription: '@x\r\n"y", \'z',
      ogImageUrl: 'https://img.example.com/a.png',
      goalType: '+',
      mobileTargetUrl: 'https://m.example.com/',
      showAdPage: true,
      androidDeepLinkPath: '\t/x',
      utmSource: '한',
      utmMedium: "''",
      utmTerm: "'=x",
      utmContent: 'c',
      utmCampaign: '+spring',
      enabled: false,
      startsAt: '2026-11-20T08:00:00Z',
      notStartedUrl: 'https://soon.example.com/',
      expiredUrl: 'https://over.example.com/',
      forwardQuery: false,
      ...(iosAppId && { iosAppId, iosDeepLinkPath: '/a,b' }),
      targeting: [{ countries: ['KR'], devices: ['Mobile'], url: 'https://kr.example.com/?a=1&b=2' }],
      variants: [1, 2].map((weight) => ({ url: 'https://v.example.com/', weight })),
    });
    const comparable = ({ id: _, updatedAt: __, ...link }: ShortUrl) => link;
    const byCode = (a: ShortUrl, b: ShortUrl) => (a.shortUrl < b.shortUrl ? -1 : 1);

    it('restores every link after the rows were lost', async () => {
      const iosAppId = await createApp(app, org, 'iOS', `backup-${tag()}`);
      const customDomainId = await createDomain(app, org, `backup-${tag()}.example`, 'VERIFIED');
      const first = await createLink(org, full(iosAppId));
      await createLink(org, { ...full(), customDomainId, customAlias: 'x' });
      await createLink(org, { ...full(), customDomainId });
      await app.alter('UPDATE links SET deduplication_window_minutes = 30 WHERE id = $1', [first.id]);
      const before = (await list()).sort(byCode);
      const file = await exported();
      // Nothing that a spreadsheet would take for a formula.
      expect(file).toContain(`'=1+1`);
      expect(file).not.toMatch(/(^|[,"])[=+@-]/m);
      await deleteLinks(app, org.organizationId);
      app.clock.set('2026-12-20T08:32:00Z');
      expect(await imported(file)).toEqual({
        dryRun: false,
        total: 3,
        created: 3,
        failed: 0,
        generated: 0,
        legacyCodes: 0,
        ignoredColumns: ['id', 'usedClicks', 'formerAliases'],
        errors: [],
      });
      const after = (await list()).sort(byCode);
      expect(after.map(comparable)).toEqual(before.map(comparable));
      const [row] = await app.sql<{ alias: boolean; minutes: number }>(
        `SELECT is_alias AS alias, deduplication_window_minutes AS minutes FROM links
          WHERE organization_id = $1 AND deduplication_window_minutes IS NOT NULL`,
        [org.organizationId],
      );
      expect(row).toEqual({ alias: false, minutes: 30 });
      expect(await exported()).toContain(file.split('\r\n')[0]);
    });

    it('is accepted by another organization, with different ids', async () => {
      const other = await createOrganization(app);
      const host = `moved-${tag()}.example`;
      const domain = await createDomain(app, org, host, 'VERIFIED');
      await createLink(org, { customDomainId: domain });
      await createLink(org, { customAlias: `${tag()}-a` });
      const before = (await list()).map(({ shortUrl }) => shortUrl).sort();
      const file = await exported();
      await deleteLinks(app, org.organizationId);
      await app.sql('DELETE FROM custom_domains WHERE id = $1', [domain]);
      const missing = await imported(file, other, { dryRun: true });
      expect(missing).toMatchObject({
        created: 1,
        failed: 1,
        errors: [{ code: 'DOMAIN_NOT_USABLE', details: [{ field: 'customDomainName' }] }],
      });
      await createDomain(app, other, host, 'VERIFIED');
      expect(await imported(file, other)).toMatchObject({ created: 2, failed: 0 });
      expect((await list(other)).map(({ shortUrl }) => shortUrl).sort()).toEqual(before);
    });

    it('keeps a generated code only while it is free, and never reuses it', async () => {
      const link = await createLink(org);
      const file = await exported();
      expect(await imported(file)).toMatchObject({
        created: 0,
        errors: [
          { code: 'ALIAS_TAKEN', message: `The code "${codeOf(link)}" is already taken on this domain` },
        ],
      });
      await org.api.delete(`${URLS}/${link.id}`).expect(204);
      expect(await imported(file, org, { dryRun: true })).toMatchObject({ created: 0, failed: 1 });
      expect(await imported(file)).toMatchObject({ created: 0, errors: [{ code: 'ALIAS_TAKEN' }] });
      await deleteLinks(app, org.organizationId);
      expect(await imported(file)).toMatchObject({ created: 1, generated: 0 });
      const [back] = await list();
      await org.api.delete(`${URLS}/${back?.id}`).expect(204);
      const again = { url: VALID_LINK.url, customAlias: codeOf(link) };
      expect((await org.api.post(URLS, again).expect(409)).body.code).toBe('ALIAS_TAKEN');
    });

    it('makes a code work that was requested before it existed', async () => {
      const link = await createLink(org);
      const code = codeOf(link);
      const file = await exported();
      await deleteLinks(app, org.organizationId);
      const other = `Zz${code.slice(2)}`;
      expect((await visit(app, `/${other}`)).status).toBe(404);
      expect(await imported(file.replaceAll(code, other))).toMatchObject({ created: 1, generated: 0 });
      expect((await visit(app, `/${other}`)).status).toBe(302);
    });

    it('treats a foreign code as an alias', async () => {
      const { created } = await imported(`url,code\n${VALID_LINK.url},${tag()}-own\n`);
      expect(created).toBe(1);
      expect(codeOf((await list())[0] as ShortUrl)).toBe(`${tag()}-own`);
      const [row] = await app.sql<{ alias: boolean }>(
        'SELECT is_alias AS alias FROM links WHERE organization_id = $1',
        [org.organizationId],
      );
      expect(row?.alias).toBe(true);
    });

    it('does not import a link with a password as open', async () => {
      await createLink(org, { customAlias: `${tag()}-secret`, password: 'open sesame' });
      const file = await exported();
      await deleteLinks(app, org.organizationId);
      const { created, errors } = await imported(file);
      expect(created).toBe(0);
      expect(errors).toMatchObject([
        { line: 2, code: 'VALIDATION_FAILED', details: [{ field: 'password' }] },
      ]);
      const [header, row] = file.split('\r\n');
      expect(await imported(`${header},password\r\n${row},open sesame\r\n`)).toMatchObject({ created: 1 });
      expect(await list()).toMatchObject([{ hasPassword: true }]);
      const kutt = await imported(`target,address,password\n${VALID_LINK.url},${tag()}-k,true\n`);
      expect(kutt).toMatchObject({ created: 0, errors: [{ details: [{ field: 'password' }] }] });
    });

    it('includes expired links', async () => {
      await createLink(org, { customAlias: `${tag()}-old`, expirationDate: '2026-11-21' });
      const file = await exported();
      await deleteLinks(app, org.organizationId);
      app.clock.set('2027-01-01T00:00:00Z');
      expect(await imported(file)).toMatchObject({ created: 1 });
      expect(await list()).toMatchObject([{ expiresAt: '2026-11-21T23:59:59Z' }]);
      expect((await visit(app, `/${tag()}-old`)).status).toBe(410);
      const { errors } = await imported(
        `url,expiresAt,createdAt\n${VALID_LINK.url},2026-11-21,\n${VALID_LINK.url},2026-11-21,2026-12-01\n` +
          `${VALID_LINK.url},,2027-01-03\n${VALID_LINK.url},,yesterday\n`,
      );
      expect(errors.map(({ details }) => details[0]?.field)).toEqual([
        'expirationDate',
        'expirationDate',
        'createdAt',
        'createdAt',
      ]);
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reports on the rows before a body of %s breaks off', async (encoding, compress) => {
    const rows = Array.from({ length: 1_200 }, (_, i) => `${VALID_LINK.url}?n=${i * 7919},Title ${i ** 3}\n`);
    const whole = compress(Buffer.from(`url,title\n${rows.join('')}ftp://x/,\n`));
    const cut = whole.subarray(0, Math.floor(whole.length * 0.9));
    const { body } = await send(cut).set('Content-Encoding', encoding).expect(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      failed: 0,
      details: [{ message: expect.stringContaining('breaks off') }],
    });
    expect(body.created).toBeGreaterThan(0);
    expect(body.details[0].field).toBe(`line ${Number(body.created) + 2}`);
    expect(await stored()).toBe(body.created);
  });

  it('restores texts that programs may take for formulas or lists, and addresses byte for byte', async () => {
    const url = "https://maps.example.com/@37.5,-122.4;=1?x=!('-a',+b)";
    const title = 'a;=1+1\t＝2,@x';
    const tags = ['a|b', '[]', 'null', 'x;=1'];
    await createLink(org, { url, title, utmTerm: '＝1', tags });
    const file = await exported();
    expect(file).toContain(`"a;'=1+1\t'＝2,'@x"`);
    expect(file).toContain(`"${url}"`);
    await deleteLinks(app, org.organizationId);
    expect(await imported(file)).toMatchObject({ created: 1, failed: 0 });
    expect(await list()).toMatchObject([{ originalUrl: url, title, utmTerm: '＝1', tags }]);
  });

  describe('limits', () => {
    const fill = (links: number) =>
      app.sql(
        `INSERT INTO link_counts (organization_id, slot, links) VALUES ($1, 99999, $2)
         ON CONFLICT (organization_id, slot) DO UPDATE SET links = excluded.links`,
        [org.organizationId, links],
      );

    it('apply to the size of a file after decompression', async () => {
      const bomb = gzipSync(Buffer.from(`url,x\n${`,${'x'.repeat(200_000)}\n`.repeat(530)}`));
      expect(bomb.length).toBeLessThan(2 ** 20);
      const answer = await send(bomb).set('Content-Encoding', 'gzip').expect(413);
      expect(answer.body.code).toBe('PAYLOAD_TOO_LARGE');
    });

    it('ends when the client disconnects, even with the whole file received', async () => {
      const rows = 40_000;
      const file = gzipSync(`url\n${`${VALID_LINK.url}\n`.repeat(rows)}`);
      const headers = {
        Host: API_HOST,
        'X-API-KEY': org.apiKey,
        'Content-Type': 'text/csv',
        'Content-Encoding': 'gzip',
      };
      const sent = httpRequest(`${app.url}${URLS}/import`, { method: 'POST', headers });
      sent.on('error', () => undefined).end(file);
      await eventually(async () => expect(await stored()).toBeGreaterThan(0));
      sent.destroy();
      let before = -1;
      await eventually(async () => {
        const now = await stored();
        const isSame = now === before;
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect(isSame).toBe(true);
      });
      expect(before).toBeLessThan(rows);
      expect(before % 500).toBe(0);
    });

    it('of the plan are used up by imports and freed by deletions', async () => {
      await fill(999_997);
      const file = `url\n${`${VALID_LINK.url}\n`.repeat(5)}`;
      const dry = await imported(file, org, { dryRun: true });
      expect(dry).toMatchObject({ created: 3, failed: 2 });
      const real = await imported(file);
      expect(real).toMatchObject({ created: 3, failed: 2 });
      expect(real.errors.map(({ line, code }) => [line, code])).toEqual([
        [5, 'LIMIT_REACHED'],
        [6, 'LIMIT_REACHED'],
      ]);
      const [link] = await list();
      await org.api.delete(`${URLS}/${link?.id}`).expect(204);
      await createLink(org);
      await org.api.post(URLS, VALID_LINK).expect(403);
    });
  });
});
