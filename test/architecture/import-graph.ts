import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preProcessFile } from 'typescript';

/** Imports between files of `src`, as paths relative to the project such as `src/main.ts`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** A message about an import that breaks a rule, with both sides. */
export type Violation = string;

/**
 * Reads the imports of a project folder: `import`, `import type`, `export … from`, `import()` and `require()`.
 * Unit specs beside the code are excluded. Imports of missing files are included under their path, so that the checks
 * report them.
 */
export function readImportGraph(root: string): ImportGraph {
  return new Map(sourceFiles(root).map((file) => [file, importsOf(root, file)]));
}

export function sourceFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => `src/${file}`)
    .sort();
}

function importsOf(root: string, file: string): string[] {
  const { importedFiles } = preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(file), specifier))
    .map((path) => candidates(path).find((name) => existsSync(join(root, name))) ?? path);
}

/** Candidates for an import; `import()` names the compiled file. */
function candidates(path: string): string[] {
  return [`${path}.ts`, `${path}/index.ts`, path.replace(/\.js$/, '.ts')];
}

/** The module of a file: `links` of `src/modules/links/link.entity.ts`, `app` of `src/app.module.ts`. */
export function moduleOf(file: string): string {
  const [, name = file] = /^src\/(?:modules\/)?([^/.]+)/.exec(file) ?? [];
  return name;
}

/** The folder of a file within its module, such as `links/csv`; null for files directly in the module. */
function folderOf(file: string): string | null {
  const path = file.replace(/^src\/(modules\/)?/, '').split('/');
  return path.length > 2 ? path.slice(0, 2).join('/') : null;
}

/** Imports between the folders of modules. */
export function foldersOf(graph: ImportGraph): ImportGraph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const from = folderOf(file);
    if (!from) continue;
    const targets = folders.get(from) ?? new Set();
    folders.set(from, targets);
    for (const to of imports.map(folderOf)) if (to && to !== from) targets.add(to);
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
}

/** Import cycles, each as the path back to its first file. */
export function findCircles(graph: ImportGraph): Violation[] {
  const circles: Violation[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return circles;
}
