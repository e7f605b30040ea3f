import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted, sql } from './accounts';
import { PostgresServer } from './postgres-server';
import type { Service } from './service';
import { links, Stage, stormSeconds } from './stage';

/** Longest wait of a visitor when a store hangs. */
const SWITCH_MS = 6_000;

/** A service of one process with a database of its own. */
interface Served {
  readonly service: Service;
  readonly database: string;
  readonly redisUrl?: string;
}

const inDatabase = (url: string, name: string) => new URL(`/${name}`, url).href;

describe('Postgres under load, with Redis and without', () => {
  // The services survive all tests.
  const whole = new Stage();
  const stage = new Stage();
  const seconds = stormSeconds(4);
  jest.setTimeout((seconds + 300) * 1000);
  let postgres: PostgresServer;
  let all: readonly [withRedis: Served, withoutRedis: Served];

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    const other = 'without_redis';
    await sql(inDatabase(postgres.directUrl, 'postgres'), `CREATE DATABASE ${other} TEMPLATE waypost`);
    const serve = async (database: string, redisUrl?: string): Promise<Served> => {
      const env = { DATABASE_URL: inDatabase(postgres.url, database) };
      const service = await whole.service({ ...env, ...(redisUrl && { REDIS_URL: redisUrl }) });
      return { service, database, redisUrl };
    };
    const { url } = await whole.redis();
    all = await Promise.all([serve('waypost', url), serve(other)]);
  });
  afterEach(() => stage.clear());
  afterAll(async () => {
    await whole.clear();
    await postgres.end();
  });

  /** @param served those whose links are visited */
  async function start(served: readonly Served[] = all) {
    const loads = await Promise.all(
      served.map(async ({ service }) =>
        stage.load({ ports: [service.port], links: await links(service), connections: 4 }).warm(),
      ),
    );
    const settled = async () => {
      await delay(1_000);
      for (const [i, load] of loads.entries()) {
        const { service, database, redisUrl } = served[i] as Served;
        await load.stop();
        const databaseUrl = inDatabase(postgres.directUrl, database);
        await expectCounted(load, { databaseUrl, redisUrl, dataDirs: [service.dataDir] });
        expect(load.failures).toEqual([]);
        expect(load.longest).toBeLessThan(SWITCH_MS);
      }
    };
    return { settled };
  }

  /** The check of a load balancer, which must not remove a process that can redirect. */
  async function expectReady(status: number, query: string): Promise<void> {
    for (const { service } of all) {
      const answer = await fetch(`${service.url}/health/ready${query}`);
      expect([query, answer.status]).toEqual([query, status]);
    }
  }

  it.each(['stop', 'kill'] as const)(
    'may be down (%s): cached links keep redirecting, and every click counts',
    async (how) => {
      const { settled } = await start();
      await postgres[how]();
      await expectReady(200, '');
      await expectReady(503, '?for=api');
      await expectReady(503, '?for=worker');
      await delay((how === 'stop' ? seconds : 1) * 1000);
      await expectReady(200, '');
      await postgres.restart();
      await settled();
    },
  );

  it.each([
    ['recovers', false],
    ['has lost the connections', true],
  ])('may hang, on a network that then %s', async (_how, lost) => {
    const { settled } = await start();
    if (lost) postgres.proxy.lose();
    else postgres.proxy.hang();
    await expectReady(200, '');
    await delay(seconds * 1000);
    await postgres.proxy.forward();
    await settled();
  });

  it.each([
    ['with Redis', 0],
    ['without Redis', 1],
  ] as const)('may be lost while a process %s waits for the rows of a COPY', async (_name, n) => {
    const { settled } = await start([all[n]]);
    await postgres.proxy.loseAfter('COPY clicks');
    await delay(seconds * 1000);
    await postgres.proxy.forward();
    await settled();
  });
});
