import { AccessHousekeeping } from '../../src/access/access-housekeeping';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { Database, type Tx } from '../../src/infrastructure/database/database';
import { firstKept, OLD_SUMS, RollupRetention } from '../../src/modules/usage/rollup-retention';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { besideTransaction } from '../support/one-connection';
import { perSuite, useTestApp } from '../support/test-app';
import { isAnyWaiting } from '../support/test-databases';

const NOW = '2030-03-15T12:00:00Z';
const DAY_BEFORE = '2027-01-31';
const REMOVE = 'DELETE FROM built WHERE organization_id = $1 AND month = $2';
const BUILD = 'INSERT INTO built VALUES ($1, $2)';

/** The first day that 37 months keep. */
const FIRST = '2027-02-01';

/** Columns of sums by time. */
const TIMES = ['day', 'week', 'month', 'start', 'starts_at'];

/** What leaves otherwise, or never. */
const OTHERS = [
  // With the clicks and events that they are of.
  ...['click_day_visitors', 'click_months', 'click_rollups', 'click_visitors'],
  ...['customer_days', 'customer_months'],
  ...['click_breakdowns', 'click_link_sums', 'click_sums'],
  ...['funnel_sessions', 'goals', 'session_events', 'session_transitions', 'session_users'],
  // Billing shows them.
  'message_send_rollups',
  // No sums.
  ...['campaigns', 'links'],
];

const VALUES: readonly [type: RegExp, value: string][] = [
  [/\[\]$/, `'{}'`],
  [/^(smallint|integer|bigint|numeric)/, '1'],
  [/^text/, `'x'`],
  [/^boolean/, 'true'],
  [/^timestamp/, 'now()'],
];

const app = useTestApp();

describe('retention of sums and of the audit log', () => {
  let day = 0;
  // A job runs once a day.
  beforeEach(() => app.clock.set(new Date(Date.parse(NOW) + day++ * 60_000 * 60 * 24).toISOString()));

  const sums = async (): Promise<{ table: string; time: string }[]> =>
    app.sql(
      `SELECT c.relname AS "table", a.attname AS time
         FROM pg_class c
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = ANY($1) AND NOT a.attisdropped
         JOIN pg_attribute o ON o.attrelid = c.oid AND o.attname = 'organization_id'
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY c.relname`,
      [TIMES],
    );

  /** Adds a row of the organization with this time and a value for every other column. */
  const add = async (table: string, time: string, at: string, { organizationId }: TestOrganization) => {
    const columns = await app.sql<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    );
    const valueOf = ({ name, type }: { name: string; type: string }) => {
      if (name === 'organization_id') return String(organizationId);
      if (name === time) return `'${at}'`;
      if (name === 'app_id') return '0';
      if (name === 'minutes') return '1440';
      return VALUES.find(([pattern]) => pattern.test(type))?.[1] ?? 'NULL';
    };
    await app.sql(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(valueOf).join(', ')})`,
    );
  };

  const daysOf = async (table: string, time: string, { organizationId }: TestOrganization) =>
    (
      await app.sql<{ day: string }>(
        `SELECT (${time} AT TIME ZONE 'UTC')::date::text AS day FROM ${table} WHERE organization_id = $1 ORDER BY 1`,
        [organizationId],
      )
    ).map((row) => row.day);

  it('is decided for every table of sums', async () => {
    const known = [...Object.keys(OLD_SUMS), ...OTHERS];
    const tables = new Set((await sums()).map(({ table }) => table));
    expect([...tables].filter((table) => !known.includes(table))).toEqual([]);
  });

  it('deletes whole months of every sum, and nothing else', async () => {
    const own = await createOrganization(app);
    const longer = await createOrganization(app, { limits: { rollupRetentionMonths: 40 } });
    const tables = (await sums()).filter(({ table }) => table in OLD_SUMS);
    expect(new Set(tables.map(({ table }) => table)).size).toBe(Object.keys(OLD_SUMS).length);
    for (const { table, time } of tables) {
      for (const organization of [own, longer]) {
        await add(table, time, DAY_BEFORE, organization);
        await add(table, time, FIRST, organization);
      }
    }
    expect(await app.get(RollupRetention).deleteOld()).toBe(true);
    for (const { table, time } of tables) {
      expect([table, await daysOf(table, time, own)]).toEqual([table, [FIRST]]);
      expect([table, await daysOf(table, time, longer)]).toEqual([table, [DAY_BEFORE, FIRST]]);
    }
  });

  it.each([
    [{}, '2027-02-01'],
    [{ rollupRetentionMonths: 1 }, '2029-02-01'],
    [{ eventRetentionDays: 1_100, rollupRetentionMonths: 1 }, '2027-03-01'],
    [{ clickRetentionDays: 3_000 }, '2021-12-01'],
  ])('keeps sums as long as what they are of: %j', (limits, first) => {
    const kept = { clickRetentionDays: 90, eventRetentionDays: 380, rollupRetentionMonths: 37, ...limits };
    expect(firstKept(Date.parse(NOW), kept)).toBe(first);
  });

  it('continues where it was interrupted', async () => {
    const own = await createOrganization(app);
    await app.sql(
      `INSERT INTO visitor_rollups (organization_id, app_id, day, slot, visitors, link_clicks, campaign_clicks)
       SELECT $1, 0, '2026-01-01'::date - n, 0, 1, 1, 1 FROM generate_series(1, 25000) AS n`,
      [own.organizationId],
    );
    const left = async () => (await daysOf('visitor_rollups', 'day', own)).length;
    const database = app.get(Database);
    const execute = database.execute.bind(database);
    let parts = 0;
    const spy = jest.spyOn(database, 'execute').mockImplementation(async (sql, parameters) => {
      if (!sql.includes('visitor_rollups') || parameters?.[0] !== own.organizationId) {
        return execute(sql, parameters);
      }
      if (++parts === 2) throw new Error('killed');
      return execute(sql, parameters);
    });
    expect(await app.get(RollupRetention).deleteOld()).toBe(false);
    expect(await left()).toBe(15_000);
    spy.mockRestore();
    expect(await app.get(RollupRetention).deleteOld()).toBe(true);
    expect(await left()).toBe(0);
  });

  it('deletes old entries of the audit log, by organization', async () => {
    const own = await createOrganization(app);
    const shorter = await createOrganization(app, { limits: { auditRetentionMonths: 1 } });
    const log = async ({ organizationId }: TestOrganization) =>
      (
        await app.sql<{ action: string }>(
          `SELECT action FROM audit_log WHERE organization_id = $1 AND action LIKE 'test.%' ORDER BY action`,
          [organizationId],
        )
      ).map(({ action }) => action);
    for (const { organizationId } of [own, shorter]) {
      await app.sql(`DELETE FROM audit_log WHERE organization_id = $1`, [organizationId]);
      await app.sql(
        `INSERT INTO audit_log (organization_id, at, actor_type, ip, action, resource_type, changes)
         SELECT $1, $2::timestamptz - months * interval '1 month', 'USER', '::1', 'test.' || months, 'link', '{}'
           FROM unnest(ARRAY[26, 24, 2, 0]) AS months`,
        [organizationId, app.clock.date()],
      );
      await app.sql(
        `INSERT INTO audit_log (organization_id, at, actor_type, ip, action, resource_type, changes)
         SELECT $1, '2020-01-01', 'USER', '::1', 'test.old', 'link', '{}' FROM generate_series(1, 12000)`,
        [organizationId],
      );
    }
    expect(await app.get(AccessHousekeeping).deleteOldEntries()).toBe(true);
    expect(await log(own)).toEqual(['test.0', 'test.2', 'test.24']);
    expect(await log(shorter)).toEqual(['test.0']);
  });
});

describe('months that are compacted', () => {
  beforeAll(() => app.clock.set('2030-05-03T12:00:00Z'));
  const own = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  beforeAll(() =>
    app.sql('CREATE TABLE built (organization_id bigint, month date, PRIMARY KEY (organization_id, month))'),
  );
  beforeEach(() => app.sql('TRUNCATE compacted_months, built'));

  const months = () => app.get(CompactedMonths);
  const write = (work: (tx: Tx) => Promise<void>) => app.get(Database).write(work);
  const changeOn = (day: string, organizationId = own.organizationId) =>
    write((tx) => months().invalidate(tx, 'sessions', [{ organizationId, day }]));

  type Beside = (tx: Tx, organizationId: number) => Promise<void>;
  const nothing: Beside = () => Promise.resolve();

  /** Runs functions in the transaction that builds a month: when it is built, and before. */
  const compact = (beside = nothing, before = nothing) => {
    const database = app.get(Database);
    const besides = (tx: Tx): Tx =>
      Object.create(tx, {
        slow: {
          value: async (sql: string, parameters: readonly unknown[]) => {
            const rows = await tx.slow(sql, parameters);
            if (sql === REMOVE) await before(tx, Number(parameters[0]));
            if (sql === BUILD) await beside(tx, Number(parameters[0]));
            return rows;
          },
        },
      }) as Tx;
    const watched = Object.create(database, {
      write: { value: (work: (tx: Tx) => Promise<unknown>) => database.write((tx) => work(besides(tx))) },
    }) as Database;
    return new CompactedMonths(watched, app.clock).compact(
      [{ family: 'sessions', hasDays: `m.month >= '2030-03-01'`, statements: [REMOVE, BUILD] }],
      new Map([own.organizationId, other.organizationId].map((id) => [id, 400])),
    );
  };
  const compacted = async (organizationId = own.organizationId) =>
    (
      await app.sql<{ month: string }>(
        `SELECT month::text FROM compacted_months
          WHERE organization_id = $1 AND family = 2 AND claim IS NULL ORDER BY month`,
        [organizationId],
      )
    ).map(({ month }) => month);

  it('are exact until a late change, of their organization and family alone', async () => {
    await compact();
    await changeOn('2030-05-01');
    await write((tx) =>
      months().invalidate(tx, 'clicks', [{ organizationId: own.organizationId, day: '2030-04-01' }]),
    );
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
    await changeOn('2030-04-30');
    expect(await compacted()).toEqual(['2030-03-01']);
    expect(await compacted(other.organizationId)).toEqual(['2030-03-01', '2030-04-01']);
    await compact();
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
  });

  it('are not exact after a change while they are built, and what was built is undone', async () => {
    await compact(async (_, id) => {
      if (id === own.organizationId) await besideTransaction(() => changeOn('2030-03-15'));
    });
    expect(await compacted()).toEqual(['2030-04-01']);
    expect(
      await app.sql(`SELECT month::text FROM built WHERE organization_id = ${own.organizationId}`),
    ).toEqual([{ month: '2030-04-01' }]);
    expect(await compacted(other.organizationId)).toEqual(['2030-03-01', '2030-04-01']);
    await compact();
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
  });

  it('are built by one process at a time, and count for the last that claimed them', async () => {
    const isWaiting = () => isAnyWaiting(app.database.url, '%');
    let isOver = false;
    let others: Promise<void> | undefined;
    let isBuilt = false;
    const first = compact(nothing, async () => {
      others ??= besideTransaction(() =>
        compact(async () => {
          isBuilt = true;
          await eventually(async () => expect(isOver || (await isWaiting())).toBe(true));
        }),
      );
      await eventually(async () => expect(isBuilt || (await isWaiting())).toBe(true));
    }).finally(() => (isOver = true));
    await first;
    await others;
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
    expect(await compacted(other.organizationId)).toEqual(['2030-03-01', '2030-04-01']);
  });

  it('are built after changes that have begun before the claim', async () => {
    let isCommitted = false;
    let hasSeen: boolean | undefined;
    let compaction: Promise<void> | undefined;
    await write(async (tx) => {
      await months().invalidate(tx, 'sessions', [{ organizationId: own.organizationId, day: '2030-04-30' }]);
      await besideTransaction(() => {
        compaction = compact((_, id) => {
          if (id === own.organizationId) hasSeen ??= isCommitted;
          return Promise.resolve();
        });
        return Promise.resolve();
      });
      await eventually(async () =>
        expect(await isAnyWaiting(app.database.url, '%pg_advisory_xact_lock(%')).toBe(true),
      );
      isCommitted = true;
    });
    await compaction;
    expect(hasSeen).toBe(true);
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
  });
});
