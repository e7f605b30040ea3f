/** Builds the browser SDK into dist/: a script for pages, modules for bundlers and servers, and their types. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const common = {
  bundle: true,
  minify: true,
  // Webviews lag years behind browsers.
  target: 'es2018',
  charset: 'utf8',
  legalComments: 'none',
  define: { __SDK_VERSION__: JSON.stringify(version) },
  banner: { js: `/*! Waypost Web SDK ${version}, MIT */` },
  absWorkingDir: here,
};
await Promise.all([
  build({ ...common, entryPoints: ['src/global.ts'], format: 'iife', outfile: 'dist/waypost.js' }),
  build({ ...common, entryPoints: ['src/waypost.ts'], format: 'esm', outfile: 'dist/waypost.mjs' }),
  build({ ...common, entryPoints: ['src/waypost.ts'], format: 'cjs', outfile: 'dist/waypost.cjs' }),
]);
copyFileSync(join(here, 'CHANGELOG.md'), join(dist, 'CHANGELOG.md'));
// A single file of types: the ones that waypost.ts re-exports from types.ts are inlined.
const declarations = ['types', 'waypost'].map((name) => {
  const source = readFileSync(join(here, 'src', `${name}.ts`), 'utf8');
  return ts.transpileDeclaration(source, { compilerOptions: { isolatedDeclarations: true } }).outputText;
});
const types = declarations.join('').replaceAll(/^.* from '\.\/types';\n/gm, '');
for (const name of ['waypost.d.ts', 'waypost.d.cts']) writeFileSync(join(dist, name), types);

const size = gzipSync(readFileSync(join(dist, 'waypost.js')), { level: 9 }).length;
console.log(`Waypost Web SDK ${version}: ${size} bytes gzipped`);
