import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted } from './accounts';
import { links, Stage } from './stage';

describe('Redis and Postgres both down', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  it.each(['refuse', 'hang'] as const)(
    '(%s): clicks wait on disk, and the next process with the data folder counts them',
    async (how) => {
      const databaseUrl = await stage.database();
      const redis = await stage.redis();
      const toPostgres = await stage.proxied(databaseUrl);
      const toRedis = await stage.proxied(redis.url);
      const env = { DATABASE_URL: toPostgres.url, REDIS_URL: toRedis.url };
      const first = await stage.service(env);
      const load = stage.load({ ports: [first.port], links: await links(first) });
      await load.warm();

      await Promise.all([toPostgres.proxy[how](), toRedis.proxy[how]()]);
      await delay(4_000);
      const answered = load.answered;
      await delay(1_000);
      expect(load.answered).toBeGreaterThan(answered);
      await first.kill();
      await load.stop();
      expect(
        load.failures.filter((failure) => !/ECONNREFUSED|ECONNRESET|socket hang up/.test(failure)),
      ).toEqual([]);

      for (const { proxy } of [toPostgres, toRedis]) {
        proxy.cut();
        await proxy.forward();
      }
      await first.restart();
      await expectCounted(load, { databaseUrl, redisUrl: redis.url, dataDirs: [first.dataDir] });
    },
  );
});
