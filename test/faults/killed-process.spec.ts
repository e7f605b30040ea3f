import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted } from './accounts';
import { links, Stage, stormSeconds } from './stage';

const KILL_EVERY_MS = 2_000;

describe('a process that is killed every 2 s under load', () => {
  const stage = new Stage();
  const seconds = stormSeconds(6);
  jest.setTimeout((seconds + 120) * 1000);
  afterEach(() => stage.clear());

  it.each([
    ['with Redis', true],
    ['without Redis', false],
  ])('%s loses no answered click and counts none twice', async (_name, withRedis) => {
    const databaseUrl = await stage.database();
    const redisUrl = withRedis ? (await stage.redis()).url : undefined;
    const service = await stage.service({
      DATABASE_URL: databaseUrl,
      ...(redisUrl && { REDIS_URL: redisUrl }),
    });
    const load = stage.load({ ports: [service.port], links: await links(service) });
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      await delay(KILL_EVERY_MS);
      await service.kill();
      await service.restart();
    }
    await load.stop();
    await expectCounted(load, { databaseUrl, redisUrl, dataDirs: [service.dataDir] });
    // A kill fails requests in flight, and connections until the process listens again.
    expect(
      load.failures.filter((failure) => !/ECONNREFUSED|ECONNRESET|socket hang up/.test(failure)),
    ).toEqual([]);
  });
});
