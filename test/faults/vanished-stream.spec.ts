import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { expectCounted } from './accounts';
import { links, Stage } from './stage';

describe('A click stream that vanishes under load', () => {
  const stage = new Stage();
  afterEach(() => stage.clear());

  it('gets the lines of the last seconds again from every web process', async () => {
    const databaseUrl = await stage.database();
    const redis = await stage.redis();
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, CLICK_STREAM_SHARDS: '2' };
    const webs = [
      await stage.service({ ...env, ROLE: 'web' }),
      await stage.service({ ...env, ROLE: 'web' }),
    ] as const;
    const worker = await stage.service({ ...env, ROLE: 'worker' });
    const client = await stage.client(redis.url);
    const load = stage.load({ ports: webs.map(({ port }) => port), links: await links(webs[0]) });
    await load.warm();

    // Nothing is counted meanwhile, so that every FLUSHALL takes uncounted clicks.
    worker.signal('SIGSTOP');
    for (let times = 0; times < 3; times++) {
      await eventually(async () => expect(await client.exists(...STREAMS)).toBe(STREAMS.length));
      await client.flushall();
    }
    await delay(700);
    worker.signal('SIGCONT');
    await delay(700);
    await load.stop();
    await expectCounted(load, { databaseUrl, redisUrl: redis.url });
    expect(load.failures).toEqual([]);
  });
});

const STREAMS = ['wp:{clicks:0}:stream', 'wp:{clicks:1}:stream'];
