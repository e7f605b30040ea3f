import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const PACKAGE = resolve(__dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const PAGE = `
  import { getInstance, init, type ReadySignal, type Session, type Tracker } from '@waypost/web';
  const waypost: Tracker = init({ appId: 42, publishableKey: 'wp_pub_1', apiUrl: 'https://api.example.com' });
  waypost.trackPurchase(12900, 'KRW', { transactionId: 4711 });
  waypost.trackGoal(null, 1);
  waypost.trackEvent('look', { color: 'red' });
  void waypost.identify({ externalUserId: 'm1', identitySignature: 'ab', name: 'Kim' });
  export const session: Promise<Session> = waypost.refreshSession();
  export const reason: ReadySignal['reason'] = 'resume';
  getInstance()?.notifyReady();
`;
const WRONG = `
  import { init } from '@waypost/web';
  init({ appId: 42, proxyUrl: '/waypost' }).trackPurchase('12900', 'KRW');
  void init({ appId: 42 }).identify({ name: 'Kim' });
`;

/** Calls of a page, run on a server, where unhandled rejections would end the process. */
const ON_A_SERVER = `
  const { getInstance, init, version } = waypostWeb;
  const before = getInstance();
  const waypost = init({ appId: undefined, publishableKey: undefined });
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
  const waiting = () => [
    waypost.identify({ externalUserId: 'm' }),
    waypost.optIn({ externalUserId: 'm' }),
    waypost.withdraw('m'),
    waypost.refreshSession(),
  ];
  waiting();
  void (async () => {
    await waypost.flush();
    await waypost.updateFingerprint('token');
    waypost.trackStoreVisit('token');
    waypost.debugScheme({});
    const refused = (await Promise.allSettled(waiting())).map(({ reason }) => reason?.message);
    await new Promise((done) => setTimeout(done, 50));
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !known.has(name));
    const isSame = getInstance() === waypost;
    console.log(JSON.stringify({ version, before, isSame, session: waypost.getSession(), refused, globals }));
  })();
`;
const KNOWN = 'const known = new Set(Object.getOwnPropertyNames(globalThis));';

describe('the package @waypost/web', () => {
  const { version, dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
    dependencies?: object;
  };
  let folder: string;
  let tarball: string;

  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-web-'));
    execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
      cwd: PACKAGE,
    });
    tarball = join(folder, readdirSync(folder)[0] ?? '');
    write('package.json', JSON.stringify({ name: 'shop', private: true }));
    npm('install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has its files, and no dependencies', () => {
    expect(dependencies).toBeUndefined();
    const installed = readdirSync(join(folder, 'node_modules/@waypost/web'), { recursive: true });
    expect(installed.map(String).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'dist/CHANGELOG.md',
      'dist/waypost.cjs',
      'dist/waypost.d.cts',
      'dist/waypost.d.ts',
      'dist/waypost.js',
      'dist/waypost.mjs',
      'package.json',
    ]);
  });

  it.each([
    ['server.mjs', `${KNOWN} const waypostWeb = await import('@waypost/web');`],
    ['server.cjs', `${KNOWN} const waypostWeb = require('@waypost/web');`],
  ])('is idle on a server: %s', (name, load) => {
    write(name, load + ON_A_SERVER);
    const { status, stdout, stderr } = run(name);
    expect([stderr, status]).toEqual(['', 0]);
    expect(JSON.parse(stdout)).toEqual({
      version,
      before: null,
      isSame: true,
      session: null,
      refused: Array(4).fill('Waypost: not running in a browser'),
      globals: [],
    });
  });

  it.each([
    ['nodenext', ['page.cts', 'page.mts']],
    ['esnext', ['page.ts']],
  ])('has types that compile in strict mode, and find errors: %s', (module, names) => {
    for (const name of names) {
      write(name, PAGE);
      write(`wrong-${name}`, WRONG);
    }
    const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const resolution = module === 'esnext' ? 'bundler' : module;
    const kind = ['--module', module, '--moduleResolution', resolution];
    const files = names.flatMap((name) => [name, `wrong-${name}`]);
    const { stdout } = run(TSC, ...options, ...kind, ...files);
    expect(stdout.match(/^\S.*$/gm)?.map((line) => line.replace(/\(.*?: /, ': '))).toEqual(
      names.flatMap((name) => [
        expect.stringMatching(`^wrong-${name}: .*'string' is not assignable to parameter of type 'number'`),
        expect.stringMatching(
          `^wrong-${name}: .*'{ name: string; }' is not assignable to parameter of type 'Profile'`,
        ),
      ]),
    );
  });

  it('satisfies publint and attw', () => {
    const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
    expect(run(bin('publint'), 'run', '--strict', tarball)).toMatchObject({ status: 0, stderr: '' });
    expect(run(bin('attw'), tarball)).toMatchObject({ status: 0, stderr: '' });
  });
});
