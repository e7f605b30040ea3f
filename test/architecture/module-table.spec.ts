import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  findCircles,
  foldersOf,
  type ImportGraph,
  moduleOf,
  readImportGraph,
  type Violation,
} from './import-graph';
import { type ModuleTable, parseModuleTable } from './module-table';

const ROOT = resolve(__dirname, '../..');
const table = parseModuleTable(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));

function forbiddenImports(graph: ImportGraph, allowed: ModuleTable): Violation[] {
  return [...graph].flatMap(([file, imports]) =>
    imports
      .filter((target) => !allowed.mayImport(moduleOf(file), moduleOf(target)))
      .map((target) => `${moduleOf(file)} → ${moduleOf(target)}: ${file} imports ${target}`),
  );
}

function strayImports(graph: ImportGraph): Violation[] {
  return [...graph].flatMap(([file, imports]) =>
    imports.filter((target) => !graph.has(target)).map((target) => `${file} imports ${target}`),
  );
}

describe('The module table of docs/architecture.md', () => {
  const graph = readImportGraph(ROOT);

  it('is checked against the whole tree', () => {
    const imports = [...graph.values()].flat();
    const modules = new Set([...graph.keys()].map(moduleOf));
    expect([...modules]).toEqual(
      expect.arrayContaining(['main', 'app', 'config', 'common', 'infrastructure', 'access']),
    );
    expect(graph.size).toBeGreaterThan(30);
    expect(imports.length).toBeGreaterThan(graph.size);
    expect(graph.get('src/app.module.ts')).toContain('src/config/config.module.ts');
  });

  it('is checked on imports that lead to files of the tree', () => {
    expect(strayImports(graph)).toEqual([]);
  });

  it('names every module', () => {
    const unknown = [...graph.keys()].filter((file) => !table.modules.has(moduleOf(file)));
    expect(unknown).toEqual([]);
  });

  it('allows every import', () => {
    expect(forbiddenImports(graph, table)).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(findCircles(graph)).toEqual([]);
  });

  it('has no import cycles between folders of a module', () => {
    expect(findCircles(foldersOf(graph))).toEqual([]);
  });

  it('holds for entities, which import nothing from other features except the base of links and campaigns and the terms of the funnel', () => {
    const floorOne = new Set(['common', 'config', 'infrastructure', 'tracked-links']);
    const foreign = [...graph]
      .filter(([file]) => /\.(entity|entities)\.ts$/.test(file))
      .flatMap(([file, imports]) => imports.map((target) => ({ file, target })))
      .filter(({ target }) => target !== 'src/modules/sessions/funnel.ts')
      .filter(({ file, target }) => ![moduleOf(file), ...floorOne].includes(moduleOf(target)));
    expect(foreign).toEqual([]);
  });
});

describe('The check of the module table', () => {
  let copy: string;

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'waypost-architecture-'));
    cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true });
  });

  afterEach(() => rmSync(copy, { recursive: true }));

  const plant = (file: string, text: string) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  };

  it.each([
    ['an import', `import { planted } from '../modules/redirect/planted';`],
    ['a type-only import', `import type { planted } from '../modules/redirect/planted';`],
    ['a type in place', `export type P = import('../modules/redirect/planted').planted;`],
    ['a re-export', `export { planted } from '../modules/redirect/planted';`],
    ['an import at run time', `export const p = () => import('../modules/redirect/planted');`],
  ])('fails on %s that the table does not allow', (_, text) => {
    plant('src/modules/redirect/planted.ts', 'export const planted = 1;');
    plant('src/common/planted.ts', text);
    expect(forbiddenImports(readImportGraph(copy), table)).toContain(
      'common → redirect: src/common/planted.ts imports src/modules/redirect/planted.ts',
    );
  });

  it('fails on a cycle, even of types', () => {
    plant('src/common/one.ts', `import { two } from './two'; export const one = two;`);
    plant('src/common/two.ts', `import { three } from './three'; export const two = three;`);
    plant('src/common/three.ts', `import type { one } from './one'; export const three = 3 as typeof one;`);
    expect(findCircles(readImportGraph(copy))).toContain(
      'src/common/one.ts → src/common/two.ts → src/common/three.ts → src/common/one.ts',
    );
  });

  it('fails on a cycle between folders of a module', () => {
    plant('src/common/left/one.ts', `import { two } from '../right/two'; export const one = two;`);
    plant('src/common/right/two.ts', `export const two = 2;`);
    plant('src/common/right/three.ts', `export type { one } from '../left/one';`);
    expect(findCircles(foldersOf(readImportGraph(copy)))).toContain(
      'common/left → common/right → common/left',
    );
  });

  it('fails on an import of a missing file', () => {
    plant('src/common/planted.ts', `import { gone } from './gone';`);
    expect(strayImports(readImportGraph(copy))).toContain('src/common/planted.ts imports src/common/gone');
  });

  it.each([
    ['with an unknown module', '| 1 | common | commons |', 'names commons'],
    ['with a cell too few', '| 1 | common |', 'Not a row'],
    ['with a module twice', '| 1 | common | nothing |\n| 2 | common | nothing |', 'two rows'],
  ])('refuses a table %s', (_, rows, message) => {
    const markdown = `| floor | modules | may import |\n|---|---|---|\n${rows}\n`;
    expect(() => parseModuleTable(markdown)).toThrow(message);
  });
});
