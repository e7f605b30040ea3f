import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted } from './accounts';
import type { FaultProxy } from './fault-proxy';
import type { Load } from './load';
import type { Service } from './service';
import { links, Stage, stormSeconds } from './stage';

const EXIT_LIMIT_MS = 10_000;
const CONNECTIONS = 16;

/** False for connections that are refused between the end of one process and the start of the next. */
const whileListening = (failure: string) => !failure.endsWith('ECONNREFUSED');
/** False for visits that a kill cuts off too. */
const beforeKill = (failure: string) => !/ECONNREFUSED|ECONNRESET|socket hang up/.test(failure);

describe.each([
  ['with Redis, connections kept alive', true, true],
  ['without Redis, a connection for each visit', false, false],
])('A process under load, %s', (_name, withRedis, keepAlive) => {
  // One service, which each test restarts.
  const whole = new Stage();
  const stage = new Stage();
  const stops = Math.ceil(stormSeconds(4) / 2);
  jest.setTimeout((stormSeconds(4) * 4 + 300) * 1000);
  let databaseUrl: string;
  let redisUrl: string | undefined;
  let proxies: FaultProxy[];
  let service: Service;

  beforeAll(async () => {
    databaseUrl = await whole.database();
    redisUrl = withRedis ? (await whole.redis()).url : undefined;
    const toPostgres = await whole.proxied(databaseUrl);
    const toRedis = redisUrl === undefined ? undefined : await whole.proxied(redisUrl);
    proxies = [toPostgres, toRedis].flatMap((proxied) => proxied?.proxy ?? []);
    service = await whole.service({
      DATABASE_URL: toPostgres.url,
      ...(toRedis && { REDIS_URL: toRedis.url }),
    });
  });
  afterEach(() => stage.clear());
  afterAll(() => whole.clear());

  async function start(connections: number): Promise<Load> {
    return stage.load({ ports: [service.port], links: await links(service), connections, keepAlive });
  }

  async function expectAllCounted(load: Load): Promise<void> {
    await load.stop();
    await expectCounted(load, { databaseUrl, redisUrl, dataDirs: [service.dataDir] });
  }

  async function stop(): Promise<void> {
    const sentAt = performance.now();
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - sentAt).toBeLessThan(EXIT_LIMIT_MS);
  }

  it('receives SIGTERM: fails no accepted request, and loses no click', async () => {
    const load = await start(CONNECTIONS);
    for (let i = 0; i < stops; i++) {
      await delay(700);
      await stop();
      await service.restart();
    }
    await expectAllCounted(load);
    // A connection that the kernel accepts at the moment of closing is reset before the service sees it: never an
    // established one, and of new ones at most one per connection and stop.
    const failures = load.failures.filter(whileListening);
    const resets = failures.filter((failure) => !keepAlive && failure.endsWith('ECONNRESET'));
    expect(failures).toHaveLength(resets.length);
    expect(resets.length).toBeLessThanOrEqual(CONNECTIONS * stops);
  });

  it('receives SIGKILL again and again: loses no answered click, and counts none twice', async () => {
    const load = await start(8);
    for (let i = 0; i < stops; i++) {
      await delay(2_000);
      await service.kill();
      await service.restart();
    }
    await expectAllCounted(load);
    expect(load.failures.filter(beforeKill)).toEqual([]);
  });

  if (!withRedis) return;

  it.each([
    ['refuse', 'SIGTERM'],
    ['hang', 'SIGTERM'],
    ['refuse', 'SIGKILL'],
    ['hang', 'SIGKILL'],
  ] as const)(
    'whose stores are both down (%s) receives %s: clicks wait on disk, and the next process counts them',
    async (how, signal) => {
      const load = await (await start(8)).warm();
      for (const proxy of proxies) await proxy[how]();
      await delay(4_000);
      const answered = load.answered;
      await delay(1_000);
      expect(load.answered).toBeGreaterThan(answered);
      if (signal === 'SIGTERM') await stop();
      else await service.kill();
      await load.stop();
      expect(load.failures.filter(signal === 'SIGTERM' ? whileListening : beforeKill)).toEqual([]);
      for (const proxy of proxies) {
        proxy.cut();
        await proxy.forward();
      }
      await service.restart();
      await expectAllCounted(load);
    },
  );
});
