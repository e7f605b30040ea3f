import { setTimeout as delay } from 'node:timers/promises';
import { expectCounted } from './accounts';
import { Customer } from './customer';
import { PostgresServer } from './postgres-server';
import type { Service } from './service';
import { links, Stage, stormSeconds } from './stage';

/** Longest wait of a visitor when a store hangs. */
const SWITCH_MS = 6_000;

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('Postgres under load, %s', (_name, withRedis) => {
  // One service survives all tests.
  const whole = new Stage();
  const stage = new Stage();
  const seconds = stormSeconds(4);
  jest.setTimeout((seconds + 120) * 1000);
  let postgres: PostgresServer;
  let redisUrl: string | undefined;
  let service: Service;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    redisUrl = withRedis ? (await whole.redis()).url : undefined;
    service = await whole.service({
      DATABASE_URL: postgres.url,
      ...(redisUrl && { REDIS_URL: redisUrl }),
    });
  });
  afterEach(() => stage.clear());
  afterAll(async () => {
    await whole.clear();
    await postgres.end();
  });

  async function start() {
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
    return { settled };
  }

  /** The check of a load balancer, which must not remove a process that can redirect. */
  async function expectReady(status: number, query: string): Promise<void> {
    const answer = await fetch(`${service.url}/health/ready${query}`);
    expect([query, answer.status]).toEqual([query, status]);
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

  it('may go down before the first visit of what has just been made or changed', async () => {
    const customer = await Customer.create(service.url);
    const made = await customer.createLink(service.url);
    const changed = await customer.createLink(service.url);
    await customer.post(service.url, '/api/v1/service/urls/bulk', {
      items: [{ url: 'https://shop.example.com/bulk', customAlias: 'first-visit' }],
    });
    const { status } = await customer.service(service.url, 'PUT', `/urls/${changed.id}`, {
      originalUrl: 'https://shop.example.com/changed',
    });
    expect(status).toBe(200);
    await postgres.stop();
    const visit = (code: string) => fetch(`http://localhost:${service.port}/${code}`, { redirect: 'manual' });
    const answers = await Promise.all([made.code, changed.code, 'first-visit'].map(visit));
    expect(answers.map((answer) => [answer.status, answer.headers.get('location')])).toEqual([
      [302, 'https://shop.example.com/spring'],
      [302, 'https://shop.example.com/changed'],
      [302, 'https://shop.example.com/bulk'],
    ]);
    await postgres.restart();
  });

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

  it('may be lost while it waits for the rows of a COPY', async () => {
    const { settled } = await start();
    await postgres.proxy.loseAfter('COPY clicks');
    await delay(seconds * 1000);
    await postgres.proxy.forward();
    await settled();
  });
});
