import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted } from './accounts';
import { PostgresServer } from './postgres-server';
import { links, Stage, stormSeconds } from './stage';

/** Longest that a visitor may wait while a store goes away without a word. */
const SWITCH_MS = 6_000;

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('Postgres under load, %s', (_name, withRedis) => {
  const stage = new Stage();
  const seconds = stormSeconds(4);
  jest.setTimeout((seconds + 60) * 1000);
  let postgres: PostgresServer;

  beforeAll(async () => (postgres = await PostgresServer.start()));
  afterEach(() => stage.clear());
  afterAll(() => postgres.end());

  async function start() {
    const redisUrl = withRedis ? (await stage.redis()).url : undefined;
    const service = await stage.service({
      DATABASE_URL: postgres.url,
      ...(redisUrl && { REDIS_URL: redisUrl }),
    });
    const load = stage.load({ ports: [service.port], links: await links(service) });
    await load.warm();
    const settled = async () => {
      await delay(1_000);
      await load.stop();
      const places = { databaseUrl: postgres.directUrl, redisUrl, dataDirs: [service.dataDir] };
      await expectCounted(load, places);
      expect(load.failures).toEqual([]);
      expect(load.longest).toBeLessThan(SWITCH_MS);
    };
    return { service, settled };
  }

  it.each(['stop', 'kill'] as const)(
    'may be away (%s): cached links redirect all the while, every click counts',
    async (how) => {
      const { settled } = await start();
      await postgres[how]();
      await delay((how === 'stop' ? seconds : 1) * 1000);
      await postgres.restart();
      await settled();
    },
  );

  it.each([
    ['goes on', false],
    ['has forgotten the connections', true],
  ])('may hang, on a network that then %s', async (_how, forgotten) => {
    const { settled } = await start();
    if (forgotten) postgres.proxy.lose();
    else postgres.proxy.hang();
    await delay(seconds * 1000);
    await postgres.proxy.forward();
    await settled();
  });
});
