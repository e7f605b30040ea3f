/**
 * Builds the service and its console into dist/, unless dist/ is up to date with the sources.
 *
 *   node scripts/build.mjs            `npm run build`
 *     node scripts/build.mjs --start    `npm start`: runs the start-up checks before a build
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** Where the sources are, how they are compiled, and which of their files are copied. */
const { sourceRoot, compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
const STAMP = join(ROOT, 'dist/.stamp');
const CONSOLE_STAMP = join(ROOT, 'dist/.console-stamp');
const CONSOLE_DOCUMENT = 'dist/openapi/console.json';
const SDK = 'clients/web';
const SDK_BUILD = `${SDK}/dist/`;

process.chdir(ROOT);
const sources = sourceFiles();
const stamp = fingerprint(sources);
if (!isBuilt(STAMP, stamp)) {
  if (process.argv.includes('--start')) await preflight();
  await build();
}
const consoleStamp = fingerprint(consoleSources());
if (!isBuilt(CONSOLE_STAMP, consoleStamp)) {
  console.log('Building the console …');
  await run(['scripts/build-console.mjs']);
  writeFileSync(CONSOLE_STAMP, consoleStamp);
}

function isBuilt(file, expected) {
  return existsSync(file) && readFileSync(file, 'utf8') === expected;
}

/** The console's own files, what it shares with the service, the document of its types, and the guides whose code it shows. */
function consoleSources() {
  const guides = ['docs/native-apps.md', 'clients/web/README.md'];
  const single = ['package-lock.json', 'scripts/build-console.mjs', CONSOLE_DOCUMENT, ...guides];
  const shared = [...filesBelow('src/common/csv'), 'src/modules/unsubscribes/import/unsubscribe-columns.ts'];
  return [...single, ...shared, ...filesBelow('console').filter((file) => !file.endsWith('.gen.ts'))];
}

function sourceFiles() {
  const single = [
    'package.json',
    'package-lock.json',
    'nest-cli.json',
    'tsconfig.json',
    compilerOptions.tsConfigPath,
    'scripts/build.mjs',
  ];
  const sdk = [`${SDK}/package.json`, `${SDK}/build.mjs`, `${SDK}/CHANGELOG.md`, ...filesBelow(`${SDK}/src`)];
  return [...single, ...filesBelow(sourceRoot), ...filesBelow('migrations'), ...sdk];
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative('.', join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** Reports start-up errors before the build, which takes longest. */
async function preflight() {
  const { buildSync } = await import('esbuild');
  const outfile = 'dist/preflight.mjs';
  buildSync({
    entryPoints: ['src/start/preflight-cli.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  await run(['--enable-source-maps', outfile]);
}

async function build() {
  console.log('Building the service …');
  rmSync(STAMP, { force: true });
  await Promise.all([
    run([`${SDK}/build.mjs`]),
    // The native compiler; `typescript` is the version whose API other tools need.
    run(['node_modules/@typescript/native/bin/tsc', '--project', compilerOptions.tsConfigPath]),
  ]);
  copyAssets();
  removeLeftovers();
  // Without the settings of this shell, so that the document is the same everywhere.
  await run(['dist/src/cli/openapi.js', 'dist'], { PATH: process.env.PATH });
  writeFileSync(STAMP, stamp);
}

/** Copies the files that the service reads and the compiler ignores. */
function copyAssets() {
  const served = [`${SDK}/package.json`, ...filesBelow(SDK_BUILD)];
  for (const file of [
    ...sources.filter((name) => name.startsWith(`${sourceRoot}/`) && isAsset(name)),
    ...served,
  ]) {
    const target = join('dist', file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

/** `exclude` is the ending of file names, behind an asterisk. */
function isAsset(file) {
  return compilerOptions.assets.some(({ exclude }) => !file.endsWith(exclude.replace('**/*', '')));
}

/** Deletes compiled code without a source, so that a removed migration cannot run; copied scripts stay. */
function removeLeftovers() {
  for (const file of [...filesBelow('dist/src'), ...filesBelow('dist/migrations')]) {
    const source = file.slice('dist/'.length).replace(/\.js(\.map)?$/, '.ts');
    const isCopy = existsSync(file.slice('dist/'.length));
    if (/\.js(\.map)?$/.test(file) && !isCopy && !existsSync(source)) rmSync(file);
  }
}

async function run(args, env = process.env) {
  const [status, signal] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit');
  if (status !== 0) process.exit(signal ? 1 : status);
}
