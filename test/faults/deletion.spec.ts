import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../support/servers';
import { Customer, type TestLink, visit } from './customer';
import type { FaultProxy } from './fault-proxy';
import type { Service } from './service';
import { Stage } from './stage';

/** docs/concepts/redirects.md#how-soon-changes-show */
const STOPS_WITHIN_MS = 1_000;

type End = (customer: Customer, url: string, link: TestLink) => Promise<void>;

describe.each<[string, End]>([
  ['deleted', (customer, url, link) => customer.deleteLink(url, link)],
  ['switched off', (customer, url, link) => customer.changeLink(url, link, { enabled: false })],
])('a link that is %s stops within a second on the other process', (_, end) => {
  const stage = new Stage();
  let redis: RedisServer;
  /** The network between each process and Redis. */
  let proxies: FaultProxy[];
  let ending: Service;
  let other: Service;
  let customer: Customer;

  beforeAll(async () => {
    const databaseUrl = await stage.database();
    redis = await stage.redis();
    const start = async () => {
      const { proxy, url } = await stage.proxied(redis.url);
      const service = await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: url });
      return { proxy, service };
    };
    const [one, two] = await Promise.all([start(), start()]);
    proxies = [one.proxy, two.proxy];
    ending = one.service;
    other = two.service;
    customer = await Customer.create(ending.url);
  });
  afterAll(() => stage.clear());

  /** A link that both processes have redirected, so that it is cached in memory and Redis. */
  async function cached(): Promise<TestLink> {
    const link = await customer.createLink(ending.url);
    for (const { url } of [other, ending]) expect(await visit(url, link, '198.51.100.1')).toBe(302);
    return link;
  }

  /** Ends the link and keeps visiting it. @returns when the other process last redirected it, after the end */
  async function lastRedirect(link: TestLink): Promise<number> {
    let last = 0;
    let endedAt = Infinity;
    const ended = end(customer, ending.url, link).then(() => (endedAt = performance.now()));
    while (performance.now() - endedAt < 2_500) {
      const sentAt = performance.now();
      if ((await visit(other.url, link, '198.51.100.1')) === 302) last = sentAt - endedAt;
      await delay(10);
    }
    await ended;
    return last;
  }

  it('while Redis is up', async () => {
    const link = await cached();
    expect(await lastRedirect(link)).toBeLessThan(STOPS_WITHIN_MS);
  });

  it('while Redis is down, and still after its recovery', async () => {
    const early = await cached();
    const middle = await cached();
    const late = await cached();
    await redis.stop('SIGKILL');
    await end(customer, ending.url, early);
    await delay(STOPS_WITHIN_MS);
    expect(await visit(other.url, early, '198.51.100.1')).toBe(404);
    expect(await lastRedirect(middle)).toBeLessThan(STOPS_WITHIN_MS);
    const restarted = redis.restart();
    const answers = new Set<number>();
    const back = delay(3_000, true);
    const waiting = { yet: true };
    void back.then(() => (waiting.yet = false));
    const removed = restarted.then(() => lastRedirect(late));
    while (waiting.yet) answers.add(await visit(other.url, early, '198.51.100.1'));
    expect([...answers]).toEqual([404]);
    expect(await removed).toBeLessThan(STOPS_WITHIN_MS);
  });

  it('while Redis hangs, and after it resumes', async () => {
    const early = await cached();
    const late = await cached();
    for (const proxy of proxies) proxy.hang();
    expect(await lastRedirect(early)).toBeLessThan(STOPS_WITHIN_MS);
    await Promise.all(proxies.map((proxy) => proxy.forward()));
    expect(await lastRedirect(late)).toBeLessThan(STOPS_WITHIN_MS);
    expect(await visit(other.url, early, '198.51.100.1')).toBe(404);
  });

  it('when the process that ended it without Redis is killed before Redis is back', async () => {
    const link = await cached();
    await Promise.all(proxies.map((proxy) => proxy.refuse()));
    await end(customer, ending.url, link);
    await ending.kill();
    await delay(STOPS_WITHIN_MS);
    expect(await visit(other.url, link, '198.51.100.1')).toBe(404);
    await Promise.all(proxies.map((proxy) => proxy.forward()));
    await ending.restart();
    for (const { url } of [other, ending]) expect(await visit(url, link, '198.51.100.1')).toBe(404);
  });

  it('while only the process that ends it is cut off from Redis', async () => {
    const link = await cached();
    await proxies[0]?.refuse();
    await delay(500);
    const last = await lastRedirect(link);
    await proxies[0]?.forward();
    expect(last).toBeLessThan(STOPS_WITHIN_MS);
  });
});
