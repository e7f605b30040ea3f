import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { CITUS_SETTINGS, distribute } from '../../src/infrastructure/database/citus/distribute';
import { LeftOut } from './left-out';
import { migrateDatabase } from './migrate-database';
import { createCluster, Postgres15, POSTGRES_15_PROGRAMS } from './postgres-15';
import type { TestServer } from './servers';
import { nodesOf, onEachNode, onNode } from './test-databases';

/** Citus built for Debian's Postgres 15, stored outside of the project. */
const ARCHIVE = resolve('../shared/citus/citus-13.2.2-pg15-amd64.tar.gz');
/** Folders that Debian's Postgres reads, relative to its programs. */
const DEBIAN = [resolve(POSTGRES_15_PROGRAMS, '..'), '/usr/share/postgresql/15'];
/** Oldest minor version of Postgres 15 that can load this build of Citus. */
const OLDEST_MINOR = 20;
const WORKERS = 2;

/** Settings of each node. */
export const NODE_SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '400',
  max_prepared_transactions: '400',
  // Citus runs a daemon per database.
  max_worker_processes: '200',
  // Few shards, because each has files in every database.
  'citus.shard_count': '4',
  'citus.local_hostname': '127.0.0.1',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
  'citus.recover_2pc_interval': '5s',
};

/** A coordinator with two workers. */
export class CitusCluster implements TestServer {
  readonly url: string;
  readonly workers: readonly string[];

  private constructor(
    /** Folder with the programs of Postgres with Citus. */
    readonly programs: string,
    private readonly folders: readonly string[],
    private readonly nodes: readonly Postgres15[],
  ) {
    const [coordinator = '', ...workers] = nodes.map(({ url }) => url);
    this.url = coordinator;
    this.workers = workers;
  }

  /**
   * @param settings of postgresql.conf on every node
   * @throws LeftOut without Citus or Postgres 15
   */
  static async start(settings: Record<string, string> = {}): Promise<CitusCluster> {
    const root = mkdtempSync(join(tmpdir(), 'waypost-citus-'));
    chmodSync(root, 0o755);
    const programs = unpackCitus(root);
    const clusters = Array.from({ length: 1 + WORKERS }, () => createCluster(programs));
    const nodes = await Promise.all(
      // Set per node, because clones of a database lack the settings that `distribute` makes with ALTER DATABASE … SET.
      clusters.map(({ data }) =>
        Postgres15.launch(data, { ...NODE_SETTINGS, ...CITUS_SETTINGS, ...settings }, programs),
      ),
    );
    return new CitusCluster(programs, [root, ...clusters.map(({ folder }) => folder)], nodes);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Unpacks Citus and a copy of Debian's Postgres into a folder.
 * @returns the folder of their programs
 * @throws LeftOut without Citus or Postgres 15
 */
export function unpackCitus(root: string): string {
  if (!existsSync(ARCHIVE)) throw new LeftOut('Citus in ../shared/citus (built for Postgres 15)');
  if (!existsSync(POSTGRES_15_PROGRAMS) || minorVersion() < OLDEST_MINOR) {
    throw new LeftOut(`Postgres 15.${OLDEST_MINOR} or a later 15 (apt-get install postgresql-15)`);
  }
  for (const folder of DEBIAN) {
    cpSync(folder, join(root, folder), { recursive: true, dereference: true });
  }
  execFileSync('tar', ['xzf', ARCHIVE, '-C', root, '--no-same-owner']);
  return join(root, POSTGRES_15_PROGRAMS);
}

function minorVersion(): number {
  const answer = execFileSync(join(POSTGRES_15_PROGRAMS, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/ 15\.(\d+)/.exec(answer)?.[1]);
}

/** Creates an empty database on all nodes, whose tables can be distributed. @returns its URL on the coordinator */
export async function createCitusDatabase(name: string): Promise<string> {
  await onEachNode('postgres', `CREATE DATABASE ${name}`);
  await onEachNode(name, 'CREATE EXTENSION citus');
  const [url = '', ...workers] = nodesOf(name);
  const statements = [
    `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`,
    ...workers.map((worker) => `SELECT citus_add_node('127.0.0.1', ${new URL(worker).port})`),
  ];
  await oneSuiteAtATime(async () => {
    for (const statement of statements) await onNode(url, statement);
  });
  return url;
}

/** Excludes other suites, because citus_add_node alters roles, which all databases of a node share. */
async function oneSuiteAtATime(addNodes: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('citus_add_node'))`);
    await addNodes();
  } finally {
    await client.end();
  }
}

/** Creates an empty database that is migrated and distributed. @returns its URL on the coordinator */
export async function createDistributedDatabase(name: string): Promise<string> {
  const url = await createCitusDatabase(name);
  await migrateDatabase(url);
  await distributeDatabase(url);
  return url;
}

/** Starts a worker and adds it to the cluster of a database. @param ending receives a function that stops it */
export async function addCitusWorker(
  url: string,
  ending: (end: () => Promise<void>) => void,
): Promise<Postgres15> {
  const { TEST_CITUS_PROGRAMS: programs } = process.env;
  if (!programs) throw new Error('TEST_CITUS_PROGRAMS is set by test/support/global-setup.ts');
  const database = new URL(url).pathname.slice(1);
  const { folder, data } = createCluster(programs);
  const worker = await Postgres15.launch(data, NODE_SETTINGS, programs);
  ending(async () => {
    await worker.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await onNode(worker.url, `CREATE DATABASE ${database}`);
  await onNode(worker.url.replace(/postgres$/, database), 'CREATE EXTENSION citus');
  await onNode(url, `SELECT citus_add_node('127.0.0.1', ${worker.port})`);
  return worker;
}

/** Distributes a migrated database as `npm run distribute` does. @returns its output */
export async function distributeDatabase(url: string): Promise<string[]> {
  const dataSource = await connectDataSource({ url }, 2);
  const lines: string[] = [];
  await distribute(dataSource, (line) => lines.push(line)).finally(() => dataSource.destroy());
  return lines;
}
