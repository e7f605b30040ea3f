import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { Database } from '../../src/infrastructure/database/database';
import { resolveDayRange } from '../../src/common/date-range';
import type { Goal } from '../../src/modules/sessions/goal';
import { SessionDeltas } from '../../src/modules/sessions/rollups/session-deltas';
import { SESSION_MONTHS } from '../../src/modules/sessions/rollups/session-months';
import { SessionRollups } from '../../src/modules/sessions/rollups/session-rollups';
import { SessionUsersQuery } from '../../src/modules/sessions/statistics/session-users.query';
import { TopConversionsQuery } from '../../src/modules/sessions/statistics/top-conversions.query';
import { type JourneyOrganization, RandomJourneys } from '../support/random-journeys';
import { nth } from '../support/nth';
import { useTestApp } from '../support/test-app';

const RANGES = [
  ['2030-03-01', '2030-03-31'],
  ['2030-02-10', '2030-04-30'],
  ['2030-03-02', '2030-04-10'],
  ['2030-03-31', '2030-04-01'],
  ['2030-01-01', '2030-02-28'],
] as const;

describe('months of goals and users', () => {
  const app = useTestApp();
  let organizations: readonly JourneyOrganization[];

  beforeAll(async () => {
    organizations = (await RandomJourneys.make(app, 80)).organizations;
    app.clock.set('2030-05-02T12:00:00Z');
  });

  const compact = () =>
    app
      .get(CompactedMonths)
      .compact([SESSION_MONTHS], new Map(organizations.map((each) => [each.organizationId, 400])));
  const compacted = async () =>
    (
      await app.sql<{ month: string }>(
        `SELECT month::text FROM compacted_months
          WHERE organization_id = $1 AND family = 2 AND claim IS NULL ORDER BY month`,
        [nth(organizations, 0).organizationId],
      )
    )
      .map(({ month }) => month)
      .filter((month) => month >= '2030-01-01');

  /** Compares the queries with sums of all days. */
  async function compare(): Promise<void> {
    let conversions = 0;
    for (const { organizationId, apps } of organizations) {
      for (const [startDate, endDate] of RANGES) {
        const range = resolveDayRange({ startDate, endDate }, { now: app.clock.date(), retentionDays: 400 });
        for (const { id: appId } of apps) {
          for (const [kind, goalType] of [
            ['link', null],
            ['campaign', null],
            ['campaign', 'purchase'],
          ] as const) {
            const filter = { organizationId, kind, appId, goalType, currency: null, limit: 50 };
            const top = await app.get(TopConversionsQuery).run(filter, range);
            const days = await app.sql<{ id: number; goals: number }>(
              `SELECT subject_id AS id, sum(goals)::int AS goals FROM goal_rollups
                WHERE organization_id = $1 AND subject_kind = $2 AND subject_id <> 0 AND app_id = $3
                  AND ($4::text IS NULL OR goal_type = $4) AND day BETWEEN $5 AND $6
                GROUP BY subject_id HAVING sum(goals) > 0 ORDER BY 2 DESC, 1`,
              [organizationId, kind === 'link' ? 1 : 2, appId, goalType, startDate, endDate],
            );
            expect(top.map(({ id, conversions: goals }) => ({ id, goals }))).toEqual(days);
            conversions += days.length;
          }
          const users = await app
            .get(Database)
            .snapshot((tx) => app.get(SessionUsersQuery).run(tx, { organizationId, appId }, range));
          const days = await app.sql<{ day: string; users: number }>(
            `SELECT day::text, count(*)::int AS users FROM session_users
              WHERE organization_id = $1 AND app_id = $2 AND day BETWEEN $3 AND $4 GROUP BY day`,
            [organizationId, appId, startDate, endDate],
          );
          expect(users.byDate).toEqual(new Map(days.map(({ day, users: n }) => [day, n])));
        }
      }
    }
    expect(conversions).toBeGreaterThan(20);
  }

  function goalOn(day: string): SessionDeltas {
    const { organizationId, apps, targets } = nth(organizations, 0);
    const trackedLink = nth(targets, 0);
    const deltas = new SessionDeltas();
    deltas.addGoal({
      organizationId,
      id: 1,
      appId: nth(apps, 0).id,
      sessionId: 's',
      goalType: 'signup',
      value: 1,
      currency: 'KRW',
      transactionId: null,
      platform: 'WEB',
      deviceType: null,
      trackedLink,
      customId: null,
      externalUserId: null,
      clientTimestamp: null,
      occurredAt: new Date(`${day}T12:00:00Z`),
      day,
    } satisfies Goal);
    return deltas;
  }
  const write = (deltas: SessionDeltas) =>
    app.get(Database).write((tx) => app.get(SessionRollups).write(tx, deltas));

  it('are compacted two days after their end, without changing statistics', async () => {
    await compare();
    await compact();
    expect(await compacted()).toEqual(['2030-01-01', '2030-02-01', '2030-03-01']);
    await compare();
    app.clock.set('2030-05-03T12:00:00Z');
    await compact();
    expect(await compacted()).toEqual(['2030-01-01', '2030-02-01', '2030-03-01', '2030-04-01']);
    await compare();
  });

  it('are read instead of their days', async () => {
    const { organizationId, apps } = nth(organizations, 0);
    const range = resolveDayRange(
      { startDate: '2030-03-01', endDate: '2030-03-31' },
      { now: app.clock.date(), retentionDays: 400 },
    );
    const every = { kind: 'link', appId: nth(apps, 0).id, goalType: null, currency: null, limit: 5 } as const;
    const top = () => app.get(TopConversionsQuery).run({ organizationId, ...every }, range);
    const before = await top();
    await app.sql(`UPDATE goal_months SET goals = goals + 1000 WHERE organization_id = $1`, [organizationId]);
    expect(nth(await top(), 0).conversions).toBeGreaterThan(nth(before, 0).conversions + 999);
    await app.sql(`UPDATE goal_months SET goals = goals - 1000 WHERE organization_id = $1`, [organizationId]);
  });

  it('are invalidated by late changes, and compacted again', async () => {
    await write(goalOn('2030-03-30'));
    await write(goalOn('2030-05-03'));
    expect(await compacted()).toEqual(['2030-01-01', '2030-02-01', '2030-04-01']);
    await compare();
    await compact();
    expect(await compacted()).toHaveLength(4);
    await compare();
  });
});
