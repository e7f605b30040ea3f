import { rmSync } from 'node:fs';
import { Cluster } from 'ioredis';
import { LeftOut } from '../support/left-out';
import { temporaryFolder } from '../support/servers';
import { ENCRYPTION_KEYS } from '../support/test-app';
import { CONSOLE_TOKEN } from '../faults/service';
import { Disk } from './disk';
import type { Machine } from './machine';
import { Network } from './network';
import { faketime, HaProxy, ServiceMachine } from './processes';
import { formCluster, has, PgBouncer, PostgresMachine, RedisNode } from './stores';

const PROGRAMS = {
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-cli': 'redis-server',
} as const;

const MASTERS = 3;

/** HAProxy, two web and two worker processes, a Redis Cluster, PgBouncer, and a Postgres with a standby: a host each. */
export class Installation {
  private constructor(
    private readonly folder: string,
    readonly network: Network,
    readonly primary: PostgresMachine,
    readonly replica: PostgresMachine,
    readonly pooler: PgBouncer,
    /** Masters first, at the start. */
    readonly redis: readonly RedisNode[],
    readonly webs: readonly ServiceMachine[],
    readonly workers: readonly ServiceMachine[],
    readonly proxy: HaProxy,
  ) {}

  /** @throws LeftOut where a program is missing */
  static async start(): Promise<Installation> {
    for (const [program, debian] of Object.entries(PROGRAMS)) {
      if (!has(program)) throw new LeftOut(`${program} (apt-get install ${debian})`);
    }
    if (!faketime()) throw new LeftOut('libfaketime (apt-get install faketime)');
    const folder = temporaryFolder('machines');
    const network = Network.create();
    try {
      return await Installation.assemble(folder, network);
    } catch (error) {
      remove(folder, network);
      throw error;
    }
  }

  private static async assemble(folder: string, network: Network): Promise<Installation> {
    const host = (name: string) => network.host(name);

    const primary = new PostgresMachine(host('primary'), folder);
    primary.initialize();
    await primary.start();
    await primary.query('CREATE DATABASE waypost', 'postgres');
    const replica = new PostgresMachine(host('replica'), folder, primary);
    replica.initialize();
    const pooler = new PgBouncer(host('pooler'), folder, primary);
    const redis = Array.from({ length: 2 * MASTERS }, (_, n) => new RedisNode(host(`redis${n}`), folder));
    await Promise.all([replica, pooler, ...redis].map((machine) => machine.start()));
    await formCluster(redis);

    const proxyHost = host('proxy');
    const settings = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: primary.url,
      DATABASE_REPLICA_URL: replica.url,
      REDIS_URL: `redis-cluster://${redis.map(({ address }) => address).join(',')}`,
      CLICK_STREAM_SHARDS: '4',
      BASE_URL: `http://${proxyHost.address}`,
      SHORT_URL_BASE: 'http://localhost',
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      OG_FETCH: 'false',
      LINK_HEALTH: 'false',
      OUTBOUND_ALLOW_PRIVATE: 'true',
    };
    const service = (role: string) => (n: number) =>
      new ServiceMachine(host(`${role}${n}`), folder, { ...settings, ROLE: role });
    const webs = [0, 1].map(service('web'));
    const workers = [0, 1].map(service('worker'));
    for (const machine of [...webs, ...workers]) await machine.start();
    const proxy = new HaProxy(proxyHost, folder, webs);
    await proxy.start();
    return new Installation(folder, network, primary, replica, pooler, redis, webs, workers, proxy);
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
    const { proxy, webs, workers, redis, pooler, replica, primary } = this;
    return [proxy, ...webs, ...workers, ...redis, pooler, replica, primary];
  }

  async end(): Promise<void> {
    this.network.mend();
    await Promise.all(this.machines.map((machine) => machine.kill()));
    remove(this.folder, this.network);
  }
}

/** Removes the hosts with their programs, and what they have written. */
function remove(folder: string, network: Network): void {
  network.remove();
  Disk.removeAll();
  rmSync(folder, { recursive: true, force: true });
}
