import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, within } from '../support/eventually';
import { expectCounted, sql } from './accounts';
import { Customer } from './customer';
import { Listener } from './live-listener';
import { PostgresServer } from './postgres-server';
import type { Service } from './service';
import { Stage, stormSeconds } from './stage';

const LISTENERS = 10;
/** docs/concepts/clicks.md#live */
const SHOWN_WITHIN_SECONDS = 2;

describe('listeners to live clicks', () => {
  const stage = new Stage();
  const seconds = stormSeconds(4);
  jest.setTimeout((seconds + 120) * 1000);
  afterEach(() => stage.clear());

  /** Two web processes and a worker under load, with listeners that come to the web processes in turn. */
  async function start(databaseUrl: string, directUrl = () => databaseUrl) {
    const redis = await stage.redis();
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
    const [one, two, worker] = await Promise.all([
      stage.service({ ...env, ROLE: 'web' }),
      stage.service({ ...env, ROLE: 'web' }),
      stage.service({ ...env, ROLE: 'worker', CLICK_BATCH: '50' }),
    ]);
    const customer = await Customer.create(one.url);
    const links = await customer.createLinks(one.url, 10);
    const listeners = Array.from({ length: LISTENERS }, (_, i) => {
      const [first, second] = i % 2 === 0 ? [one, two] : [two, one];
      return stage.listener(new Listener(customer, [first.url, second.url]));
    });
    await ready(listeners);
    const load = stage.load({ ports: [one.port, two.port], links });
    await load.warm();
    const settled = async () => {
      await delay(500);
      await load.stop();
      const dataDirs = [one, two].map(({ dataDir }) => dataDir);
      await expectCounted(load, { databaseUrl: directUrl(), redisUrl: redis.url, dataDirs });
      await expectShown(listeners, directUrl());
    };
    return { redis, webs: [one, two] as const, worker, customer, listeners, load, settled };
  }

  async function ready(listeners: readonly Listener[]): Promise<void> {
    await eventually(async () =>
      expect(await Promise.resolve(listeners.map(({ isReady }) => isReady))).not.toContain(false),
    );
  }

  /** Asserts that every counted click has been shown to each of them once. */
  async function expectShown(listeners: readonly Listener[], databaseUrl: string): Promise<void> {
    const rows = await sql<{ id: string }>(databaseUrl, 'SELECT id FROM clicks ORDER BY id');
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
    for (let round = 0; round < 3 || performance.now() < until; round++) {
      await act(round);
      await delay(700);
    }
  }

  const again = async (service: Service) => {
    await service.kill();
    await service.restart();
  };

  it('see each click once while the worker that counts is killed again and again', async () => {
    const { worker, listeners, settled } = await start(await stage.database());
    await storm(() => again(worker));
    await settled();
    expect(listeners.map(({ returns }) => returns)).toEqual(listeners.map(() => 0));
  });

  it('see each click once while web processes are killed, and they come back to the other one', async () => {
    const { webs, listeners, settled } = await start(await stage.database());
    await storm(async (round) => {
      const doomed = webs[round % 2];
      if (doomed) await again(doomed);
      await ready(listeners);
    });
    await settled();
    expect(Math.min(...listeners.map(({ returns }) => returns))).toBeGreaterThan(0);
  });

  it('see each click once while they leave and come back', async () => {
    const { listeners, settled } = await start(await stage.database());
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
    const { redis, listeners, settled } = await start(await stage.database());
    await storm(async (round) => {
      await redis.stop(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await delay(300);
      await redis.restart();
    });
    await settled();
    expect(listeners.map(({ returns }) => returns)).toEqual(listeners.map(() => 0));
  });

  it('leave nothing behind: neither streams nor sockets, though their connections break', async () => {
    const { webs, listeners, customer, load, settled } = await start(await stage.database());
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

  describe('of a Postgres of its own', () => {
    let postgres: PostgresServer;
    beforeEach(async () => {
      postgres = await PostgresServer.start();
    });
    afterEach(async () => {
      await stage.clear();
      await postgres.end();
    });

    it.each(['stop', 'kill'] as const)('see each click once while Postgres restarts (%s)', async (how) => {
      const { listeners, settled } = await start(postgres.url, () => postgres.directUrl);
      for (let round = 0; round < 2; round++) {
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
      const { webs, customer, load, listeners, ...places } = await start(
        postgres.url,
        () => postgres.directUrl,
      );
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
      await later.stop();
      await expectCounted(later, { databaseUrl: postgres.directUrl, redisUrl: places.redis.url });
      await expectShown(listeners, postgres.directUrl);
    });
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
