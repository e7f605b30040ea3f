import { Agent, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { LinksService } from '../../src/modules/links/links.service';
import { createOrganization } from '../support/factories';
import { createLink, URLS, VALID_LINK } from '../support/links';
import { API_HOST, perTest, useTestApp } from '../support/test-app';

const HEADER =
  'id,shortUrl,url,customAlias,title,clickCount,createdAt,expirationDate,showAdPage,goalType,customDomainId,' +
  'customDomainName,iosAppId,androidAppId,iosDeepLinkPath,androidDeepLinkPath,mobileTargetUrl,ogTitle,ogDescription,' +
  'ogImageUrl,utmSource,utmMedium,utmTerm,utmContent,tags,hasPassword,maxClicks,usedClicks,targeting,variants,' +
  'appendClickId,code,deduplicationWindowMinutes,utmCampaign,' +
  'enabled,archived,startsAt,notStartedUrl,expiredUrl,forwardQuery,externalId,formerAliases,importedClicks\r\n';

type ShortUrl = Record<string, unknown> & { id: number; title: string | null };

describe('short links as CSV', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perTest(() => createOrganization(app));

  const exported = async (query: Record<string, unknown> = {}, of = org) =>
    of.api.get(`${URLS}/export`, query).buffer(true).expect(200);
  const send = (body: string | Buffer, of = org) =>
    of.api
      .post(`${URLS}/import`)
      .set('Content-Type', 'text/csv')
      .serialize((text: unknown) => text as string)
      .send(body as never);
  const imported = async (body: string | Buffer, of = org) => (await send(body, of).expect(200)).body;
  const list = async (of = org) =>
    (await of.api.get(URLS, { size: 100 }).expect(200)).body.content as ShortUrl[];

  describe('export', () => {
    it('is a header row at first, sent as a download', async () => {
      const answer = await exported();
      expect(answer.text).toBe(HEADER);
      expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
      expect(answer.headers['content-disposition']).toBe('attachment; filename="links-2026-11-20.csv"');
    });

    it('answers HEAD with the headers of GET, and reads no links', async () => {
      const read = jest.spyOn(app.get(LinksService), 'all');
      const { headers } = await org.api.head(`${URLS}/export`).expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
      expect(headers['content-disposition']).toBe('attachment; filename="links-2026-11-20.csv"');
      await org.api.head(`${URLS}/export`).query({ tga: 'x' }).expect(400);
      expect(read).not.toHaveBeenCalled();
      read.mockRestore();
    });

    it('contains every field, newest link first', async () => {
      await createLink(org, { title: 'old' });
      const link = await createLink(org, {
        customAlias: `csv-${org.organizationId}`,
        title: 'a "b", c',
        expirationDate: '2030-01-01',
        tags: ['one', 'two, three', 'fo"ur'],
        maxClicks: 5,
        password: 'open sesame',
        targeting: [{ os: ['iOS'], url: 'https://ios.example.com/' }],
      });
      await app.alter('UPDATE links SET former_codes = $2 WHERE id = $1', [
        link.id,
        ['csv-old', 'csv-older'],
      ]);
      const [header, first, second, end] = (await exported()).text.split('\r\n');
      expect(`${header}\r\n`).toBe(HEADER);
      expect(first).toBe(
        `${link.id},${link.shortUrl},${VALID_LINK.url},csv-${org.organizationId},"a ""b"", c",0,2026-11-20T08:32:00Z,` +
          '2030-01-01T23:59:59Z,false,,,,,,,,,,,,,,,,"one,""two, three"",""fo""""ur""",true,5,0,' +
          '"[{""countries"":[],""devices"":[],""os"":[""iOS""],""conditions"":[],""url"":""https://ios.example.com/""}]",,,' +
          `csv-${org.organizationId},,,true,false,,,,true,,"csv-old,csv-older",0`,
      );
      expect(second).toContain(',old,');
      expect(end).toBe('');
    });

    it('has each of many links once, even with equal times', async () => {
      await app.sql(
        `INSERT INTO links (organization_id, code, original_url, title, created_at, updated_at)
         SELECT $1::bigint, 'many-' || $1::text || '-' || n, 'https://example.com/', n,
                timestamptz '2026-01-01' + (n / 700) * interval '1 microsecond', now()
           FROM generate_series(1, 2100) AS n`,
        [org.organizationId],
      );
      const rows = (await exported()).text.split('\r\n').slice(1, -1);
      const titles = rows.map((row) => Number(row.split(',')[4]));
      expect(titles).toEqual(Array.from({ length: 2100 }, (_, i) => 2100 - i));
      expect((await exported({ keyword: `many-${org.organizationId}-21` })).text.split('\r\n')).toHaveLength(
        14,
      );
    });

    it('aborts instead of looking complete when a store fails midway', async () => {
      await app.sql(
        `INSERT INTO links (organization_id, code, original_url, title, created_at, updated_at)
         SELECT $1::bigint, 'broken-' || $1::text || '-' || n, 'https://example.com/', repeat('x', 200), now(), now()
           FROM generate_series(1, 20000) AS n`,
        [org.organizationId],
      );
      const ended = await new Promise<string>((resolve, reject) => {
        const headers = { Host: API_HOST, 'X-API-KEY': org.apiKey };
        const sent = httpRequest(`${app.url}${URLS}/export`, { headers }, (answer) => {
          answer.once('data', () => {
            answer.pause();
            app.sql('ALTER TABLE links RENAME TO links_away').then(() => answer.resume(), reject);
          });
          answer.on('end', () => resolve('whole'));
          answer.on('error', (error: Error & { code?: string }) => resolve(error.code ?? ''));
        });
        sent.on('error', reject).end();
      }).finally(() => app.sql('ALTER TABLE IF EXISTS links_away RENAME TO links'));
      expect(ended).toBe('ECONNRESET');
    });

    it('returns an ordinary error when it fails immediately', async () => {
      await app.sql('ALTER TABLE links RENAME TO links_away');
      const answer = await org.api.get(`${URLS}/export`);
      await app.sql('ALTER TABLE links_away RENAME TO links');
      expect(answer.status).toBe(500);
      expect(answer.body.code).toBe('INTERNAL_ERROR');
    });
  });

  describe('import', () => {
    it('reads files written by spreadsheets and by hand', async () => {
      const file =
        '\ufeff URL ,Title,Unknown,SHOWADPAGE,Tags,maxClicks,expiresAt\r\n' +
        'https://a.example.com/,"Größe ""L""",x,TRUE,"a, b",\' 7,2030-01-01\n' +
        ',,,,\r\n' +
        '\r' +
        'https://b.example.com/\r' +
        '"https://c.example.com/","two\r\nlines",,false,,,';
      const { errors, ...counts } = await imported(file);
      expect(counts).toMatchObject({ total: 3, created: 2, failed: 1, ignoredColumns: ['Unknown'] });
      expect(errors).toMatchObject([
        { line: 2, code: 'VALIDATION_FAILED', details: [{ field: 'maxClicks' }] },
      ]);
      expect(await list()).toMatchObject([
        { originalUrl: 'https://c.example.com/', title: 'two\r\nlines', showAdPage: false },
        { originalUrl: 'https://b.example.com/', title: null, tags: [] },
      ]);
      expect(await imported(file.replace("' 7", ' 7 '))).toMatchObject({ created: 3, failed: 0 });
      expect((await list()).find(({ title }) => title === 'Größe "L"')).toMatchObject({
        tags: ['a', 'b'],
        showAdPage: true,
        maxClicks: 7,
        expiresAt: '2030-01-01T23:59:59Z',
      });
    });

    it('reports line and reason of the first 100 failed rows', async () => {
      const rows = Array.from({ length: 150 }, (_, i) => `ftp://example.com/,"${i}\nx"`);
      const file = `url,title,customAlias,targeting\n${rows.join('\n')}\nhttps://ok.example.com/,ok,api\n${VALID_LINK.url},,,{`;
      const { errors, ...counts } = await imported(file);
      expect(counts).toMatchObject({ total: 152, created: 0, failed: 152 });
      expect(errors).toHaveLength(100);
      expect(errors[0]).toEqual({
        line: 2,
        code: 'VALIDATION_FAILED',
        message: 'url: must be a valid URL that starts with https://',
        details: [{ field: 'url', message: 'must be a valid URL that starts with https://' }],
        values: { url: 'ftp://example.com/', title: '0\nx', customAlias: '', targeting: '' },
      });
      const more = await send(file).query({ maxErrors: 1_000 }).expect(200);
      expect(more.body.errors).toHaveLength(152);
      expect(errors[99].line).toBe(200);
      const rest = await imported(
        file
          .split('\n')
          .filter((_, i) => i === 0 || i > 300)
          .join('\n'),
      );
      expect(rest.errors).toMatchObject([
        { line: 2, code: 'RESERVED_ALIAS', details: [{ field: 'customAlias' }] },
        { line: 3, code: 'VALIDATION_FAILED', details: [{ field: 'targeting' }] },
      ]);
    });

    it.each([
      ['no body', ''],
      ['only line breaks', '\n\n'],
      ['no column url', 'title,customAlias\nx,y\n'],
      ['another delimiter', 'url|title\nhttps://example.com/|x\n'],
      ['two columns for url', 'url,originalUrl\nhttps://a.example.com/,https://b.example.com/\n'],
    ])('refuses %s by name', async (_, file) => {
      const { body } = await send(file).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'url' }] });
      expect(await list()).toEqual([]);
    });

    it('reports the line at which a file breaks, and the rows imported', async () => {
      const good = Array.from({ length: 700 }, (_, i) => `https://example.com/${i}`).join('\n');
      const { body } = await send(
        `url\n${good}\nhttp://bad.example.com/\n"https://example.com/\nmore\n`,
      ).expect(400);
      expect(body).toMatchObject({
        code: 'VALIDATION_FAILED',
        created: 700,
        failed: 1,
        message:
          'line 703: has a quote that is never closed; of the rows before it 700 were created and 1 failed',
        details: [{ field: 'line 703' }],
      });
      expect((await org.api.get(URLS)).body.totalElements).toBe(700);
      const latin = await send(Buffer.from('url,title\nhttps://example.com/,\xfc\n', 'latin1')).expect(400);
      expect(latin.body.details[0]).toMatchObject({ field: 'line 2' });
    });

    it('runs once per Idempotency-Key, and completely or not at all', async () => {
      const keyed = (key: string, file: string) => send(file).set('Idempotency-Key', key);
      const file = `url\n${VALID_LINK.url}\nhttp://bad.example.com/\n`;
      const first = await keyed('k1', file).expect(200);
      expect(first.body).toMatchObject({ created: 1, failed: 1 });
      const second = await keyed('k1', file).expect(200);
      expect(second.body).toEqual(first.body);
      expect(second.headers['idempotency-replayed']).toBe('true');
      await keyed('k1', `${file}x`).expect(422);
      expect(await list()).toHaveLength(1);
      const broken = await keyed('k2', `${file}"x`).expect(400);
      expect(broken.body).toMatchObject({ created: 0, failed: 0 });
      expect(broken.body.message).toContain('nothing was imported');
      expect(await list()).toHaveLength(1);
      const large = await keyed('k3', `url\n${'#'.repeat(5 * 1024 * 1024)}`).expect(413);
      expect(large.body.code).toBe('PAYLOAD_TOO_LARGE');
    });

    it('accepts files larger than other bodies, compressed ones, and no other types', async () => {
      const row = `${VALID_LINK.url},${'t'.repeat(190)},${'x'.repeat(20_000)}\n`;
      const { created } = await imported(`url,title,ignored\n${row.repeat(100)}`);
      expect(created).toBe(100);
      const file = gzipSync(`url\n${VALID_LINK.url}\n`);
      const zipped = await send(file).set('Content-Encoding', 'gzip').expect(200);
      expect(zipped.body.created).toBe(1);
      await send('nothing').set('Content-Encoding', 'gzip').expect(400);
      await send(file.subarray(0, 20)).set('Content-Encoding', 'gzip').expect(400);
      await send(file).set('Content-Encoding', 'zstd').expect(415);
      await org.api.post(`${URLS}/import`, { url: VALID_LINK.url }).expect(400);
      await send(file).set('Content-Type', 'application/xml').expect(415);
      await send('url\n').set('Content-Type', 'text/csv; charset=euc-kr').expect(415);
      const declared = await org.api
        .post(`${URLS}/import`)
        .set({ 'Content-Type': 'text/csv', 'Content-Length': String(101 * 1024 * 1024) })
        .ok(() => true)
        .send('url\n');
      expect(declared.body.code).toBe('PAYLOAD_TOO_LARGE');
    });

    it('answers immediately when a file cannot succeed, and keeps the connection', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ports = new Set<number | undefined>();
      const post = (type: string, body: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { Host: API_HOST, 'X-API-KEY': org.apiKey, 'Content-Type': type };
          const sent = httpRequest(
            `${app.url}${URLS}/import`,
            { method: 'POST', headers, agent },
            (answer) => {
              ports.add(answer.socket.localPort);
              answer.on('end', () => resolve(answer.statusCode)).resume();
            },
          );
          sent.on('error', reject).end(body);
        });
      const large = `title\n${'x\n'.repeat(1_500_000)}`;
      expect(await post('text/csv', large)).toBe(400);
      expect(await post('text/csv', `url\n"x"x\n${large}`)).toBe(400);
      expect(await post('application/xml', large)).toBe(415);
      expect(await post('text/csv', `url\n${VALID_LINK.url}\n`)).toBe(200);
      expect(ports.size).toBe(1);
      agent.destroy();
    });

    it('survives a client that disconnects midway: complete batches of rows stay', async () => {
      const rows = Array.from({ length: 600 }, (_, i) => `https://example.com/${i}`).join('\n');
      await new Promise<void>((resolve) => {
        const headers = { Host: API_HOST, 'X-API-KEY': org.apiKey, 'Content-Type': 'text/csv' };
        const sent = httpRequest(`${app.url}${URLS}/import`, { method: 'POST', headers });
        sent.on('error', () => resolve());
        sent.write(`url\n${rows}\nhttps://exam`);
        const timer = setInterval(() => {
          void app
            .sql<{ count: number }>('SELECT count(*)::int FROM links WHERE organization_id = $1', [
              org.organizationId,
            ])
            .then(([row]) => {
              if (row?.count === 0) return;
              clearInterval(timer);
              sent.destroy();
            });
        }, 25);
      });
      expect((await org.api.get(URLS)).body.totalElements).toBe(500);
      expect(await imported(`url\n${VALID_LINK.url}\n`)).toMatchObject({ created: 1 });
    });
  });
});
