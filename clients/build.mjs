/**
 * Builds the packages @waypost/client, @waypost/app and waypost into their dist/: each entry as an ES module, as a
 * CommonJS module where package.json exports one, and its types in one file. A package that is up to date with its
 * sources is left alone. Run it after `npm run build`, which writes the OpenAPI document: npm run build:clients
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const PACKAGES = ['client', 'app', 'cli'];

const ROOT = join(import.meta.dirname, '..');
const STAMPS = join(ROOT, 'dist/.clients');

mkdirSync(STAMPS, { recursive: true });
for (const name of PACKAGES) {
  const folder = join(import.meta.dirname, name);
  const stamp = fingerprint(folder);
  const file = join(STAMPS, name);
  const isBuilt =
    existsSync(join(folder, 'dist')) && existsSync(file) && readFileSync(file, 'utf8') === stamp;
  if (isBuilt) continue;
  rmSync(file, { force: true });
  await buildPackage(folder);
  writeFileSync(file, stamp);
}

function fingerprint(folder) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.gen.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const single = [
    join(folder, 'package.json'),
    join(folder, 'tsconfig.json'),
    join(folder, 'generate.mjs'),
    join(ROOT, 'dist/openapi.json'),
    join(ROOT, 'package-lock.json'),
    import.meta.filename,
  ];
  const hash = createHash('sha256');
  for (const file of [...single.filter((name) => existsSync(name)), ...sources]) {
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

async function buildPackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version, dependencies = {}, peerDependencies = {}, exports = {}, bin = {} } = manifest;
  const external = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [
    name,
    `${name}/*`,
  ]);
  const generate = join(folder, 'generate.mjs');
  if (existsSync(generate)) await import(pathToFileURL(generate).href);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });

  const common = {
    absWorkingDir: folder,
    bundle: true,
    external,
    target: 'es2022',
    charset: 'utf8',
    define: { __VERSION__: JSON.stringify(version) },
    outdir: 'dist',
  };
  const entries = Object.values(exports).map((entry) => nameOf(entry.import.default));
  const sources = (names) => names.map((name) => `src/${name}.ts`);
  if (entries.length > 0) {
    const library = { ...common, platform: 'neutral', entryPoints: sources(entries) };
    await build({ ...library, format: 'esm', splitting: true, chunkNames: 'chunk-[hash]' });
    await build({ ...library, format: 'cjs', outExtension: { '.js': '.cjs' } });
    await declare(folder, entries, external);
  }
  const programs = Object.values(bin).map(nameOf);
  if (programs.length > 0) {
    const program = { ...common, platform: 'node', entryPoints: sources(programs) };
    await build({ ...program, format: 'esm', splitting: true, chunkNames: 'chunk-[hash]' });
  }
}

/** Writes the types of each entry, for both kinds of modules. */
async function declare(folder, entries, external) {
  for (const entry of entries) {
    const bundle = await rollup({
      input: join(folder, `src/${entry}.ts`),
      external: (id) => external.some((name) => id === name || id.startsWith(name.replace(/\*$/, ''))),
      plugins: [dts({ tsconfig: join(folder, 'tsconfig.json') })],
      onwarn: (warning) => {
        throw new Error(warning.message);
      },
    });
    const file = join(folder, 'dist', `${entry}.d.ts`);
    await bundle.write({ file, format: 'es' });
    await bundle.close();
    copyFileSync(file, file.replace(/\.d\.ts$/, '.d.cts'));
  }
}

function nameOf(file) {
  return file.slice('./dist/'.length).replace(/\.js$/, '');
}
