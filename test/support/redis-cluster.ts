import { Redis } from 'ioredis';
import { SLOTS, slotOf } from '../../src/infrastructure/redis/cluster/key-slot';
import type { Certificate } from './certificate';
import { eventually } from './eventually';
import { freePort, RedisServer } from './servers';

/** A Redis Cluster for tests. */
export class TestCluster {
  private constructor(
    /** The initial masters, followed by their replicas. */
    readonly nodes: readonly RedisServer[],
    private readonly connections: readonly Redis[],
  ) {}

  /**
   * @param options further options of each node
   * @param certificate enables TLS on the nodes
   * @throws LeftOut if Redis is not installed
   */
  static async start(
    masters: number,
    replicas: number,
    options: readonly string[] = [],
    certificate?: Certificate,
  ): Promise<TestCluster> {
    const busPorts: number[] = [];
    const starting = Array.from({ length: masters + replicas }, async (_, i) => {
      // Chosen explicitly, because the default bus port, 10,000 above the other, may be in use by a connection.
      const busPort = (busPorts[i] = await freePort());
      const own = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
      return RedisServer.start([...own, ...options], certificate);
    });
    const nodes = await Promise.all(starting);
    const connections = nodes.map(({ port }) => {
      const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 100 });
      redis.on('error', () => undefined);
      return redis;
    });
    const cluster = new TestCluster(nodes, connections);
    await cluster.join(masters, busPorts);
    return cluster;
  }

  get url(): string {
    return `redis-cluster://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** For nodes with a certificate. */
  get tlsUrl(): string {
    return `redis-cluster://${this.nodes.map(({ tlsPort }) => `localhost:${tlsPort}`).join(',')}?tls=true`;
  }

  /** The master that holds a key, according to most nodes that respond. */
  async holderOf(key: string): Promise<RedisServer> {
    const slot = slotOf(key);
    const votes = new Map<number, number>();
    for (const redis of this.connections.filter(({ status }) => status === 'ready')) {
      const answer = redis.cluster('SLOTS').catch(() => []);
      const slots = await Promise.race([answer, new Promise<[]>((done) => setTimeout(() => done([]), 200))]);
      const port = slots.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[1];
      if (port) votes.set(port, (votes.get(port) ?? 0) + 1);
    }
    const [port] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [];
    const holder = this.nodes.find((node) => node.port === port);
    if (!holder) throw new Error(`No master holds slot ${slot}`);
    return holder;
  }

  /** Resolves when every node sees a working cluster and every replica is connected. */
  async settled(): Promise<void> {
    // Without `expect`, which is not available in the global set-up.
    const complete = new RegExp(
      `cluster_state:ok[^]*cluster_known_nodes:${this.nodes.length}\\b[^]*(role:master|master_link_status:up)`,
    );
    await eventually(async () => {
      for (const redis of this.connections) {
        const state = `${await redis.cluster('INFO')}${await redis.info('replication')}`;
        if (!complete.test(state)) throw new Error(`A node of the cluster is not ready:\n${state}`);
      }
    });
  }

  async end(): Promise<void> {
    for (const redis of this.connections) redis.disconnect();
    await Promise.all(this.nodes.map((node) => node.end()));
  }

  private async join(masters: number, busPorts: readonly number[]): Promise<void> {
    const [first] = this.connections;
    for (const [i, redis] of this.connections.entries()) {
      await redis.cluster('SET-CONFIG-EPOCH', i + 1);
      const node = this.nodes[i];
      if (i > 0) await first?.call('CLUSTER', 'MEET', '127.0.0.1', String(node?.port), String(busPorts[i]));
      if (i >= masters) continue;
      const [from, to] = [i, i + 1].map((part) => Math.round((part * SLOTS) / masters)) as [number, number];
      await redis.cluster(
        'ADDSLOTS',
        Array.from({ length: to - from }, (_, slot) => from + slot),
      );
    }
    await this.settled();
    for (const [i, redis] of this.connections.entries()) {
      if (i >= masters)
        await redis.cluster('REPLICATE', (await this.connections[i % masters]?.cluster('MYID')) ?? '');
    }
    await this.settled();
  }
}
