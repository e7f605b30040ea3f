import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import request, { type Test } from 'supertest';
import { API_HOST, SHORT_HOST, useTestApp } from '../support/test-app';

const PACKAGE = resolve(__dirname, '../../clients/web');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
const MOST_BYTES = 12 * 1024;
describe('the Web SDK', () => {
  const app = useTestApp();

  const get = (path: string, headers: Record<string, string> = {}): Test =>
    request(app.url)
      .get(path)
      .set({ Host: API_HOST, 'Accept-Encoding': 'identity', ...headers });

  describe('its files', () => {
    it('are cached forever under their version, and briefly as the latest', async () => {
      for (const host of [API_HOST, SHORT_HOST]) {
        for (const [name, lifetime] of [
          [version, 'public, max-age=31536000, immutable'],
          ['latest', 'public, max-age=300'],
        ]) {
          const { status, headers, text } = await get(`/sdk/web/${name}/waypost.js`, { Host: host });
          expect(status).toBe(200);
          expect(headers).toMatchObject({
            'content-type': 'text/javascript; charset=utf-8',
            'cache-control': lifetime,
            'access-control-allow-origin': '*',
            'cross-origin-resource-policy': 'cross-origin',
            'x-content-type-options': 'nosniff',
            vary: 'Accept-Encoding',
          });
          expect(text).toBe(readFileSync(join(PACKAGE, 'dist/waypost.js'), 'utf8'));
          expect(text).toContain(version);
        }
      }
      const module = await get(`/sdk/web/${version}/waypost.mjs`).expect(200);
      expect(module.text).toMatch(/export\{/);
      expect(module.headers['content-type']).toBe('text/javascript; charset=utf-8');
    });

    it('are compressed for clients that accept it, with an ETag for each encoding', async () => {
      const path = `/sdk/web/${version}/waypost.js`;
      const plain = (await get(path).expect(200)).text;
      const tags = new Set<string>();
      for (const [accepted, coding] of [
        ['identity', undefined],
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'br'],
      ] as const) {
        const { headers, text } = await get(path, { 'Accept-Encoding': accepted }).expect(200);
        expect(headers['content-encoding']).toBe(coding);
        expect(hash('sha384', text)).toBe(hash('sha384', plain));
        const tag = headers.etag ?? '';
        tags.add(tag);
        const again = await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': tag }).expect(304);
        expect(again.headers).toMatchObject({ etag: tag, 'access-control-allow-origin': '*' });
        await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': '"other"' }).expect(200);
      }
      expect(tags.size).toBe(3);
      const head = await request(app.url).head(path).set('Host', API_HOST).expect(200);
      expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
    });

    it.each([
      '/sdk/web/1.12.9/waypost.js',
      `/sdk/web/${version}/package.json`,
      `/sdk/web/${version}/constructor`,
      '/sdk/web/__proto__/waypost.js',
      '/sdk/web/..%2F..%2Fweb/package.json',
      '/sdk/web/%00/waypost.js',
    ])('do not include %s', async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    });

    it('are small', () => {
      const size = gzipSync(readFileSync(join(PACKAGE, 'dist/waypost.js')), { level: 9 }).length;
      process.stdout.write(`browser SDK: ${size} bytes gzipped, of ${MOST_BYTES}\n`);
      expect(size).toBeLessThanOrEqual(MOST_BYTES);
    });

    it('include the example proxy, which the tests run', () => {
      const proxy = readFileSync(join(PACKAGE, 'example-proxy.mjs'), 'utf8');
      expect(readFileSync(join(PACKAGE, 'README.md'), 'utf8')).toContain(`\`\`\`js\n${proxy}\`\`\``);
    });
  });

  it('reports its version, and the URLs of script and changelog', async () => {
    const { body, headers } = await get('/api/v1/sdk/web/version').expect(200);
    expect(Object.keys(body).sort()).toEqual(['changelogUrl', 'name', 'sdkUrl', 'version']);
    expect(body).toMatchObject({ version, name: 'Waypost Web SDK' });
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'ratelimit-limit': '100' });
    const [major = 0, minor = 0] = version.split('.').map(Number);
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(1013);
    for (const [address, content] of [
      [body.sdkUrl, 'Waypost'],
      [body.changelogUrl, `## ${version}`],
    ] as const) {
      const { origin, pathname } = new URL(address);
      expect(origin).toBe(`http://${API_HOST}`);
      expect((await get(pathname).buffer(true).expect(200)).text).toContain(content);
    }
  });
});
