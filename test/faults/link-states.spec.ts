import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../support/servers';
import { Customer } from './customer';
import type { FaultProxy } from './fault-proxy';
import type { Service } from './service';
import { Stage } from './stage';

/** docs/concepts/redirects.md#how-soon-changes-show */
const RIGHT_WITHIN_MS = 1_000;
/** How long the answers must stay right: longer than processes take to find a store again. */
const WATCHED_MS = 3_000;
const THERE = 'https://shop.example.com/spring';
const SOON = 'https://shop.example.com/soon';
const OVER = 'https://shop.example.com/over';
const PAST = '2026-01-01';
const FUTURE = '2036-01-01';
/** Stands for a time soon after the change: one in the past is refused. */
const SHORTLY = 'shortly';
const SHORTLY_MS = 4_000;

/** Status of an answer, and where it leads. */
type Expected = readonly [status: number, location?: string];

const OPEN: Expected = [302, THERE];
const NOT_FOUND: Expected = [404];

/** A change of a link or campaign, by its fields in both APIs unless said otherwise. */
interface Change {
  readonly name: string;
  readonly from?: object;
  /** Null: it is deleted. `expiresAt` and `alias` have other names for links, and `alias` is made unique. */
  readonly to: Readonly<Record<string, unknown>> | null;
  /** Answer before, if it is not THERE. */
  readonly before?: Expected;
  readonly after: Expected;
  /** Answer at the alias that it moves to. */
  readonly there?: Expected;
}

const CHANGES: readonly Change[] = [
  { name: 'switched off', to: { enabled: false }, after: NOT_FOUND },
  { name: 'switched on', from: { enabled: false }, to: { enabled: true }, before: NOT_FOUND, after: OPEN },
  { name: 'expiring', to: { expiresAt: SHORTLY }, after: [410] },
  { name: 'expiring, with a place to go', to: { expiresAt: SHORTLY, expiredUrl: OVER }, after: [302, OVER] },
  { name: 'not started', to: { startsAt: FUTURE }, after: NOT_FOUND },
  {
    name: 'not started, with a place to go',
    to: { startsAt: FUTURE, notStartedUrl: SOON },
    after: [302, SOON],
  },
  {
    name: 'started',
    from: { startsAt: FUTURE },
    to: { startsAt: PAST },
    before: NOT_FOUND,
    after: OPEN,
  },
  { name: 'archived', to: { archived: true }, after: OPEN },
  { name: 'moved', to: { alias: 'moved' }, after: OPEN, there: OPEN },
  {
    name: 'moved, and its alias released',
    to: { alias: 'released', releaseOld: true },
    after: NOT_FOUND,
    there: OPEN,
  },
  { name: 'led elsewhere', to: { originalUrl: OVER }, after: [302, OVER] },
  { name: 'deleted', to: null, after: NOT_FOUND },
];

interface Kind {
  readonly name: string;
  readonly api: string;
  readonly prefix: string;
  readonly alias: string;
  readonly expiresAt: string;
}

const KINDS: readonly Kind[] = [
  { name: 'link', api: '/urls', prefix: '/', alias: 'customAlias', expiresAt: 'expirationDate' },
  { name: 'campaign', api: '/campaigns', prefix: '/c/', alias: 'alias', expiresAt: 'expiresAt' },
];

/** A link or campaign that both processes have answered for, at both of its aliases. */
interface Cached {
  readonly title: string;
  readonly paths: readonly string[];
  readonly expected: readonly Expected[];
  /** Whether its answer changes later than its row. */
  readonly isLate: boolean;
  readonly change: () => Promise<void>;
}

describe('links and campaigns that change are right within a second on both processes', () => {
  const stage = new Stage();
  let redis: RedisServer;
  /** The network between each process and Redis. */
  let proxies: FaultProxy[];
  let services: Service[];
  /** Those of the processes that run. */
  let running: readonly Service[];
  let customer: Customer;
  let suffix = 0;

  beforeAll(async () => {
    const databaseUrl = await stage.database();
    redis = await stage.redis();
    const start = async () => {
      const { proxy, url } = await stage.proxied(redis.url);
      return { proxy, service: await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: url }) };
    };
    const started = await Promise.all([start(), start()]);
    proxies = started.map(({ proxy }) => proxy);
    services = started.map(({ service }) => service);
    running = services;
    customer = await Customer.create(services[0]?.url ?? '');
  });
  afterAll(() => stage.clear());

  /** The answers of the processes at a path, to GET and HEAD. No answer may be stored outside. */
  async function answersAt(path: string): Promise<Expected[]> {
    const asked = running.flatMap(({ port }) =>
      ['GET', 'HEAD'].map(async (method): Promise<Expected> => {
        const answer = await fetch(`http://localhost:${port}${path}`, { method, redirect: 'manual' });
        await answer.arrayBuffer();
        expect([path, answer.headers.get('cache-control')]).toEqual([path, 'private, no-store']);
        const location = answer.headers.get('location');
        return location === null ? [answer.status] : [answer.status, location];
      }),
    );
    return Promise.all(asked);
  }

  /** The titles of those whose answers are not as expected, with the answers. */
  async function wrong(cached: readonly Pick<Cached, 'title' | 'paths' | 'expected'>[]): Promise<string[]> {
    const found = await Promise.all(
      cached.flatMap(({ title, paths, expected }) =>
        paths.map(async (path, i) => {
          const answers = await answersAt(path);
          const isRight = answers.every((answer) => JSON.stringify(answer) === JSON.stringify(expected[i]));
          return isRight ? [] : [`${title}: ${path} is ${JSON.stringify(answers)}`];
        }),
      ),
    );
    return found.flat();
  }

  async function cache(kind: Kind, change: Change): Promise<Cached> {
    const url = services[0]?.url ?? '';
    const alias = `state-${suffix++}`;
    const to = { ...change.to };
    const moved = typeof to.alias === 'string' ? `${to.alias}-${suffix}` : null;
    if (moved) {
      delete to.alias;
      to[kind.alias] = moved;
    }
    const isLate = to.expiresAt === SHORTLY;
    if (isLate) delete to.expiresAt;
    const { id } = await customer.post<{ id: number }>(url, `/api/v1/service${kind.api}`, {
      ...(kind.name === 'link' ? { url: THERE } : { originalUrl: THERE, name: 'States' }),
      [kind.alias]: alias,
      ...change.from,
    });
    const paths = [alias, ...(moved ? [moved] : [])].map((code) => kind.prefix + code);
    const title = `${kind.name} ${change.name}`;
    const before = { title, paths, expected: [change.before ?? OPEN, NOT_FOUND] };
    expect(await wrong([before])).toEqual([]);
    return {
      title,
      paths,
      isLate,
      expected: [change.after, ...(change.there ? [change.there] : [])],
      change: async () => {
        const at = Date.now() + SHORTLY_MS;
        if (isLate) to[kind.expiresAt] = new Date(at).toISOString();
        const body = change.to === null ? undefined : to;
        const { status } = await customer.service(url, body ? 'PUT' : 'DELETE', `${kind.api}/${id}`, body);
        expect([title, status]).toEqual([title, body ? 200 : 204]);
        if (isLate) await delay(at - Date.now());
      },
    };
  }

  /** Watches answers that must be right. */
  async function expectStillRight(cached: readonly Cached[]): Promise<void> {
    const until = performance.now() + WATCHED_MS;
    do {
      expect(await wrong(cached)).toEqual([]);
      await delay(50);
    } while (performance.now() < until);
  }

  const promptOf = (cached: readonly Cached[]) => cached.filter(({ isLate }) => !isLate);
  const cacheAll = () => Promise.all(KINDS.flatMap((kind) => CHANGES.map((change) => cache(kind, change))));

  /** Changes all of them. From a second later on, every answer must be right. */
  async function expectRight(cached: readonly Cached[], meanwhile?: Promise<unknown>): Promise<void> {
    const prompt = promptOf(cached);
    const late = Promise.all(cached.filter(({ isLate }) => isLate).map(({ change }) => change()));
    await Promise.all(prompt.map(({ change }) => change()));
    await delay(RIGHT_WITHIN_MS);
    await expectStillRight(prompt);
    await Promise.all([late, meanwhile]);
    await delay(RIGHT_WITHIN_MS);
    expect(await wrong(cached)).toEqual([]);
  }

  it('with Redis', async () => {
    await expectRight(await cacheAll());
  });

  it('while Redis is away, by Postgres notifications, and after it has come back', async () => {
    const cached = await cacheAll();
    await redis.stop('SIGKILL');
    await expectRight(cached);
    await Promise.all([redis.restart(), expectStillRight(cached)]);
  });

  it('while Redis restarts', async () => {
    const cached = await cacheAll();
    await redis.stop('SIGTERM');
    await expectRight(
      cached,
      delay(300).then(() => redis.restart()),
    );
  });

  it('just after Redis has restarted', async () => {
    const cached = await cacheAll();
    await redis.stop('SIGKILL');
    await redis.restart();
    await expectRight(cached);
  });

  it.each([
    ['changes them', 0],
    ['does not change them', 1],
  ])('while only the process that %s is cut off from Redis', async (_, n) => {
    const cached = await cacheAll();
    await proxies[n]?.refuse();
    await expectRight(
      cached,
      delay(WATCHED_MS / 2).then(() => proxies[n]?.forward()),
    );
  });

  it('while Redis hangs, and after it resumes', async () => {
    const cached = await cacheAll();
    for (const proxy of proxies) proxy.hang();
    await expectRight(
      cached,
      delay(WATCHED_MS).then(() => Promise.all(proxies.map((proxy) => proxy.forward()))),
    );
  });

  it('when the process that changed them without Redis is killed before Redis is back', async () => {
    const prompt = promptOf(await cacheAll());
    const [changing, other] = services;
    for (const proxy of proxies) await proxy.refuse();
    await Promise.all(prompt.map(({ change }) => change()));
    await changing?.kill();
    running = services.filter((service) => service === other);
    await delay(RIGHT_WITHIN_MS);
    expect(await wrong(prompt)).toEqual([]);
    for (const proxy of proxies) await proxy.forward();
    await changing?.restart();
    running = services;
    await expectStillRight(prompt);
  });
});
