import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceFiles } from './import-graph';

const ROOT = resolve(__dirname, '../..');
const HOME = 'src/infrastructure/database/';

/** Imports that bypass `Database`: TypeORM's own, and its internals. */
const DETOURS =
  /\b(?:DataSource|EntityManager|QueryRunner)\b|infrastructure\/database\/(?:time-limit|copy-rows)'/;

function detours(file: string, code: string): string[] {
  if (file.startsWith(HOME)) return [];
  return code
    .split('\n')
    .filter((line) => line.startsWith('import ') && !line.startsWith('import type { CopyValue }'))
    .filter((line) => DETOURS.test(line))
    .map((line) => `${file}: ${line}`);
}

describe('SQL', () => {
  it('goes only through Database', () => {
    const tools = new Set(['src/start/tool-database.ts']);
    const found = sourceFiles(ROOT)
      .filter((file) => !tools.has(file))
      .flatMap((file) => detours(file, readFileSync(join(ROOT, file), 'utf8')));
    expect(found).toEqual([]);
  });

  it.each([
    "import { DataSource } from 'typeorm';",
    "import type { EntityManager } from 'typeorm';",
    "import { queryWithin } from '../../infrastructure/database/time-limit';",
  ])('does not go through %s', (line) => {
    expect(detours('src/modules/links/planted.ts', `${line}\n`)).toHaveLength(1);
  });
});
