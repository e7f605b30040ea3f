import { Redis } from 'ioredis';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { reasonOf } from './start-problems';

const REPLY_TIMEOUT_MS = 2_000;
/** Replies of a Redis that rejects the connection for good. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR Client sent AUTH|ERR invalid DB index)/;

/**
 * Reports that Redis does not respond; the service starts anyway and behaves as in an outage of Redis.
 * @throws InvalidConfiguration if Redis rejects the user, password or database of REDIS_URL
 */
export async function reportRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REPLY_TIMEOUT_MS,
    commandTimeout: REPLY_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: unknown;
  redis.on('error', (error: unknown) => (failure ??= error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    const reason = reasonOf(failure ?? error);
    if (REFUSED.test(reason)) throw new InvalidConfiguration(`REDIS_URL: ${reason}`);
    process.stderr.write(
      `REDIS_URL: Redis does not respond (${reason}). Waypost starts without it, and uses it once it ` +
        'responds.\n',
    );
  } finally {
    redis.disconnect();
  }
}
