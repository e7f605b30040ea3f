import { DataSource } from 'typeorm';
import { GoalTransactions1700000009500 } from '../../migrations/1700000009500-goal-transactions';
import { TimeZoneChanges1700000009510 } from '../../migrations/1700000009510-time-zone-changes';
import { ClicksByPlatform1700000009520 } from '../../migrations/1700000009520-clicks-by-platform';
import { consoleApi } from '../support/factories';
import { type AppOwner, createAppOwner, createSession, track } from '../support/journeys';
import { useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';

describe('migrations of statistics, with existing data', () => {
  const app = useTestApp();
  let own: AppOwner;

  beforeAll(async () => {
    app.clock.set(NOW);
    own = await createAppOwner(app);
  });

  const migrate = async (
    migration: GoalTransactions1700000009500 | TimeZoneChanges1700000009510 | ClicksByPlatform1700000009520,
    direction: 'up' | 'down',
  ) => {
    const runner = app.get(DataSource).createQueryRunner();
    await migration[direction](runner);
    await runner.release();
  };

  it('revert to one goal per transaction, and lose none of several', async () => {
    const { sessionId } = await createSession(own);
    for (const goalType of ['purchase', 'signup', 'trial']) {
      await track(own, { sessionId, goalType, transactionId: 'order-1' });
    }
    await migrate(new GoalTransactions1700000009500(), 'down');
    const goals = await app.sql('SELECT transaction_id AS id FROM goals WHERE session_id = $1 ORDER BY id', [
      sessionId,
    ]);
    expect(goals.map(({ id }) => id)).toEqual(['order-1', 'order-1 signup', 'order-1 trial']);
    // The response of an older version.
    const signup = { sessionId, goalType: 'signup', transactionId: 'order-1' };
    expect(await track(own, signup)).toMatchObject({ recorded: false, duplicated: true });
    await migrate(new GoalTransactions1700000009500(), 'up');
    const purchase = { sessionId, goalType: 'purchase', transactionId: 'order-1' };
    expect(await track(own, purchase)).toMatchObject({ duplicated: true });
  });

  it('read from the audit log when a time zone was changed', async () => {
    const path = `/api/v1/console/organizations/${own.organizationId}`;
    await consoleApi(app).patch(path).send({ timeZone: 'Asia/Seoul' }).expect(200);
    app.clock.set('2026-11-21T08:32:00Z');
    await consoleApi(app).patch(path).send({ name: 'Shop' }).expect(200);
    await migrate(new TimeZoneChanges1700000009510(), 'down');
    await migrate(new TimeZoneChanges1700000009510(), 'up');
    const { body } = await consoleApi(app).get(path).expect(200);
    expect(body).toMatchObject({ timeZone: 'Asia/Seoul', timeZoneChangedAt: NOW });
  });

  it('remove figures by platform, and keep those of all', async () => {
    const { sessionId } = await createSession(own, { platform: 'IOS' });
    await track(own, { sessionId, stage: 'APP_INSTALLED' });
    const installs = async (platform: string) =>
      (
        await own.api
          .get(`/api/v1/service/mobile-apps/${own.appId}/install-stats`)
          .query({ platform })
          .expect(200)
      ).body;
    expect(await installs('iOS')).toMatchObject({ totalInstalls: 1, funnelStats: { totalSessions: 1 } });
    await migrate(new ClicksByPlatform1700000009520(), 'down');
    await migrate(new ClicksByPlatform1700000009520(), 'up');
    expect(await installs('all')).toMatchObject({ totalInstalls: 1, funnelStats: { totalSessions: 2 } });
    expect(await installs('iOS')).toMatchObject({ totalInstalls: 1, funnelStats: { totalSessions: 0 } });
  });
});
