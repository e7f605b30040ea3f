import { Redis } from 'ioredis';
import { parseRedisAddress } from '../../src/config/redis-address';
import { slotRanges } from '../../src/infrastructure/redis/cluster/slot-ranges';
import { TestCluster } from './redis-cluster';
import { hasRedis, RedisServer, type TestServer } from './servers';

/**
 * The Redis of TEST_REDIS_URL, or a new one, or undefined if Redis is not installed. With TEST_REDIS=cluster, a cluster
 * of three masters.
 */
export async function startTestRedis(): Promise<TestServer | undefined> {
  const given = process.env.TEST_REDIS_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  if (!hasRedis()) return undefined;
  const server =
    process.env.TEST_REDIS === 'cluster' ? await TestCluster.start(3, 0) : await RedisServer.start();
  return { url: server.url, stop: () => server.end() };
}

/** Runs `use` on a connection to each server that holds keys, one after the other. */
export async function eachRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const address of await serverUrls(url)) {
    results.push(await withRedis(address, use));
  }
  return results;
}

/** Every key with a prefix, with what Redis dumps of it. */
export async function redisDump(url: string, prefix: string): Promise<{ key: string; dump: string }[]> {
  const servers = await eachRedis(url, async (redis) => {
    const own = (await redis.keys('*')).filter((key) => key.includes(prefix));
    return Promise.all(
      own.map(async (key) => {
        // Null for a key that has expired meanwhile.
        const dump = (await redis.dumpBuffer(key)) as Buffer | null;
        return { key, dump: dump?.toString('latin1') ?? '' };
      }),
    );
  });
  return servers.flat();
}

async function serverUrls(url: string): Promise<string[]> {
  const address = parseRedisAddress(url);
  if (address.kind === 'server') return [url];
  if (address.kind === 'sentinel') throw new Error('Give the URL of the master');
  for (const { host, port } of address.nodes) {
    const ranges = await withRedis(`redis://${host}:${port}`, (redis) => slotRanges(redis, host)).catch(
      () => null,
    );
    if (ranges) return [...new Set(ranges.map((range) => `redis://${range.host}:${range.port}`))];
  }
  throw new Error('No node of the cluster answers');
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null, commandTimeout: 2_000 });
  redis.on('error', () => undefined);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
