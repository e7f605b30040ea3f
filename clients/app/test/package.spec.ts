import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { blocks, section } from '../../../test/docs/blocks';
import { registerApp } from '../../../test/support/apps';
import { createOrganization } from '../../../test/support/factories';
import { temporaryFolder } from '../../../test/support/servers';
import { useTestApp } from '../../../test/support/test-app';
import { Gateway } from './support/gateway';

const ROOT = resolve(__dirname, '../../..');
const PACKAGE = resolve(__dirname, '..');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const MAX_BYTES = 10 * 1024;

const WRONG = `
  import { createWaypost } from '@waypost/app/expo';
  createWaypost({ appId: 42, url: 'https://api.example.com' });
  void createWaypost({ appId: 42, publishableKey: 'wp_pub_1', url: '' }).trackPurchase('1', 'KRW');
`;

describe('the package @waypost/app', () => {
  const app = useTestApp();
  let folder: string;
  let tarball: string;
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await Gateway.start(app);
    folder = temporaryFolder('app-package');
    await run('npm', ['pack', '--pack-destination', folder], PACKAGE);
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
  }, 300_000);
  afterAll(() => gateway.close());

  /** @returns standard output @throws with both outputs */
  async function run(command: string, parameters: readonly string[], cwd = folder): Promise<string> {
    try {
      return (await promisify(execFile)(command, parameters, { cwd })).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${command} ${parameters.join(' ')}\n${stdout}${stderr}`, { cause: error });
    }
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const tool = (name: string, ...parameters: string[]) =>
    run(join(ROOT, 'node_modules/.bin', name), parameters);
  const compile = (...files: string[]) => {
    const options = { module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: [] };
    const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, ...options };
    write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    return tool('tsc', '--project', folder);
  };
  const minified = (entry: string) => {
    const { outputFiles } = buildSync({
      entryPoints: [join(folder, 'node_modules/@waypost/app/dist', entry)],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      packages: 'external',
    });
    return gzipSync(outputFiles[0]?.contents ?? '').length;
  };

  it('holds code, types, README and licence, installs nothing else, and is small', () => {
    const installed = join(folder, 'node_modules/@waypost/app');
    expect(readdirSync(installed).sort()).toEqual([
      'LICENSE',
      'README.md',
      'capacitor',
      'dist',
      'expo',
      'package.json',
      'react-native',
    ]);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@waypost',
    ]);
    for (const entry of ['index.js', 'react-native.js', 'expo.js', 'capacitor.js'])
      expect([entry, minified(entry) <= MAX_BYTES]).toEqual([entry, true]);
  });

  it('has nothing for publint and attw to find', async () => {
    expect(await tool('publint', 'run', tarball, '--strict')).toContain('All good!');
    expect(await tool('attw', tarball, '--format', 'ascii', '--no-emoji')).toContain('No problems found');
  });

  it('has types that compile in strict mode without any platform, and find errors', async () => {
    const code = blocks(README)
      .filter(({ language }) => language === 'ts')
      .map(({ text }) => `{\n${text.replace(/^import .*$/gm, '').replaceAll('export const', 'const')}\n}`);
    const [core, ...adapters] = ['', '/react-native', '/expo', '/capacitor'];
    const program = [
      `import { createWaypost, type Waypost } from '@waypost/app${core}';`,
      ...adapters.map((name) => `export type * as A${name.length} from '@waypost/app${name}';`),
      'declare function openScreen(url: string): void;',
      'declare function askForPassword(reason: "REQUIRED" | "WRONG" | "LOCKED"): Promise<string | null>;',
      'declare function signIn(): Promise<{ id: string; name: string; identitySignature: string }>;',
      'declare const waypost: Waypost;',
      'export async function readme(platform: Parameters<typeof createWaypost>[0]["platform"]) {',
      ...code.map((text) =>
        text.replace(
          "url: 'https://api.example.com',\n});",
          "url: 'https://api.example.com', platform,\n});",
        ),
      ),
      '}',
    ].join('\n');
    const names = ['types.mts', 'types.cts'];
    for (const name of names) write(name, program);
    write('wrong.mts', WRONG);
    const errors = await compile(...names, 'wrong.mts').catch(String);
    expect(errors.match(/^\S+(?=\(.*error)/gm)).toEqual(['wrong.mts', 'wrong.mts']);
    expect(errors).toMatch(/publishableKey[^]*'string' is not assignable/);
  }, 300_000);

  it.each([
    ['readme.mjs', (code: string) => code],
    ['readme.cjs', (code: string) => code.replace(/import (.*) from (.*);/, 'const $1 = require($2);')],
  ])('does what its README says, as %s', async (name, kindOf) => {
    const own = await createOrganization(app);
    const { id, publishableKey } = await registerApp(own, { platform: 'Android' });
    const [block] = blocks(section(README, '## Another platform'));
    const code = kindOf(block?.text ?? '')
      .replace('42', String(id))
      .replace('wp_pub_…', publishableKey)
      .replace('https://api.example.com', gateway.url)
      .replace('<string, string>', '')
      .replaceAll(/^await (.*);$/gm, 'await $1;');
    const [before = '', after = ''] = code.split(/^(?=await )/m, 2);
    const rest = code.slice(before.length + after.length);
    write(
      name,
      `${before}void (async () => {\n${after}${rest}console.log(await waypost.getSessionId());\n})();`,
    );
    const sessionId = (await run(process.execPath, [name])).trim();
    const sent = gateway.calls
      .filter(({ body }) => body.sessionId === sessionId)
      .map(({ path, body }) => [path.replace(/.*\/session\//, ''), body.eventType ?? body.stage]);
    expect(sent).toEqual([
      ['create', undefined],
      ['funnel/track', 'APP_OPENED'],
      ['event', 'app_started'],
    ]);
  });
});
