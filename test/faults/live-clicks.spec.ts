import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, within } from '../support/eventually';
import type { RedisServer } from '../support/servers';
import { expectCounted, sql } from './accounts';
import { Customer } from './customer';
import { Listener } from './live-listener';
import type { Load } from './load';
import { PostgresServer } from './postgres-server';
import type { Service } from './service';
import { Stage, stormSeconds } from './stage';

const LISTENERS = 10;
/** docs/concepts/clicks.md#live */
const SHOWN_WITHIN_SECONDS = 2;

describe('listeners to live clicks', () => {
  // The processes and their stores survive all tests.
  const whole = new Stage();
  const stage = new Stage();
  const seconds = stormSeconds(2);
  jest.setTimeout((seconds + 300) * 1000);
  let postgres: PostgresServer;
  let redis: RedisServer;
  let webs: readonly [Service, Service];
  let worker: Service;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    redis = await whole.redis();
    const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
    const web = () => whole.service({ ...env, ROLE: 'web' });
    webs = await Promise.all([web(), web()]);
    worker = await whole.service({ ...env, ROLE: 'worker', CLICK_BATCH: '50' });
  });
  afterEach(() => stage.clear());
  afterAll(async () => {
    await whole.clear();
    await postgres.end();
  });

  /** Load on both web processes, with listeners of a new organization that come to them in turn. */
  async function start() {
    const [one, two] = webs;
    const customer = await Customer.create(one.url);
    const links = await customer.createLinks(one.url, 10);
    const listeners = Array.from({ length: LISTENERS }, (_, i) => {
      const [first, second] = i % 2 === 0 ? [one, two] : [two, one];
      return stage.listener(new Listener(customer, [first.url, second.url]));
    });
    await ready(listeners);
    const load = stage.load({ ports: [one.port, two.port], links });
    await load.warm();
    const counted = async (visits: Load) => {
      await visits.stop();
      const dataDirs = webs.map(({ dataDir }) => dataDir);
      await expectCounted(visits, { databaseUrl: postgres.directUrl, redisUrl: redis.url, dataDirs });
      await expectShown(listeners, customer);
    };
    const settled = async () => {
      await delay(500);
      await counted(load);
    };
    return { customer, listeners, load, counted, settled };
  }

  async function ready(listeners: readonly Listener[]): Promise<void> {
    await eventually(async () =>
      expect(await Promise.resolve(listeners.map(({ isReady }) => isReady))).not.toContain(false),
    );
  }

  /** Asserts that every counted click of the organization has been shown to each of them once. */
  async function expectShown(listeners: readonly Listener[], { organizationId }: Customer): Promise<void> {
    const rows = await sql<{ id: string }>(
      postgres.directUrl,
      `SELECT id FROM clicks WHERE organization_id = ${organizationId} ORDER BY id`,
    );
    const counted = rows.map(({ id }) => Number(id));
    await within(SHOWN_WITHIN_SECONDS, async () => {
      const shown = await Promise.resolve(listeners.map((listener) => listener.shown));
      for (const ids of shown) expect(ids.sort((a, b) => a - b)).toEqual(counted);
    });
    expect(listeners.map(({ resets }) => resets)).toEqual(listeners.map(() => 0));
    expect(counted.length).toBeGreaterThan(0);
  }

  async function storm(act: (round: number) => Promise<unknown>): Promise<void> {
    const until = performance.now() + seconds * 1000;
    for (let round = 0; round < 2 || performance.now() < until; round++) {
      await act(round);
      await delay(700);
    }
  }

  const again = async (service: Service) => {
    await service.kill();
    await service.restart();
  };

  it('see each click once while the worker that counts is killed again and again', async () => {
    const { listeners, load, settled } = await start();
    await storm(() => again(worker));
    await settled();
    expect(load.failures).toEqual([]);
    expect(listeners.map(({ returns }) => returns)).toEqual(listeners.map(() => 0));
  });

  it('see each click once while web processes are killed, and they come back to the other one', async () => {
    const { listeners, settled } = await start();
    await storm(async (round) => {
      const doomed = webs[round % 2];
      if (doomed) await again(doomed);
      await ready(listeners);
    });
    await settled();
    expect(Math.min(...listeners.map(({ returns }) => returns))).toBeGreaterThan(0);
  });

  it('see each click once while they leave and come back', async () => {
    const { listeners, settled } = await start();
    await storm(async () => {
      for (const listener of listeners) {
        listener.leave();
        await delay(20);
      }
    });
    await ready(listeners);
    await settled();
  });

  it('see each click once while Redis restarts', async () => {
    const { listeners, settled } = await start();
    await storm(async (round) => {
      await redis.stop(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await delay(300);
      await redis.restart();
    });
    await settled();
    expect(listeners.map(({ returns }) => returns)).toEqual(listeners.map(() => 0));
  });

  it('leave nothing behind: neither streams nor sockets, though their connections break', async () => {
    const { listeners, customer, load, settled } = await start();
    const [{ pid, url }] = webs;
    const room = 10;
    await customer.limit(url, { liveListeners: listeners.length + room });
    const before = socketsOf(pid);
    const answered = load.answered;
    for (let round = 0; round < 10; round++) {
      const streams = await Promise.all(Array.from({ length: room / 2 }, () => customer.listen(url)));
      expect(streams.map(({ response }) => response.statusCode)).toEqual(streams.map(() => 200));
      // Some leave before they are told that they are ready, and some after their first clicks.
      await delay(round * 100);
      for (const stream of streams) stream.close();
      await eventually(async () => expect(await Promise.resolve(socketsOf(pid))).toBeLessThan(before + 5));
    }
    expect(load.answered).toBeGreaterThan(answered);
    // A use ends a moment after its connection.
    await eventually(async () => {
      const last = await Promise.all(Array.from({ length: room + 1 }, () => customer.listen(url)));
      for (const stream of last) stream.close();
      const statuses = last.map(({ response }) => response.statusCode ?? 0);
      expect(statuses.sort((a, b) => a - b)).toEqual([...Array<number>(room).fill(200), 403]);
    });
    await settled();
  });

  it('see each click once while Postgres restarts', async () => {
    const { listeners, settled } = await start();
    for (const how of ['stop', 'kill'] as const) {
      await postgres[how]();
      await delay(500);
      await postgres.restart();
      await delay(1_500);
      // Half of them come back to the other process, with an id from before.
      for (const listener of listeners.slice(0, LISTENERS / 2)) listener.leave();
    }
    await settled();
  });

  it('see clicks whose transactions have the ids of some that a crash forgot', async () => {
    const { customer, load, listeners, counted } = await start();
    await load.stop();
    const nextId = async () => {
      const [row] = await sql<{ id: string }>(
        postgres.directUrl,
        'SELECT pg_snapshot_xmax(pg_current_snapshot()) AS id',
      );
      return Number(row?.id);
    };
    // The log of transactions that roll back is written later, with that of a commit at the latest.
    const rolledBack = `DO $$ BEGIN FOR i IN 1..50 LOOP PERFORM pg_current_xact_id(); ROLLBACK; END LOOP; END $$`;
    await sql(postgres.directUrl, `ALTER SYSTEM SET wal_writer_delay = '10s'`);
    await sql(postgres.directUrl, 'SELECT pg_reload_conf()');
    let forgotten = 0;
    let next = 0;
    // A commit just before the kill flushes the WAL, so that nothing is forgotten.
    for (let round = 0; round < 5 && next >= forgotten; round++) {
      for (let burst = 0; burst < 50; burst++) await sql(postgres.directUrl, rolledBack);
      forgotten = await nextId();
      await postgres.kill();
      await postgres.restart();
      next = await nextId();
    }
    expect(next).toBeLessThan(forgotten);
    // Half of them come back with an id from before.
    for (const listener of listeners.slice(0, LISTENERS / 2)) listener.leave();
    await ready(listeners);
    const links = await customer.createLinks(webs[0].url, 10);
    const later = stage.load({ ports: webs.map(({ port }) => port), links });
    await later.warm();
    await counted(later);
  });
});

/** Open sockets of a process. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}
