import { DataSource } from 'typeorm';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { Database } from '../../src/infrastructure/database/database';
import { Tx } from '../../src/infrastructure/database/tx';
import { isUniqueViolation } from '../../src/infrastructure/database/unique-violation';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import type { Click } from '../../src/modules/clicks/click';
import { Visitors } from '../../src/modules/clicks/visitors';
import { countClicks } from '../support/click-sums';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { nth } from '../support/nth';
import { perSuite, useTestApp } from '../support/test-app';
import { plainClick } from '../support/visits';

const NOON = Date.parse('2030-03-12T12:00:00Z');

const app = useTestApp();

describe('clicks of a batch', () => {
  const org = perSuite(() => createOrganization(app));

  const click = (id: number, fields: Partial<Click> = {}) =>
    plainClick({ id, at: NOON + id, trackedLinkId: 77, organizationId: org.organizationId, ...fields });

  async function write(...clicks: Click[]): Promise<number> {
    return countClicks(app, clicks);
  }

  /** Unique visitors of a link's only day, and of its variants. */
  async function visitors(trackedLinkId: number): Promise<unknown> {
    const rows = await app.sql(
      `SELECT sum(DISTINCT visitors)::int AS visitors,
              sum(count) FILTER (WHERE starts_with(value, 'variant_visitors:'))::int AS "ofVariants"
         FROM click_rollups, unnest(dimensions, dimension_counts) AS v (value, count) WHERE tracked_link_id = $1`,
      [trackedLinkId],
    );
    return rows[0];
  }

  const figures = async (trackedLinkId: number) => [
    await app.sql('SELECT count(*) AS n FROM clicks WHERE tracked_link_id = $1', [trackedLinkId]),
    await app.sql('SELECT sum(clicks)::int AS n FROM click_totals WHERE tracked_link_id = $1', [
      trackedLinkId,
    ]),
    await app.sql('SELECT sum(clicks)::int AS n FROM click_rollups WHERE tracked_link_id = $1', [
      trackedLinkId,
    ]),
  ];

  it('count once each, even if they exist already or are repeated', async () => {
    const of = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => click(from + i));
    expect(await write(...of(0, 1_200))).toBe(1_200);
    expect(await write(...of(0, 1_200))).toBe(0);
    expect(await write(...of(1_100, 2_500), click(2_499))).toBe(1_300);
    expect(await write(click(2_500), click(2_500))).toBe(1);
    expect(await write(click(2_501), click(0), click(2_501))).toBe(1);
    const n = 2_502;
    expect(await figures(77)).toEqual([[{ n }], [{ n }], [{ n }]]);
  });

  it('count once when two consumers process them concurrently', async () => {
    const both = Array.from({ length: 600 }, (_, i) => click(5_000 + i, { trackedLinkId: 78 }));
    const counted = await Promise.all([write(...both), write(...both), write(...both.slice(300))]);
    expect(counted.reduce((a, b) => a + b)).toBe(600);
    expect(await figures(78)).toEqual([[{ n: 600 }], [{ n: 600 }], [{ n: 600 }]]);
  });

  it('add each visitor of a day once, however often the batch is repeated, cut off or written concurrently', async () => {
    const batch = (from: number) =>
      Array.from({ length: 300 }, (_, i) =>
        click(from + i, {
          trackedLinkId: 80,
          ip: `198.51.100.${i % 100}`,
          variant: i % 2 === 0 ? `https://${i % 4 === 0 ? 'a' : 'b'}.example/` : null,
        }),
      );
    const ingest = app.get(ClickIngest);
    const cutOff = ingest.prepare(batch(8_000)).then((prepared) =>
      app.get(Database).write(async (tx) => {
        await ingest.ingest(tx, prepared);
        throw new Error('killed');
      }),
    );
    await expect(cutOff).rejects.toThrow('killed');
    expect(await visitors(80)).toEqual({ visitors: null, ofVariants: null });
    await Promise.all([write(...batch(8_000)), write(...batch(8_000)), write(...batch(8_300).reverse())]);
    expect(await visitors(80)).toEqual({ visitors: 100, ofVariants: 50 });
    await write(...batch(8_100));
    await write(...batch(9_000));
    expect(await visitors(80)).toEqual({ visitors: 100, ofVariants: 50 });
    await write(...batch(9_300), click(9_700, { trackedLinkId: 80, ip: '198.51.100.200' }));
    expect(await visitors(80)).toEqual({ visitors: 101, ofVariants: 50 });
  });

  it('are stored unchanged, by either method', async () => {
    const customIds = ['a\tb', 'line\nbreak\r', 'back\\slash \\N \\.', '\\N', '', 'NULL', '👋 ü', null];
    const utm = ['a\tb', 'NULL', null, '\\x41'] as const;
    const all = customIds.map((customId, i) =>
      click(6_000 + i, { trackedLinkId: 79, customId, utm, appIds: [7], at: NOON + 123, tracker: '{"a",b}' }),
    );
    const stored = () =>
      app.sql<object>(
        `SELECT custom_id, clicked_at, app_id, local_visitor::text AS visitor, local_day, is_bot, kind,
                dimensions[6:] AS words
           FROM clicks WHERE tracked_link_id = 79 ORDER BY id`,
      );
    await write(...all);
    const { ip, userAgent } = nth(all, 0);
    const visitors = app.get(Visitors);
    await visitors.loadDays(['2030-03-12']);
    const visitor = visitors.dayVisitor('2030-03-12', ip, userAgent);
    const quick = await stored();
    expect(quick).toEqual(
      customIds.map((custom_id) => ({
        custom_id,
        clicked_at: new Date(NOON + 123),
        app_id: 7,
        visitor,
        local_day: '2030-03-12',
        is_bot: false,
        kind: 1,
        words: ['tracker:{"a",b}', 'utm_source:a\tb', 'utm_medium:NULL', 'utm_content:\\x41'],
      })),
    );
    await app.sql('DELETE FROM clicks WHERE tracked_link_id = 79');
    await write(...all, ...all.slice(0, 1));
    expect(await stored()).toEqual(quick);
  });
});

describe('rows written with COPY', () => {
  const TARGET = 'copied (n)';
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await connectDataSource({ url: app.database.url }, 1);
    await app.sql('CREATE TABLE copied (n integer PRIMARY KEY)');
  });
  afterAll(() => dataSource.destroy());

  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const add = (rows: readonly number[]) =>
    dataSource.transaction((manager) => new Tx(manager).copy(TARGET, rows, (n) => [n]));
  const count = () => dataSource.query<{ n: number }[]>('SELECT count(*)::int AS n FROM copied');

  it.each([
    ['none', []],
    ['one', [1]],
    ['more than one buffer', numbers(2, 50_000)],
  ])('are all stored: %s', async (_, rows) => {
    const [before] = await count();
    await add(rows);
    expect(await count()).toEqual([{ n: (before?.n ?? 0) + rows.length }]);
  });

  it.each([
    ['the first', [1, ...numbers(60_000, 90_000)]],
    ['one in the middle', [...numbers(60_000, 75_000), 1, ...numbers(75_000, 90_000)]],
    ['the last', [...numbers(60_000, 90_000), 1]],
  ])('are all rejected when %s exists already, and the connection stays usable', async (_, rows) => {
    const before = await count();
    const error: unknown = await add(rows).catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(await count()).toEqual(before);
  });

  it('fail when their values cannot be produced, and the connection stays usable', async () => {
    const before = await count();
    const copying = dataSource.transaction((manager) =>
      new Tx(manager).copy(TARGET, numbers(60_000, 90_000), (n) => {
        if (n === 80_000) throw new Error('No such number');
        return [n];
      }),
    );
    await expect(copying).rejects.toThrow('No such number');
    expect(await count()).toEqual(before);
  });

  it.each([
    ['the statement takes too long', 'pg_cancel_backend'],
    ['the connection is lost', 'pg_terminate_backend'],
  ])('fail when %s', async (_, end) => {
    const before = await count();
    await app.get(DataSource).transaction(async (manager) => {
      await manager.query('LOCK TABLE copied IN EXCLUSIVE MODE');
      const copying = expect(add(numbers(60_000, 90_000))).rejects.toThrow();
      await eventually(async () => {
        const ended = await app.sql(
          `SELECT ${end}(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'COPY copied%'`,
        );
        expect(ended).toHaveLength(1);
      });
      await copying;
    });
    expect(await count()).toEqual(before);
  });
});
