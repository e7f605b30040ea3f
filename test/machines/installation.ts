import { rmSync } from 'node:fs';
import { Cluster } from 'ioredis';
import { distributeDatabase, NODE_SETTINGS, unpackCitus } from '../support/citus';
import { LeftOut } from '../support/left-out';
import { migrateDatabase } from '../support/migrate-database';
import { temporaryFolder } from '../support/servers';
import { ENCRYPTION_KEYS } from '../support/test-app';
import { CONSOLE_TOKEN } from '../faults/service';
import { Disk } from './disk';
import { faketime } from './fake-clock';
import type { Machine } from './machine';
import { Network } from './network';
import { HaProxy, ServiceMachine } from './processes';
import { formCluster, has, PgBouncer, PostgresMachine, RedisNode } from './stores';

const PROGRAMS = {
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-cli': 'redis-server',
} as const;

const MASTERS = 3;

/** Size of an installation at its start. */
export interface Size {
  processes: number;
  shards: number;
  replicas: 0 | 1;
  /** Workers of Citus; 0 is plain Postgres. */
  nodes: 0 | 2;
}

const WHOLE: Size = { processes: 2, shards: 4, replicas: 1, nodes: 0 };

/** HAProxy, two web and two worker processes, a Redis Cluster, PgBouncer, and a Postgres with a standby: a host each. */
export class Installation {
  private constructor(
    private readonly folder: string,
    readonly network: Network,
    readonly primary: PostgresMachine,
    readonly pooler: PgBouncer,
    /** Masters first, at the start. */
    readonly redis: readonly RedisNode[],
    readonly proxy: HaProxy,
    private readonly settings: Record<string, string>,
  ) {}

  /** Workers of Citus, whose coordinator is the primary. */
  readonly nodes: PostgresMachine[] = [];
  readonly replicas: PostgresMachine[] = [];
  readonly webs: ServiceMachine[] = [];
  readonly workers: ServiceMachine[] = [];

  /**
   * @param size differences from `WHOLE`
   * @throws LeftOut where a program is missing
   */
  static async start(size: Partial<Size> = {}): Promise<Installation> {
    for (const [program, debian] of Object.entries(PROGRAMS)) {
      if (!has(program)) throw new LeftOut(`${program} (apt-get install ${debian})`);
    }
    if (!faketime()) throw new LeftOut('libfaketime (apt-get install faketime)');
    const folder = temporaryFolder('machines');
    const network = Network.create();
    try {
      return await Installation.assemble(folder, network, { ...WHOLE, ...size });
    } catch (error) {
      remove(folder, network);
      throw error;
    }
  }

  private static async assemble(folder: string, network: Network, size: Size): Promise<Installation> {
    const host = (name: string) => network.host(name);

    const citus = size.nodes > 0 ? unpackCitus(folder) : undefined;
    const server = async (name: string) => {
      const machine = new PostgresMachine(host(name), folder, undefined, citus);
      const own = citus ? { ...NODE_SETTINGS, 'citus.local_hostname': machine.host.address } : {};
      machine.initialize(own);
      await machine.start();
      await machine.query('CREATE DATABASE waypost', 'postgres');
      if (citus) await machine.query('CREATE EXTENSION citus');
      return machine;
    };
    const primary = await server('primary');
    const nodes = [];
    for (let n = 0; n < size.nodes; n++) nodes.push(await server(`node${n}`));
    if (citus) await distributeOver(primary, nodes);
    const pooler = new PgBouncer(host('pooler'), folder, primary);
    const redis = Array.from({ length: 2 * MASTERS }, (_, n) => new RedisNode(host(`redis${n}`), folder));
    await Promise.all([pooler, ...redis].map((machine) => machine.start()));
    await formCluster(redis);

    const proxy = new HaProxy(host('proxy'), folder);
    const installation = new Installation(folder, network, primary, pooler, redis, proxy, {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: primary.url,
      REDIS_URL: `redis-cluster://${redis.map(({ address }) => address).join(',')}`,
      CLICK_STREAM_SHARDS: String(size.shards),
      BASE_URL: proxy.url,
      SHORT_URL_BASE: 'http://localhost',
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      OG_FETCH: 'false',
      LINK_HEALTH: 'false',
      OUTBOUND_ALLOW_PRIVATE: 'true',
    });
    installation.nodes.push(...nodes);
    for (let n = 0; n < size.replicas; n++) await installation.addReplica();
    for (let n = 0; n < size.processes; n++) await installation.startService('web', installation.webs);
    // Connections that are kept alive stay with the servers that the proxy knew when they were opened.
    proxy.balance(installation.webs);
    await proxy.start();
    for (let n = 0; n < size.processes; n++) await installation.addWorker();
    return installation;
  }

  /** Starts a standby, which processes of the service read from once they are restarted. */
  async addReplica(): Promise<PostgresMachine> {
    const name = this.replicas.length === 0 ? 'replica' : `replica${this.replicas.length}`;
    const replica = new PostgresMachine(this.network.host(name), this.folder, this.primary);
    replica.initialize();
    await replica.start();
    this.replicas.push(replica);
    this.settings.DATABASE_REPLICA_URL = replica.url;
    return replica;
  }

  /** Starts a web process, and adds it to the proxy. */
  async addWeb(): Promise<ServiceMachine> {
    const web = await this.startService('web', this.webs);
    this.proxy.balance(this.webs);
    return web;
  }

  async addWorker(): Promise<ServiceMachine> {
    return this.startService('worker', this.workers);
  }

  /** Restarts the service with changed settings, one process at a time, workers first. */
  async restart(settings: Record<string, string>): Promise<void> {
    Object.assign(this.settings, settings);
    for (const machine of [...this.workers, ...this.webs]) await machine.restart(this.settings);
  }

  private async startService(role: string, others: ServiceMachine[]): Promise<ServiceMachine> {
    const host = this.network.host(`${role}${others.length}`);
    const machine = new ServiceMachine(host, this.folder, { ...this.settings, ROLE: role });
    await machine.start();
    others.push(machine);
    return machine;
  }

  /** @throws when there is none of that name */
  machine(name: string): Machine {
    const machine = this.machines.find(({ host }) => host.name === name);
    if (!machine) throw new Error(`There is no machine ${name}`);
    return machine;
  }

  get dataDirs(): string[] {
    return [...this.webs, ...this.workers].map(({ dataDir }) => dataDir);
  }

  /** Number of clicks in the stream, on whatever masters its shards are now. */
  async waiting(): Promise<number> {
    const nodes = this.redis.map(({ host }) => ({ host: host.address, port: 6379 }));
    const cluster = new Cluster(nodes, { lazyConnect: true });
    cluster.on('error', () => undefined);
    try {
      await cluster.connect();
      const keys = await Promise.all(cluster.nodes('master').map((node) => node.keys('*:{clicks:*}:stream')));
      const lengths = await Promise.all(keys.flat().map((key) => cluster.xlen(key)));
      return lengths.reduce((sum, length) => sum + length, 0);
    } finally {
      cluster.disconnect();
    }
  }

  private get machines(): readonly Machine[] {
    const { proxy, webs, workers, redis, pooler, replicas, nodes, primary } = this;
    return [proxy, ...webs, ...workers, ...redis, pooler, ...replicas, ...nodes, primary];
  }

  /** @throws with the end of what the service has logged, when the steps fail */
  async explain(steps: () => Promise<void>): Promise<void> {
    try {
      await steps();
    } catch (cause) {
      const logs = [...this.webs, ...this.workers].map(({ name, output }) => `${name}:\n${output}`);
      throw new Error(logs.join('\n'), { cause });
    }
  }

  async end(): Promise<void> {
    this.network.mend();
    await Promise.all(this.machines.map((machine) => machine.kill()));
    remove(this.folder, this.network);
  }
}

async function distributeOver(
  coordinator: PostgresMachine,
  nodes: readonly PostgresMachine[],
): Promise<void> {
  await coordinator.query(`SELECT citus_set_coordinator_host('${coordinator.host.address}')`);
  for (const { host } of nodes) await coordinator.query(`SELECT citus_add_node('${host.address}', 5432)`);
  await migrateDatabase(coordinator.url);
  await distributeDatabase(coordinator.url);
}

/** Removes the hosts with their programs, and what they have written. */
function remove(folder: string, network: Network): void {
  network.remove();
  Disk.removeAll();
  rmSync(folder, { recursive: true, force: true });
}
