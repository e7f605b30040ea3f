import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { connectDataSource } from '../../../src/infrastructure/database/data-source';
import { migrate } from '../../../src/infrastructure/database/migrate';
import { startEmbeddedPostgres } from '../../../src/infrastructure/embedded-postgres/embedded-postgres';
import { addAddresses } from '../../support/addresses';
import { CitusCluster, createDistributedDatabase } from '../../support/citus';
import { freePort, isOnPath } from '../../support/servers';
import { nodesOf } from '../../support/test-databases';
import { moveToCore, onCore, OTHER_CORE } from './processes';

/** A store that is durable as in production, on the core that is not the server's. */
interface Store {
  url: string;
  stop(): Promise<void>;
}

/** The stores of a benchmark. They start when first asked for, and end with it. */
export class BenchStores {
  private postgres?: Promise<Postgres>;
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** A migrated database, and connections to it. */
  async database(name: string, connections = 2): Promise<{ url: string; database: DataSource }> {
    this.postgres ??= this.ending(startPostgres());
    const url = await (await this.postgres).database(name);
    const database = await connectDataSource({ url }, connections);
    this.ends.push(() => database.destroy());
    return { url, database };
  }

  /** A distributed database on a coordinator of Citus with two workers, and connections to each of the three. */
  async citus(name: string): Promise<{ url: string; nodes: [DataSource, ...DataSource[]] }> {
    const settings = { fsync: 'on', shared_buffers: '512MB', min_wal_size: '1GB' };
    const cluster = await this.ending(CitusCluster.start(settings));
    process.env.TEST_POSTGRES_URL = cluster.url;
    process.env.TEST_CITUS_WORKERS = cluster.workers.join(',');
    const url = await createDistributedDatabase(name);
    const connect = async (node: string) => {
      // Shows shards among the tables.
      const shown = `${node}?options=-c%20citus.override_table_visibility%3Doff`;
      const connected = await connectDataSource({ url: shown }, 2);
      this.ends.push(() => connected.destroy());
      moveToCore(OTHER_CORE, await postmasterOf(connected));
      return connected;
    };
    const [coordinator = url, ...workers] = nodesOf(name);
    return { url, nodes: [await connect(coordinator), ...(await Promise.all(workers.map(connect)))] };
  }

  /** URL of Redis, which no other benchmark on the machine uses. */
  async redis(): Promise<string> {
    return (await this.ending(startRedis(await freePort()))).url;
  }

  async end(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await end();
  }

  /** Ends what is starting with the others. */
  async ending<S extends Pick<Store, 'stop'>>(starting: Promise<S>): Promise<S> {
    const store = await starting;
    this.ends.push(() => store.stop());
    return store;
  }
}

/** Runs a benchmark; one that fails ends the process with 1. */
export function runBench(run: (stores: BenchStores) => Promise<void>): void {
  const stores = new BenchStores();
  void run(stores)
    .finally(() => stores.end())
    .catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
}

function folder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `waypost-${name}-`));
  chmodSync(path, 0o755);
  return path;
}

/** Number of 16 MB files that `min_wal_size` keeps. */
const WAL_FILES = 128;

interface Postgres extends Store {
  /** Creates a migrated database. @returns its URL */
  database(name: string): Promise<string>;
}

/**
 * Postgres with its defaults, including fsync, in the state after its first hours: with WAL files to recycle. Commits
 * wait while a new file is filled with zeros. Backends inherit the core from the server process.
 */
async function startPostgres(): Promise<Postgres> {
  const dataDir = folder('postgres');
  const settings = { shared_buffers: '1GB', min_wal_size: '2GB' };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const admin = await connectDataSource({ url: postgres.url }, 1);
  for (let file = 0; file < WAL_FILES; file++) {
    await admin.query(`SELECT pg_logical_emit_message(false, 'bench', 'a record')`);
    await admin.query(`SELECT pg_switch_wal()`);
  }
  await admin.query(`CHECKPOINT`);
  moveToCore(OTHER_CORE, await postmasterOf(admin));
  return {
    url: postgres.url,
    async database(name) {
      await admin.query(`CREATE DATABASE ${name}`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      const dataSource = await connectDataSource({ url: url.href }, 2);
      await migrate(dataSource);
      await dataSource.destroy();
      return url.href;
    },
    async stop() {
      await admin.destroy();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Process id of the server process of Postgres, whose children are its backends. */
export async function postmasterOf(database: DataSource): Promise<number> {
  const [row] = await database.query<[{ pid: number }]>(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
  );
  return row.pid;
}

/** Redis with its append-only file, synced every second. */
async function startRedis(port: number): Promise<Store> {
  const binary = ['redis-server', 'valkey-server'].find(isOnPath);
  if (!binary)
    throw new Error("The benchmark needs redis-server on PATH: Debian's package is called redis-server");
  const dir = folder('redis');
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const [command, args] = onCore(OTHER_CORE, binary, [
    ...options,
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
  ]);
  const child = spawn(command, args, { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Bulk-loads an organization with links `l000000` and up. */
export async function loadLinks(dataSource: DataSource, links: number): Promise<number> {
  const [organization] = await dataSource.query<[{ id: number }]>(
    `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, service_rate_per_minute,
                                max_custom_fields, max_custom_field_name, max_custom_field_value,
                                custom_metric_limit, created_at, updated_at)
     VALUES ('Bench', 'UTC', 'USD', 'US', 'PRO', 1000000, 50, 50, 2000, 50, now(), now()) RETURNING id`,
  );
  await dataSource.query(
    `INSERT INTO links (organization_id, code, original_url, created_at, updated_at)
     SELECT $1, 'l' || to_char(n, 'FM000000'), 'https://example.com/landing/' || n || '?campaign=autumn', now(), now()
       FROM generate_series(0, $2 - 1) AS n`,
    [organization.id, links],
  );
  await addAddresses((sql) => dataSource.query(sql));
  await dataSource.query(`ANALYZE links, addresses`);
  return organization.id;
}

/**
 * Loads the other kinds of links at numbered URLs: custom domains with a link of their own (`d0001.example/own`),
 * campaigns (`/c/c00001`) and links with rules and variants (`/t00001`).
 */
export async function loadOthers(
  dataSource: DataSource,
  organizationId: number,
  counts: { domains: number; campaigns: number; routed: number },
): Promise<void> {
  const destination = `'https://example.com/landing/' || n || '?campaign=autumn'`;
  await dataSource.query(
    `WITH domains AS (
       INSERT INTO custom_domains (organization_id, domain_name, status, verified_at, created_at)
       SELECT $1, 'd' || to_char(n, 'FM0000') || '.example', 'ACTIVE', now(), now()
         FROM generate_series(0, $2 - 1) AS n RETURNING id
     )
     INSERT INTO links (organization_id, domain_id, code, original_url, created_at, updated_at)
     SELECT $1, id, 'own', 'https://example.com/own', now(), now() FROM domains`,
    [organizationId, counts.domains],
  );
  await dataSource.query(
    `INSERT INTO campaigns (organization_id, name, folded_name, code, original_url, created_at, updated_at)
     SELECT $1, 'Campaign', 'campaign', 'c' || to_char(n, 'FM00000'), ${destination}, now(), now()
       FROM generate_series(0, $2 - 1) AS n`,
    [organizationId, counts.campaigns],
  );
  const rules = [
    { countries: ['DE', 'FR'], devices: [], os: [], conditions: [], url: 'https://example.com/eu' },
    { countries: [], devices: ['Mobile'], os: ['iOS'], conditions: [], url: 'https://example.com/ios' },
  ];
  const variants = [
    { url: 'https://example.com/a', weight: 70 },
    { url: 'https://example.com/b', weight: 30 },
  ];
  await dataSource.query(
    `INSERT INTO links (organization_id, code, original_url, targeting, variants, created_at, updated_at)
     SELECT $1, 't' || to_char(n, 'FM00000'), ${destination}, $3, $4, now(), now()
       FROM generate_series(0, $2 - 1) AS n`,
    [organizationId, counts.routed, JSON.stringify(rules), JSON.stringify(variants)],
  );
  await addAddresses((sql) => dataSource.query(sql));
  await dataSource.query(`ANALYZE links, campaigns, custom_domains, addresses`);
}

/** Waits until `read` returns true. @throws after `seconds` */
export async function until(read: () => Promise<boolean>, seconds: number, what: string): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1000;
  while (!(await read())) {
    if (performance.now() > giveUpAt) throw new Error(`${what} within ${seconds} s`);
    await delay(20);
  }
}

/** Clicks in the totals, with those of bots. */
export async function countedClicks(database: DataSource): Promise<number> {
  const [row] = await database.query<[{ clicks: number }]>(
    `SELECT coalesce(sum(clicks + bot_clicks), 0)::bigint AS clicks FROM click_totals`,
  );
  return row.clicks;
}
