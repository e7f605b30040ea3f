import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { type Block, blocks } from '../../../test/docs/blocks';
import { registerApp } from '../../../test/support/apps';
import { createBook } from '../../../test/support/contacts';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { temporaryFolder } from '../../../test/support/servers';
import { useTestApp } from '../../../test/support/test-app';
import { useGateway } from './support/gateway';

const ROOT = resolve(__dirname, '../../..');
const PACKAGE = resolve(__dirname, '..');
const PLATFORMS = join(__dirname, 'platforms');
const MAX_BYTES = 15 * 1024;

describe('The packed package', () => {
  const app = useTestApp();
  const proxy = useGateway(app);
  let folder: string;
  let tarball: string;
  let org: TestOrganization;

  beforeAll(async () => {
    folder = temporaryFolder('client-package');
    await run('npm', ['pack', '--pack-destination', folder], PACKAGE);
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
    org = await createOrganization(app, { defaultRegion: 'KR' });
  }, 300_000);

  /** @returns standard output @throws with both outputs */
  async function run(
    command: string,
    parameters: readonly string[],
    cwd = folder,
    env = {},
  ): Promise<string> {
    try {
      const options = { cwd, env: { ...process.env, ...env } };
      return (await promisify(execFile)(command, parameters, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${command} ${parameters.join(' ')}\n${stdout}${stderr}`, { cause: error });
    }
  }
  const tool = (name: string, ...parameters: string[]) =>
    run(join(ROOT, 'node_modules/.bin', name), parameters);
  const compile = (...files: string[]) => {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          target: 'es2022',
          module: 'nodenext',
          types: ['node'],
          typeRoots: [join(ROOT, 'node_modules/@types')],
        },
        files,
      }),
    );
    return tool('tsc', '--project', folder);
  };

  it('holds code, types, README and licence, and nothing else', () => {
    const installed = join(folder, 'node_modules/@waypost/client');
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readdirSync(join(installed, 'dist')).sort()).toEqual([
      'index.cjs',
      'index.d.cts',
      'index.d.ts',
      'index.js',
    ]);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@waypost',
    ]);
  });

  it('is at most 15 KB, minified and compressed', () => {
    const { outputFiles } = buildSync({
      entryPoints: [join(folder, 'node_modules/@waypost/client/dist/index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const [bundle] = outputFiles;
    expect(gzipSync(bundle?.contents ?? '').length).toBeLessThanOrEqual(MAX_BYTES);
    const plain = readFileSync(join(folder, 'node_modules/@waypost/client/dist/index.js'));
    expect(gzipSync(plain).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('has nothing for publint and attw to find', async () => {
    expect(await tool('publint', 'run', tarball, '--strict')).toContain('All good!');
    expect(await tool('attw', tarball, '--format', 'ascii', '--no-emoji')).toContain('No problems found');
  });

  it('has types that accept and refuse what they should, as ES module and as CommonJS', async () => {
    const names = ['types.mts', 'types.cts'];
    for (const name of names) cpSync(join(__dirname, 'types.ts'), join(folder, name));
    await compile(...names);
  }, 300_000);

  describe('runs', () => {
    beforeAll(async () => {
      if (!existsSync(join(PLATFORMS, 'node_modules'))) {
        await run('npm', ['ci', '--no-audit', '--no-fund'], PLATFORMS);
      }
      cpSync(join(__dirname, 'support/smoke.mjs'), join(folder, 'smoke.mjs'));
    }, 600_000);

    const platform = (name: string) => join(PLATFORMS, 'node_modules/.bin', name);

    it.each([
      ['node', [process.execPath]],
      ['node-26', [platform('node')]],
      ['bun', [platform('bun')]],
      ['deno', [platform('deno'), 'run', '--allow-env', '--allow-net', '--no-prompt']],
    ])('on %s', async (name, [command = '', ...options]) => {
      const env = { API: proxy.get().url, KEY: org.apiKey, DENO_NO_UPDATE_CHECK: '1' };
      const answer = JSON.parse(await run(command, [...options, 'smoke.mjs', name], folder, env)) as object;
      const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
        version: string;
      };
      expect(answer).toEqual({
        url: `http://go.waypost.test/on-${name}`,
        found: [
          version,
          'ALIAS_TAKEN',
          1,
          1,
          1,
          true,
          true,
          'a@b.example',
          'ready',
          'webhook.test',
          'SIGNATURE_WRONG',
          64,
        ],
      });
    });

    it('as CommonJS', async () => {
      const program = `const { Waypost } = require('@waypost/client');
        new Waypost({ baseUrl: process.env.API, apiKey: process.env.KEY }).links
          .createShortUrl({ url: 'https://shop.example.com/' })
          .then(({ originalUrl }) => console.log(originalUrl));`;
      const env = { API: proxy.get().url, KEY: org.apiKey };
      const printed = await run(process.execPath, ['--eval', program], folder, env);
      expect(printed.trim()).toBe('https://shop.example.com/');
    });
  });

  it('does what its README says', async () => {
    const book = await createBook(app);
    const mobile = await registerApp(book, { platform: 'Android' });
    const client = proxy.get().client({ apiKey: book.apiKey });
    await client.unsubscribes.registerUnsubscribe({ value: '+821012345678' });
    const code = blocks(readFileSync(join(PACKAGE, 'README.md'), 'utf8'))
      .filter(({ language }: Block) => language === 'ts')
      .map(({ text }) => text)
      .join('\n')
      .replaceAll('https://waypost.example.com', proxy.get().url)
      .replace('app: { id: 1,', `app: { id: ${mobile.id},`);
    const program = `
      const aborted = new AbortController();
      const { signal } = aborted;
      const readCursor = async (): Promise<string | null> => null;
      const block = async (id: number, value: string) => console.log('block', typeof id, value);
      const unblock = async (_id: number) => undefined;
      const storeCursor = async (cursor: string) => {
        console.log('cursor', cursor.length);
        aborted.abort();
      };
      ${code}
      console.log(signature.length, typeof POST);`;
    writeFileSync(join(folder, 'readme.mts'), program);
    await compile('readme.mts');
    await tool('esbuild', 'readme.mts', '--outfile=readme.mjs', '--format=esm', '--log-level=error');
    const printed = await run(process.execPath, ['readme.mjs'], folder, {
      WAYPOST_API_KEY: book.apiKey,
      WAYPOST_APP_KEY: mobile.apiKey,
    });
    expect(printed.trim().split('\n')).toEqual([
      expect.stringMatching(/^http:\/\/go\.waypost\.test\/\w+$/),
      '1',
      expect.stringMatching(/^http:\/\/go\.waypost\.test\/\w+$/),
      'block number +821012345678',
      'cursor 37',
      '64 function',
    ]);
    expect(readFileSync(join(folder, 'links.csv'), 'utf8')).toContain('https://shop.example.com/spring');
  }, 300_000);
});
