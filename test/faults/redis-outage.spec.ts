import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../support/servers';
import { expectCounted } from './accounts';
import type { FaultProxy } from './fault-proxy';
import type { Service } from './service';
import { links, Stage, stormSeconds } from './stage';

/** Longest wait of a visitor when a store hangs. */
const SWITCH_MS = 6_000;

describe('Redis under load', () => {
  // One service survives all tests.
  const whole = new Stage();
  const stage = new Stage();
  const seconds = stormSeconds(3);
  jest.setTimeout((seconds * 3 + 300) * 1000);
  let databaseUrl: string;
  let redis: RedisServer;
  let proxy: FaultProxy;
  let service: Service;

  beforeAll(async () => {
    databaseUrl = await whole.database();
    redis = await whole.redis();
    const proxied = await whole.proxied(redis.url);
    proxy = proxied.proxy;
    service = await whole.service({ DATABASE_URL: databaseUrl, REDIS_URL: proxied.url });
  });
  afterEach(() => stage.clear());
  afterAll(() => whole.clear());

  async function start() {
    const load = stage.load({ ports: [service.port], links: await links(service) });
    await load.warm();
    const settled = async () => {
      await delay(1_500);
      await load.stop();
      await expectCounted(load, { databaseUrl, redisUrl: redis.url, dataDirs: [service.dataDir] });
      expect(load.failures).toEqual([]);
    };
    return { load, settled };
  }

  it('survives the loss of the last second before a power cut', async () => {
    const { settled } = await start();
    const synced = redis.appended();
    await delay(900);
    await redis.stop('SIGKILL');
    redis.truncate(synced);
    await delay(seconds * 1000 + 1_500);
    await redis.restart();
    await settled();
  });

  it('survives repeated restarts', async () => {
    const { settled } = await start();
    for (let i = 0; i < Math.max(3, seconds / 2); i++) {
      await redis.stop(i % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await redis.restart();
      await delay(700);
    }
    await settled();
  });

  it('survives a Redis that refuses writes for want of memory', async () => {
    const { settled } = await start();
    const client = await stage.client(redis.url);
    await client.config('SET', 'maxmemory', 1);
    await delay(seconds * 500);
    await client.config('SET', 'maxmemory', 0);
    await settled();
  });

  it('survives losing the connection again while it subscribes', async () => {
    const { settled } = await start();
    proxy.cut();
    await proxy.loseAfter('{bus}:invalidate');
    await delay(2_000);
    await proxy.forward();
    await settled();
  });

  it.each([
    ['recovers', false],
    ['has lost the connections', true],
  ])('may hang, on a network that then %s', async (_name, lost) => {
    const { load, settled } = await start();
    if (lost) proxy.lose();
    else proxy.hang();
    await delay((seconds + 2) * 1000);
    await proxy.forward();
    await settled();
    expect(load.longest).toBeLessThan(SWITCH_MS);
  });
});
