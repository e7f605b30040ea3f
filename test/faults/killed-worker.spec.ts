import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expectCounted } from './accounts';
import { links, Stage, stormSeconds } from './stage';

describe('workers beside a web process', () => {
  const stage = new Stage();
  const seconds = stormSeconds(4);
  jest.setTimeout((seconds + 120) * 1000);
  afterEach(() => stage.clear());

  async function start() {
    const databaseUrl = await stage.database();
    const redis = await stage.redis();
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
    const web = await stage.service({ ...env, ROLE: 'web' });
    const load = stage.load({ ports: [web.port], links: await links(web) });
    const worker = () => stage.service({ ...env, ROLE: 'worker', CLICK_BATCH: '50' });
    return { load, worker, places: { databaseUrl, redisUrl: redis.url } };
  }

  it('count every click once while one worker is killed every second', async () => {
    const { load, worker, places } = await start();
    const mortal = await worker();
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      await delay(1_000);
      await mortal.kill();
      await mortal.restart();
    }
    await load.stop();
    await expectCounted(load, places);
    expect(load.failures).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'take over the entries of a worker that received %s and never recovers',
    async (signal) => {
      const { load, worker, places } = await start();
      const doomed = await worker();
      const redis = new Redis(places.redisUrl);
      while ((await pending(redis)) === 0) await delay(1);
      doomed.signal(signal);
      expect(await pending(redis)).toBeGreaterThan(0);
      redis.disconnect();
      await worker();
      await delay((seconds * 1000) / 4);
      await load.stop();
      await expectCounted(load, places);
      expect(load.failures).toEqual([]);
    },
  );
});

/** Entries that a consumer has read and not acknowledged. */
async function pending(redis: Redis): Promise<number> {
  const [entries] = (await redis.xpending('wp:{clicks:0}:stream', 'consumers').catch(() => [0])) as [number];
  return entries;
}
