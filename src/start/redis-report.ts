import type { Redis, RedisOptions } from 'ioredis';
import { InvalidConfiguration } from '../config/invalid-configuration';
import {
  type HostAndPort,
  parseRedisAddress,
  type RedisAddress,
  redisDatabase,
} from '../config/redis-address';
import { connectRedis, isRefusedSelect, sentinelOptions } from '../infrastructure/redis/connection';
import { slotRanges } from '../infrastructure/redis/cluster/slot-ranges';
import { reasonOf } from './start-problems';

const REPLY_TIMEOUT_MS = 2_000;
const ONCE: RedisOptions = {
  lazyConnect: true,
  connectTimeout: REPLY_TIMEOUT_MS,
  commandTimeout: REPLY_TIMEOUT_MS,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
};
/** Replies of a Redis that rejects the credentials. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR Client sent AUTH)/;
/** A line in INFO of a Sentinel. */
const SENTINEL = /^(redis|server)_mode:sentinel/m;
const IS_A_SENTINEL = 'this is a Sentinel. Write redis-sentinel://host,host/name with the name of the master';

/**
 * Warns if Redis does not respond; the service starts anyway, as in an outage of Redis.
 * @throws InvalidConfiguration if Redis rejects the user, password or database of REDIS_URL, or is not of the kind that
 * the URL states
 */
export async function reportRedis(url: string): Promise<void> {
  const address = parseRedisAddress(url);
  try {
    if (address.kind === 'server') await checkServer(address.url);
    else if (address.kind === 'sentinel') await checkSentinels(address);
    else await checkCluster(address);
  } catch (error) {
    if (error instanceof InvalidConfiguration) throw error;
    const reason = reasonOf(error);
    if (isRefusedSelect(error)) throw refusal(`Redis refuses database ${redisDatabase(address)} (${reason})`);
    if (REFUSED.test(reason)) throw refusal(reason);
    say(`Redis does not respond (${reason}). Waypost starts without it, and uses it once it responds.`);
  }
}

async function checkServer(url: string): Promise<void> {
  await withConnection(connectRedis(url, ONCE), async (redis) => {
    await redis.ping();
    // The user may not be permitted to run INFO.
    const info = await redis.info().catch(() => '');
    if (/^(redis|server)_mode:cluster/m.test(info)) {
      throw refusal('this is a node of a cluster. Write redis-cluster://host,host with some of its nodes');
    }
    if (SENTINEL.test(info)) throw refusal(IS_A_SENTINEL);
    if (/^role:slave/m.test(info)) {
      throw refusal(
        'this is a replica, which takes no writes. Give its master, or redis-sentinel://host,host/name',
      );
    }
  });
}

async function checkSentinels(address: RedisAddress & { kind: 'sentinel' }): Promise<void> {
  const { sentinels, name, sentinelCredentials, tls } = address;
  await firstThatAnswers(
    sentinels,
    { ...sentinelCredentials, ...(tls && { tls: {} }) },
    async (redis, at) => {
      const master = await redis.call('SENTINEL', 'get-master-addr-by-name', name).catch((error: unknown) => {
        if (/unknown command/i.test(reasonOf(error))) throw refusal(`${at} is no Sentinel, but a Redis`);
        throw error;
      });
      if (!master) throw refusal(`the Sentinel at ${at} knows no master of this name`);
    },
  );
  await withConnection(connectRedis({ ...sentinelOptions(address), ...ONCE }), (redis) => redis.ping());
}

async function checkCluster({ nodes, credentials, tls }: RedisAddress & { kind: 'cluster' }): Promise<void> {
  await firstThatAnswers(nodes, { ...credentials, ...(tls && { tls: {} }) }, async (redis, at, { host }) => {
    const ranges = await slotRanges(redis, host).catch(async (error: unknown) => {
      if (/cluster support disabled|unknown command/i.test(reasonOf(error))) {
        if (SENTINEL.test(await redis.info().catch(() => ''))) throw refusal(IS_A_SENTINEL);
        throw refusal(`${at} is no node of a cluster. Write redis://host for a single server`);
      }
      throw error;
    });
    if (!ranges) throw new Error('CLUSTERDOWN: cluster_state is not ok');
  });
}

/** Tries servers until one responds. @throws the error of the last one, or the error of `ask` */
async function firstThatAnswers(
  servers: readonly HostAndPort[],
  options: RedisOptions,
  ask: (redis: Redis, at: string, server: HostAndPort) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  for (const server of servers) {
    const redis = connectRedis({ ...options, ...server, ...ONCE });
    try {
      await withConnection(redis, () => ask(redis, `${server.host}:${server.port}`, server));
      return;
    } catch (error) {
      if (error instanceof InvalidConfiguration) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** @throws the first error of the connection, or else that of `use` */
async function withConnection(redis: Redis, use: (redis: Redis) => Promise<unknown>): Promise<void> {
  let failure: unknown;
  redis.on('error', (error: unknown) => (failure ??= error));
  try {
    await redis.connect();
    await use(redis);
  } catch (error) {
    throw error instanceof InvalidConfiguration ? error : (failure ?? error);
  } finally {
    redis.disconnect();
  }
}

function refusal(reason: string): InvalidConfiguration {
  return new InvalidConfiguration(`REDIS_URL: ${reason}`);
}

function say(message: string): void {
  process.stderr.write(`REDIS_URL: ${message}\n`);
}
