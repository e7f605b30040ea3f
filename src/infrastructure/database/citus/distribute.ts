import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { checkCluster } from './cluster-check';
import { alone } from '../migrate';
import { PLACEMENTS, type Placement } from './placement';
import { isStatementTimeout } from '../statement-timeout';

/** The table that the other tables of an organization are co-located with. */
const LEADER = 'links';

/** Reported when every table is already placed, such as after a node was added. */
export const NOTHING_TO_MOVE = 'Nothing to move; every node has the settings';

const COLUMNS: Readonly<Partial<Record<Placement, string>>> = {
  distributed: 'organization_id',
  'by address': 'address',
};

/** Settings of every session with the database, on every node: docs/scaling.md#settings-of-citus */
export const CITUS_SETTINGS: Readonly<Record<string, string>> = {
  'citus.all_modifications_commutative': 'on',
  'citus.allow_nested_distributed_execution': 'on',
  'citus.enable_local_reference_table_foreign_keys': 'off',
  'citus.enable_unsafe_triggers': 'on',
};

/** Shorter than `deadlock_timeout`, so that waiting for this lock is never mistaken for part of a deadlock. */
const LOCK_MS = 800;
const PAUSE_MS = 200;

interface Table {
  name: string;
  placed: boolean;
  /** Whether the coordinator still holds rows from before the distribution. */
  filled: boolean;
  /** Tables that its foreign keys refer to. */
  parents: string[];
}

/**
 * Distributes the tables of a database with Citus in one transaction, beside a running service: reads go on, writes of
 * these tables wait for its end. Tables that are distributed already stay as they are.
 * @param say receives a line for each table, or `NOTHING_TO_MOVE`
 * @throws Error saying what is missing and what to do, before anything is changed
 */
export async function distribute(dataSource: DataSource, say: (line: string) => void): Promise<void> {
  await alone(dataSource, async (runner) => {
    await checkCluster(dataSource, runner);
    const waiting = (await tablesOf(runner)).filter(({ name, placed }) => !placed && !isLocal(name));
    await applySettings(runner);
    if (waiting.length > 0) await placeAll(runner, inOrder(waiting), say);
    await dropForeignKeys(runner);
    await emptyCoordinator(runner);
    if (waiting.length === 0) say(NOTHING_TO_MOVE);
  });
}

/** Changes the settings of future sessions; Citus repeats the statement on every node. */
async function applySettings(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query('SELECT quote_ident(current_database()) AS database')) as {
    database: string;
  }[];
  for (const [name, value] of Object.entries(CITUS_SETTINGS)) {
    await runner.query(`ALTER DATABASE ${row?.database} SET ${name} = ${value}`);
    await runner.query(`SET ${name} = ${value}`);
  }
}

function tablesOf(runner: QueryRunner): Promise<Table[]> {
  return runner.query(
    `SELECT c.relname AS name,
            EXISTS (SELECT FROM pg_dist_partition AS p WHERE p.logicalrelid = c.oid) AS placed,
            pg_relation_size(c.oid) > 0 OR EXISTS (
              SELECT FROM pg_inherits WHERE inhparent = c.oid AND pg_relation_size(inhrelid) > 0) AS filled,
            ARRAY(SELECT p.relname::text FROM pg_constraint AS f JOIN pg_class AS p ON p.oid = f.confrelid
                   WHERE f.conrelid = c.oid AND f.contype = 'f' AND p.oid <> c.oid) AS parents
       FROM pg_class AS c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      ORDER BY name`,
  ) as Promise<Table[]>;
}

function isLocal(table: string): boolean {
  return (PLACEMENTS.get(table) ?? 'local') === 'local';
}

/** The distribution column; undefined for reference tables. */
function columnOf(table: string): string | undefined {
  return COLUMNS[PLACEMENTS.get(table) ?? 'local'];
}

/** Reference tables first, then the leader, then all others; a table comes after those that it refers to. */
function inOrder(tables: readonly Table[]): Table[] {
  const rank = ({ name }: Table) => (PLACEMENTS.get(name) === 'reference' ? 0 : name === LEADER ? 1 : 2);
  const waiting = tables.toSorted((a, b) => rank(a) - rank(b));
  const ordered: Table[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ parents }) =>
      parents.every((parent) => !waiting.some(({ name }) => name === parent)),
    );
    ordered.push(...waiting.splice(Math.max(next, 0), 1));
  }
  return ordered;
}

async function placeAll(runner: QueryRunner, tables: readonly Table[], say: (line: string) => void) {
  const names = tables.map(({ name }) => name);
  const lines: string[] = [];
  await inTransaction(runner, names, 'EXCLUSIVE', async () => {
    // Tables with foreign keys are created on one connection to each node.
    await runner.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    // Without this, triggers on the nodes would count the rows that move there.
    await runner.query(`SET LOCAL citus.propagate_set_commands = 'local'`);
    await runner.query(`SET LOCAL session_replication_role = 'replica'`);
    for (const table of tables) lines.push(await place(runner, table));
  });
  for (const line of lines) say(line);
}

async function place(runner: QueryRunner, { name }: Table): Promise<string> {
  const column = columnOf(name);
  if (column === undefined) {
    await runner.query('SELECT create_reference_table($1)', [name]);
    return `${name}: on every node`;
  }
  const colocation = name === LEADER || column !== COLUMNS.distributed ? 'none' : LEADER;
  await runner.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
    name,
    column,
    colocation,
  ]);
  return `${name}: by ${column}`;
}

/** Drops foreign keys of local tables to reference tables: on Citus, each row that they check locks the whole table. */
async function dropForeignKeys(runner: QueryRunner): Promise<void> {
  const keys = (await runner.query(
    `SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS parent, quote_ident(conname) AS name
       FROM pg_constraint
      WHERE contype = 'f' AND confrelid::regclass::text = ANY ($1) AND conrelid::regclass::text = ANY ($2)
      ORDER BY 1, 3`,
    [tablesIn('reference'), tablesIn('local')],
  )) as { table: string; parent: string; name: string }[];
  for (const { table, parent, name } of keys) {
    await inTransaction(runner, [parent, table], 'ACCESS EXCLUSIVE', async () => {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    });
  }
}

function tablesIn(placement: Placement): string[] {
  return [...PLACEMENTS].filter(([, each]) => each === placement).map(([table]) => table);
}

/**
 * Removes rows from before the distribution, which no statement reads any more. The next run completes an interrupted
 * one. Rows of reference tables stay, because foreign keys refer to them.
 */
async function emptyCoordinator(runner: QueryRunner): Promise<void> {
  const tables = (await tablesOf(runner)).filter(({ placed, filled }) => placed && filled);
  for (const { name } of tables.filter((table) => columnOf(table.name) !== undefined)) {
    await inTransaction(runner, [name], 'ACCESS EXCLUSIVE', async () => {
      await runner.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
    });
  }
}

/** Runs `work` with the tables locked, retrying the locks until no other transaction holds them. */
async function inTransaction(
  runner: QueryRunner,
  tables: readonly string[],
  mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE',
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL statement_timeout = ${LOCK_MS}`);
      await runner.query(`LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`);
      await runner.query('SET LOCAL statement_timeout = 0');
      await work();
      await runner.commitTransaction();
      return;
    } catch (error) {
      if (!runner.isReleased) await runner.rollbackTransaction();
      if (!isStatementTimeout(error)) throw error;
      await delay(PAUSE_MS);
    }
  }
}
