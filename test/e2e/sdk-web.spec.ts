import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import request, { type Test } from 'supertest';
import ts from 'typescript';
import { API_HOST, SHORT_HOST, useTestApp } from '../support/test-app';

const PACKAGE = resolve(__dirname, '../../clients/web');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
const MOST_BYTES = 12 * 1024;
const PAGE = `
  import { getInstance, init, type ReadySignal, type Session } from './waypost';
  const waypost = init({ appId: 42, proxyUrl: '/waypost', link: { urlId: 7 } });
  waypost.trackPurchase(12900, 'KRW', { transactionId: 4711 });
  waypost.trackGoal(null, 1);
  waypost.trackEvent('look', { color: 'red' });
  export const session: Promise<Session> = waypost.refreshSession();
  export const reason: ReadySignal['reason'] = 'resume';
  getInstance()?.notifyReady();
  waypost.trackPurchase('12900', 'KRW');
  void waypost.identify({ name: 'Kim' });
`;

/** Calls of a page, run on a server, where unhandled rejections would end the process. */
const ON_A_SERVER = `
  const { pathToFileURL } = await import('node:url');
  const known = new Set(Object.getOwnPropertyNames(globalThis));
  const { init, getInstance, version } = await import(pathToFileURL(process.env.MODULE));
  const before = getInstance();
  const waypost = init({ appId: undefined, proxyUrl: '/waypost' });
  waypost.trackPurchase(1, 'KRW');
  waypost.trackGoal(null, 1);
  waypost.trackConversion('x', 1);
  waypost.trackSignup();
  waypost.trackEvent('look');
  waypost.trackStage('CONTENT_VIEWED');
  waypost.registerLink({ urlId: 7 });
  waypost.syncPushConsent({ identify: 'm', pushOptIn: true, pushAdOptIn: null });
  waypost.reset();
  waypost.notifyReady();
  await waypost.flush();
  await waypost.updateFingerprint('token');
  waypost.trackStoreVisit('token');
  waypost.debugScheme({});
  const waiting = () => [
    waypost.identify({ externalUserId: 'm' }),
    waypost.optIn({ externalUserId: 'm' }),
    waypost.withdraw('m'),
    waypost.refreshSession(),
  ];
  waiting();
  const refused = (await Promise.allSettled(waiting())).map(({ reason }) => reason?.message);
  await new Promise((done) => setTimeout(done, 50));
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !known.has(name));
  const isSame = getInstance() === waypost;
  console.log(JSON.stringify({ before, isSame, session: waypost.getSession(), refused, globals }));
`;

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

    it('can be imported on a server', () => {
      const { status, stdout, stderr } = spawnSync('node', ['--input-type=module', '--eval', ON_A_SERVER], {
        env: { PATH: process.env.PATH, MODULE: join(PACKAGE, 'dist/waypost.mjs') },
        encoding: 'utf8',
      });
      expect([stderr, status]).toEqual(['', 0]);
      expect(JSON.parse(stdout)).toEqual({
        before: null,
        isSame: true,
        session: null,
        refused: Array(4).fill('Waypost: not running in a browser'),
        globals: [],
      });
    });

    it.each([
      '/sdk/web/1.12.9/waypost.js',
      `/sdk/web/${version}/package.json`,
      `/sdk/web/${version}/constructor`,
      '/sdk/web/__proto__/waypost.js',
      '/sdk/web/..%2F..%2Fbrowser/package.json',
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

    it('have types that compile in strict mode and reject errors', () => {
      const folder = mkdtempSync(resolve(__dirname, '../.tmp/sdk-types-'));
      cpSync(join(PACKAGE, 'dist/waypost.d.ts'), join(folder, 'waypost.d.ts'));
      writeFileSync(join(folder, 'page.ts'), PAGE);
      const program = ts.createProgram([join(folder, 'page.ts')], {
        strict: true,
        noEmit: true,
        target: ts.ScriptTarget.ES2020,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2020.d.ts', 'lib.dom.d.ts'],
        types: [],
        skipDefaultLibCheck: true,
      });
      const problems = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
      expect(problems).toEqual([
        "Argument of type 'string' is not assignable to parameter of type 'number'.",
        expect.stringContaining("Property 'externalUserId' is missing"),
      ]);
    });

    it('are a complete package without dependencies', () => {
      const { files, exports, types, dependencies } = JSON.parse(
        readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
      );
      expect([files, dependencies]).toEqual([['dist'], undefined]);
      const named = [types, ...Object.values(exports).flatMap(filesOf)];
      expect(named.length).toBeGreaterThan(2);
      expect(named.filter((file) => !existsSync(join(PACKAGE, file)))).toEqual([]);
      expect(readdirSync(join(PACKAGE, 'dist')).sort()).toEqual([
        'CHANGELOG.md',
        'waypost.d.ts',
        'waypost.js',
        'waypost.mjs',
      ]);
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

/** Files that an entry of `exports` names. */
function filesOf(entry: unknown): string[] {
  return typeof entry === 'string' ? [entry] : Object.values(entry as Record<string, string>);
}
