import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleOf, sourceFiles, type Violation } from './import-graph';
import { withoutComments } from './source-rules';

/** A use of a table in the source, by SQL or an entity. */
export interface TableUse {
  file: string;
  table: string;
  /** Whether the use makes the module the table's owner: a write, or an entity. */
  owns: boolean;
}

/** Reports may read tables of other modules. */
const isReport = (file: string): boolean => /\.(query|sql)\.ts$/.test(file) || moduleOf(file) === 'analytics';

const CREATED = /\bCREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/g;
const USED =
  /\b(?<verb>DELETE FROM|INSERT INTO|UPDATE|FROM|JOIN) (?<name>[a-z_]+)|@Entity\(['"](?<entity>\w+)/g;

/** Every use of a table created by a migration. */
export function readTableUses(root: string): TableUse[] {
  const migrations = readdirSync(join(root, 'migrations')).filter((file) => file.endsWith('.ts'));
  const schema = migrations.map((file) => readFileSync(join(root, 'migrations', file), 'utf8')).join('\n');
  const tables = new Set([...schema.matchAll(CREATED)].map(([, name]) => name));
  return sourceFiles(root)
    .flatMap((file) => tableUses(file, withoutComments(readFileSync(join(root, file), 'utf8'))))
    .filter(({ table }) => tables.has(table));
}

export function tableUses(file: string, code: string): TableUse[] {
  return [...code.replaceAll(/\s+/g, ' ').matchAll(USED)].map(({ groups = {} }) => ({
    file,
    table: groups.name ?? groups.entity ?? '',
    owns: groups.entity !== undefined || !['FROM', 'JOIN'].includes(groups.verb ?? ''),
  }));
}

/** Tables written by two modules, and tables read by another module outside of reports. */
export function foreignTableUses(uses: readonly TableUse[]): Violation[] {
  return [...new Set(uses.map(({ table }) => table))].flatMap((table) => {
    const ofTable = uses.filter((use) => use.table === table);
    const owners = new Set(ofTable.filter((use) => use.owns).map(({ file }) => moduleOf(file)));
    const foreign = ofTable.filter(({ file }) => !owners.has(moduleOf(file)) && !isReport(file));
    const readers = new Set(foreign.map(({ file }) => moduleOf(file)));
    if (owners.size > 1) return [`${table} is written by ${[...owners].join(' and ')}`];
    if (owners.size === 0 && readers.size <= 1) return [];
    return foreign.map(
      ({ file }) => `${file} reads ${table}, which belongs to ${[...owners].join() || 'nobody'}`,
    );
  });
}
