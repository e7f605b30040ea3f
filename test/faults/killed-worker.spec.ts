import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { expectCounted } from './accounts';
import { links, Stage } from './stage';

describe('A worker beside a web process', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  it('takes over the entries of one that received SIGSTOP and never recovers', async () => {
    const databaseUrl = await stage.database();
    const redisUrl = (await stage.redis()).url;
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    const web = await stage.service({ ...env, ROLE: 'web' });
    const load = stage.load({ ports: [web.port], links: await links(web) });
    const doomed = await stage.service({ ...env, ROLE: 'worker', CLICK_BATCH: '50' });
    const redis = await stage.client(redisUrl);
    while ((await pending(redis)) === 0) await delay(1);
    doomed.signal('SIGSTOP');
    expect(await pending(redis)).toBeGreaterThan(0);
    await stage.service({ ...env, ROLE: 'worker' });
    await delay(1_000);
    await load.stop();
    await expectCounted(load, { databaseUrl, redisUrl });
    expect(load.failures).toEqual([]);
  });
});

/** Entries that a consumer has read and not acknowledged. */
async function pending(redis: Redis): Promise<number> {
  const [entries] = (await redis.xpending('wp:{clicks:0}:stream', 'consumers').catch(() => [0])) as [number];
  return entries;
}
