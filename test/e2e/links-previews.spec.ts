import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { RateLimitStorage } from '../../src/access/rate-limits/rate-limit-storage';
import { consoleApi, createOrganization } from '../support/factories';
import { PagesServer } from '../support/pages-server';
import { perTest, useTestApp } from '../support/test-app';

const NOTHING = { title: null, description: null, image: null, siteName: null, icon: null };
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 1)]);
const bytes = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(64, 1)]);
const MAX = 2 * 1024 * 1024;

describe('previews of destinations', () => {
  const app = useTestApp({ env: { OG_FETCH: 'true' } });
  let pages: PagesServer;
  let silent: Server;

  const api = consoleApi(app);
  beforeAll(async () => {
    pages = await PagesServer.start();
    silent = createServer((socket) => socket.resume());
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  });
  const org = perTest(() => createOrganization(app));

  afterAll(async () => {
    await pages.close();
    silent.close();
  });

  const preview = (url: string) => api.get(`${org.consolePath}/link-preview`, { url });
  const image = (url: string) => api.get(`${org.consolePath}/images`, { url }).responseType('blob');

  const errorIn = (body: unknown) => JSON.parse(String(body)) as { code: string; message: string };

  it('have what the page declares', async () => {
    pages.html(
      '/page',
      `<title>Plain</title><meta property="og:title" content="Spring ${'x'.repeat(300)}">
       <meta name="description" content="Everything &amp; more"><meta property="og:image" content="/i.png">
       <meta property="og:site_name" content="Shop"><link rel="icon" href="icon.ico">`,
    );
    pages.on('/moved', (_, response) => response.writeHead(302, { Location: '/page' }).end());
    for (const path of ['/page', '/moved']) {
      const { body } = await preview(pages.origin + path).expect(200);
      expect(body).toEqual({
        title: expect.stringMatching(/^Spring x+…$/),
        description: 'Everything & more',
        image: `${pages.origin}/i.png`,
        siteName: 'Shop',
        icon: `${pages.origin}/icon.ico`,
      });
      expect((body as { title: string }).title).toHaveLength(200);
    }
  });

  it('are empty for what is no page, and leave out images of other schemes', async () => {
    pages.on('/png', (_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG));
    pages.html('/empty', '');
    pages.html(
      '/data',
      '<meta property="og:image" content="data:image/png;base64,AA"><link rel=icon href="javascript:1">',
    );
    for (const path of ['/png', '/empty', '/data', '/missing'])
      expect((await preview(pages.origin + path).expect(200)).body).toEqual(NOTHING);
  });

  it('fail clearly, without addresses', async () => {
    pages.on('/loop', (_, response) => response.writeHead(302, { Location: '/loop' }).end());
    pages.on('/reset', (request) => request.socket.destroy());
    for (const [url, message] of [
      ['http://127.0.0.1:9/', 'url: leads to a server that cannot be reached'],
      ['https://nowhere.example/', 'url: has a host name that no name server could resolve'],
      [`${pages.origin}/reset`, 'url: leads to a server that cannot be reached'],
      [`${pages.origin}/loop`, 'url: redirects too often'],
    ] as const) {
      const { body } = await preview(url).expect(400);
      expect([url, body]).toMatchObject([url, { code: 'DESTINATION_UNREACHABLE', message }]);
      expect(errorIn((await image(url).expect(400)).body)).toMatchObject({ message });
    }
    const address = silent.address() as { port: number };
    const late = await preview(`http://127.0.0.1:${address.port}/`).expect(400);
    expect(late.body).toMatchObject({ message: 'url: leads to a server that did not answer in time' });
    const secret = await preview('https://user:secret@shop.example.com/').expect(400);
    expect(secret.body).toMatchObject({ code: 'DESTINATION_NOT_ALLOWED' });
    expect(secret.text).not.toContain('secret');
  });

  it.each([
    ['image/png', PNG],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0')],
    ['image/gif', bytes('GIF89a')],
    ['image/webp', bytes('RIFF\x10\x00\x00\x00WEBPVP8 ')],
    ['image/x-icon', bytes('\0\0\x01\0\x01\0')],
  ])('show %s images whatever their server calls them', async (type, content) => {
    pages.on(`/${type}`, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(content),
    );
    const { body, headers } = await image(`${pages.origin}/${type}`).expect(200);
    expect(content.equals(body as Buffer)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'private, max-age=3600',
      'content-security-policy': `default-src 'none'; sandbox`,
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['html', '<!DOCTYPE html><script>alert(1)</script>'],
    ['nothing', ''],
    ['a cut signature', '\x89PNG'],
    ['a sound', 'RIFF\x10\x00\x00\x00WAVEfmt '],
  ])('refuse %s, even if it is called an image', async (name, content) => {
    const path = `/not/${name.replaceAll(' ', '-')}`;
    pages.on(path, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.from(content, 'latin1')),
    );
    expect(errorIn((await image(pages.origin + path).expect(400)).body).code).toBe('IMAGE_NOT_USABLE');
  });

  it('refuse images of errors and those beyond 2 MiB', async () => {
    pages.on('/gone', (_, response) => response.writeHead(404, { 'Content-Type': 'image/png' }).end(PNG));
    expect(errorIn((await image(`${pages.origin}/gone`).expect(400)).body).code).toBe('IMAGE_NOT_USABLE');
    for (const [size, status] of [
      [MAX, 200],
      [MAX + 1, 400],
    ] as const) {
      const large = Buffer.concat([PNG, Buffer.alloc(size - PNG.length)]);
      pages.on(`/${size}`, (_, response) => response.writeHead(200).end(large));
      await image(`${pages.origin}/${size}`).expect(status);
    }
  });

  it('are 300 a minute for an organization', async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    pages.html('/limited', '<title>Limited</title>');
    const url = `${pages.origin}/limited`;
    await preview(url).expect(200);
    await image(url).expect(400);
    const limits = app.get(RateLimitStorage);
    for (let i = 2; i < 299; i++)
      await limits.increment(String(org.organizationId), 60_000, 300, 0, 'previews');
    await preview(url).expect(200);
    expect((await preview(url).expect(429)).headers['retry-after']).toBe('60');
    await image(url).expect(429);
    app.clock.set('2026-11-20T08:33:00Z');
    await preview(url).expect(200);
  });
});

describe('previews of destinations at private addresses', () => {
  const app = useTestApp({ env: { OG_FETCH: 'true', OUTBOUND_ALLOW_PRIVATE: 'false' } });

  it.each(['http://127.0.0.1/', 'http://169.254.169.254/latest', 'https://shop.example.com:8443/'])(
    'are refused: %s',
    async (url) => {
      const { organizationId } = await createOrganization(app);
      for (const path of ['link-preview', 'images']) {
        const { body } = await consoleApi(app)
          .get(`/api/v1/console/organizations/${organizationId}/${path}`, { url })
          .expect(400);
        expect(body).toMatchObject({ code: 'DESTINATION_NOT_ALLOWED', details: [{ field: 'url' }] });
      }
    },
  );
});

describe('previews of destinations while OG_FETCH is false', () => {
  const app = useTestApp();

  it('are empty, and images are refused', async () => {
    const { organizationId } = await createOrganization(app);
    const base = `/api/v1/console/organizations/${organizationId}`;
    const query = { url: 'https://shop.example.com/' };
    const api = consoleApi(app);
    expect((await api.get(`${base}/link-preview`, query).expect(200)).body).toEqual(NOTHING);
    expect((await api.get(`${base}/images`, query).expect(400)).body.code).toBe('DESTINATION_UNREACHABLE');
  });
});
