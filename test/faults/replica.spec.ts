import { setTimeout as delay } from 'node:timers/promises';
import { eventually, within } from '../support/eventually';
import { type PostgresPair, startPostgresPair } from '../support/postgres-15';
import { expectAlerts } from '../support/promtool';
import { parseScrape, type Scrape } from '../support/scrape';
import { sql } from './accounts';
import { Customer } from './customer';
import type { Service } from './service';
import { Stage } from './stage';

const MAX_LAG_SECONDS = 2;
const LAG = 'waypost_replica_lag_seconds';
const STORES = ['replica', 'primary'] as const;

describe('A replica for lists and statistics', () => {
  const stage = new Stage();
  let servers: PostgresPair;
  let services: readonly [Service, Service];
  let customer: Customer;

  beforeAll(async () => {
    servers = await startPostgresPair();
    stage.ending(() => servers.stop());
    const env = {
      DATABASE_URL: servers.primary.url,
      DATABASE_REPLICA_URL: servers.standby.url,
      REPLICA_MAX_LAG: String(MAX_LAG_SECONDS),
      REDIS_URL: (await stage.redis()).url,
      LOG_LEVEL: 'info',
    };
    services = [await stage.service(env), await stage.service(env)];
    customer = await Customer.create(services[0].url);
  });
  afterAll(() => stage.clear());

  /** What Prometheus gets from both processes, as if they were one. */
  async function scraping(): Promise<Scrape> {
    const texts = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    return new Map([...texts.flatMap((text) => [...parseScrape(text)]), ['up', 1]]);
  }

  // The second process answers, and the first is written to.
  const listed = () => idsOfList(services[1], customer);
  const storeOfList = (of = customer) => storeReadBy(services[1], of);

  it('is read, and always shows what was written through another process', async () => {
    await eventually(async () => expect(await storeOfList()).toBe('replica'));
    for (let i = 0; i < 50; i++) {
      const { id } = await customer.createLink(services[0].url);
      expect(await listed()).toContain(id);
    }
    await eventually(async () => expect(await storeOfList()).toBe('replica'));
  });

  it('is not read by those who have written while it does not replay, and by nobody once it is too old', async () => {
    const other = await Customer.create(services[0].url);
    await eventually(async () => expect(await storeOfList(other)).toBe('replica'));
    const running = await eventually(async () => {
      const scraped = await scraping();
      expect(scraped.get('waypost_click_oldest_waiting_seconds{journal="redis"}')).toBe(0);
      return scraped;
    });
    await sql(servers.standby.url, 'SELECT pg_wal_replay_pause()');
    const { id } = await customer.createLink(services[0].url);
    expect(await storeOfList(other)).toBe('replica');
    expect(await listed()).toContain(id);
    expect(await storeOfList()).toBe('primary');
    await within(MAX_LAG_SECONDS + 2, async () => expect(await storeOfList(other)).toBe('primary'));
    expect(await listed()).toContain(id);
    const ready = await (await fetch(`${services[1].url}/health/ready`)).text();
    expect(ready).toContain('The replica is away or too far behind');
    const lagging = await scraping();
    expect(running.get(LAG)).toBeLessThan(MAX_LAG_SECONDS);
    expect(lagging.get(LAG)).toBeGreaterThan(MAX_LAG_SECONDS);
    expectAlerts(running, { first: lagging, second: lagging, seconds: 1 }, ['WaypostReplicaBehind']);

    await sql(servers.standby.url, 'SELECT pg_wal_replay_resume()');
    await eventually(async () => expect(await storeOfList()).toBe('replica'));
    expect(await listed()).toContain(id);
  });

  it.each(['SIGSTOP', 'SIGKILL'] as const)('receives %s, and no list fails', async (signal) => {
    await eventually(async () => expect(await storeOfList()).toBe('replica'));
    const before = await readsOf(services[1]);
    let stopped = false;
    const readers = Array.from({ length: 4 }, async () => {
      while (!stopped) await listed();
    });
    await eventually(async () =>
      expect((await readsOf(services[1])).replica).toBeGreaterThan(before.replica + 20),
    );
    servers.standby.signal(signal);
    await eventually(async () =>
      expect((await readsOf(services[1])).primary).toBeGreaterThan(before.primary + 20),
    );
    stopped = true;
    await Promise.all(readers);
    expect(await storeOfList()).toBe('primary');
    await eventually(async () => expect(states(services[1]).at(-1)).toBe('cannot be read'));
    const said = states(services[1]);
    expect(said.filter((state, i) => state === said[i - 1])).toEqual([]);
    const ready = await (await fetch(`${services[1].url}/health/ready`)).text();
    expect(ready).toMatch(/The replica is away or too far behind \(\w[^")]*\)/);
    if (signal === 'SIGKILL') return;
    servers.standby.signal('SIGCONT');
    await eventually(async () => expect(states(services[1]).at(-1)).toBe('is read'));
  });
});

describe('A replica that is promoted', () => {
  /** Longer than a promotion takes. */
  const maxLagSeconds = 5;
  const stage = new Stage();
  let servers: PostgresPair;
  let service: Service;
  let customer: Customer;

  beforeAll(async () => {
    servers = await startPostgresPair();
    stage.ending(() => servers.stop());
    service = await stage.service({
      DATABASE_URL: `postgres://waypost@127.0.0.1:${servers.primary.port},127.0.0.1:${servers.standby.port}/postgres`,
      DATABASE_REPLICA_URL: servers.standby.url,
      REPLICA_MAX_LAG: String(maxLagSeconds),
    });
    customer = await Customer.create(service.url);
  });
  afterAll(() => stage.clear());

  it('is not read from that moment on', async () => {
    await eventually(async () => expect(await storeReadBy(service, customer)).toBe('replica'));
    await sql(servers.standby.url, 'SELECT pg_promote()');
    expect(await storeReadBy(service, customer)).toBe('primary');
    const { id } = await customer.createLink(service.url);
    expect(await idsOfList(service, customer)).toContain(id);
  });

  it('is read only as the primary once it has taken over', async () => {
    servers.primary.signal('SIGKILL');
    const { id } = await eventually(() => customer.createLink(service.url));
    const signal = AbortSignal.timeout((maxLagSeconds + 2) * 1_000);
    while (!signal.aborted) {
      expect(await storeReadBy(service, customer)).toBe('primary');
      await delay(100);
    }
    expect(await idsOfList(service, customer)).toContain(id);
  });
});

/** What the log says about the replica, in turn. */
function states({ output }: Service): string[] {
  return [...output.matchAll(/"The replica (is read|cannot be read)/g)].map(([, state = '']) => state);
}

/** Ids of the newest links, as the process lists them. */
async function idsOfList(service: Service, customer: Customer): Promise<number[]> {
  const path = '/urls?size=100&sort=createdAt,desc';
  const { status, body } = await customer.service<{ content: { id: number }[] }>(service.url, 'GET', path);
  expect(status).toBe(200);
  return body.content.map(({ id }) => id);
}

/** Reports that the process has read, by store. */
async function readsOf(service: Service): Promise<Record<(typeof STORES)[number], number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const of = (store: string) =>
    Number(new RegExp(`^waypost_report_reads_total{store="${store}"} (.*)$`, 'm').exec(text)?.[1]);
  return { replica: of('replica'), primary: of('primary') };
}

/** Where the process reads a list from. */
async function storeReadBy(
  service: Service,
  customer: Customer,
): Promise<(typeof STORES)[number] | undefined> {
  const before = await readsOf(service);
  await idsOfList(service, customer);
  const after = await readsOf(service);
  return STORES.find((store) => after[store] > before[store]);
}
