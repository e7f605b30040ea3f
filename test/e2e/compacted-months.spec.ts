import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { Database } from '../../src/infrastructure/database/database';
import type { Tx } from '../../src/infrastructure/database/tx';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { besideTransaction } from '../support/one-connection';
import { useTestApp } from '../support/test-app';
import { isAnyWaiting } from '../support/test-databases';

const REMOVE = 'DELETE FROM built WHERE organization_id = $1 AND month = $2';
const BUILD = 'INSERT INTO built VALUES ($1, $2)';

describe('months that are compacted', () => {
  const app = useTestApp();
  let own: number;
  let other: number;

  beforeAll(async () => {
    app.clock.set('2030-05-03T12:00:00Z');
    ({ organizationId: own } = await createOrganization(app));
    ({ organizationId: other } = await createOrganization(app));
    await app.sql(
      'CREATE TABLE built (organization_id bigint, month date, PRIMARY KEY (organization_id, month))',
    );
  });
  beforeEach(() => app.sql('TRUNCATE compacted_months, built'));

  const months = () => app.get(CompactedMonths);
  const write = (work: (tx: Tx) => Promise<void>) => app.get(Database).write(work);
  const changeOn = (day: string, organizationId = own) =>
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
      new Map([own, other].map((id) => [id, 400])),
    );
  };
  const compacted = async (organizationId = own) =>
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
    await write((tx) => months().invalidate(tx, 'clicks', [{ organizationId: own, day: '2030-04-01' }]));
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
    await changeOn('2030-04-30');
    expect(await compacted()).toEqual(['2030-03-01']);
    expect(await compacted(other)).toEqual(['2030-03-01', '2030-04-01']);
    await compact();
    expect(await compacted()).toEqual(['2030-03-01', '2030-04-01']);
  });

  it('are not exact after a change while they are built, and what was built is undone', async () => {
    await compact(async (_, id) => {
      if (id === own) await besideTransaction(() => changeOn('2030-03-15'));
    });
    expect(await compacted()).toEqual(['2030-04-01']);
    expect(await app.sql(`SELECT month::text FROM built WHERE organization_id = ${own}`)).toEqual([
      { month: '2030-04-01' },
    ]);
    expect(await compacted(other)).toEqual(['2030-03-01', '2030-04-01']);
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
    expect(await compacted(other)).toEqual(['2030-03-01', '2030-04-01']);
  });

  it('are built after changes that have begun before the claim', async () => {
    let isCommitted = false;
    let hasSeen: boolean | undefined;
    let compaction: Promise<void> | undefined;
    await write(async (tx) => {
      await months().invalidate(tx, 'sessions', [{ organizationId: own, day: '2030-04-30' }]);
      await besideTransaction(() => {
        compaction = compact((_, id) => {
          if (id === own) hasSeen ??= isCommitted;
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
