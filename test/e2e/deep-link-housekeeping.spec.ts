import { Database } from '../../src/infrastructure/database/database';
import { AttributionHousekeeping } from '../../src/modules/attribution/attribution-housekeeping';
import { openAppPage } from '../support/app-pages';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { Funnel } from '../support/funnel';
import { createApp } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';

const DAY_MS = 86_400_000;

describe('housekeeping of deep links', () => {
  const app = useTestApp();
  let appId: number;

  const organization = perSuite(() => createOrganization(app));
  const free = perSuite(() => createOrganization(app, { plan: 'PRO' }));
  beforeAll(async () => {
    appId = await createApp(app, organization, 'iOS', 'shop');
  });

  it('deletes fingerprints after 24 hours and tokens after seven days', async () => {
    const start = Date.parse('2030-03-01T10:00:00Z');
    const trackedLinkId = 7;
    app.clock.set(new Date(start).toISOString());
    await openAppPage(app, organization, { trackedLinkId, appIds: [appId] });
    const row = () =>
      app.sql<{ kept: number; app: number }>(
        `SELECT num_nonnulls(ip_hash, user_agent, resolution, language, device_model, os_version) AS kept, app_id AS app
           FROM deep_link_tokens WHERE tracked_link_id = $1`,
        [trackedLinkId],
      );
    await eventually(async () => expect(await row()).toHaveLength(1));
    const forgetAt = async (at: number) => {
      app.clock.set(new Date(at).toISOString());
      expect(await app.get(AttributionHousekeeping).forget()).toBe(true);
    };
    await forgetAt(start + DAY_MS - 1);
    expect(await row()).toEqual([{ kept: 2, app: appId }]);
    await forgetAt(start + DAY_MS + 600_000);
    expect(await row()).toEqual([{ kept: 0, app: appId }]);
    await forgetAt(start + 7 * DAY_MS - 1);
    expect(await row()).toHaveLength(1);
    await forgetAt(start + 7 * DAY_MS + 600_000);
    expect(await row()).toEqual([]);
  });

  it('deletes any number of rows', async () => {
    const issuedAt = Date.parse('2030-05-01T00:00:00Z');
    await app.sql(
      `INSERT INTO deep_link_tokens (organization_id, issued_at, token_hash, user_agent)
       SELECT 1, $1, int8send(n), 'x' FROM generate_series(1, 20001) AS n`,
      [new Date(issuedAt)],
    );
    const left = async () => {
      const [row] = await app.sql<{ rows: number; fingerprints: number }>(
        `SELECT count(*)::int AS rows, count(user_agent)::int AS fingerprints FROM deep_link_tokens`,
      );
      return row;
    };
    app.clock.set(new Date(issuedAt + DAY_MS).toISOString());
    await app.get(AttributionHousekeeping).forget();
    expect(await left()).toEqual({ rows: 20_001, fingerprints: 0 });
    app.clock.set(new Date(issuedAt + 7 * DAY_MS).toISOString());
    await app.get(AttributionHousekeeping).forget();
    expect(await left()).toEqual({ rows: 0, fingerprints: 0 });
  });

  it('deletes rows of an organization when another one’s cannot be deleted', async () => {
    const database = app.get(Database);
    const execute = database.execute.bind(database);
    const done: unknown[] = [];
    const failing = jest.spyOn(database, 'execute').mockImplementation((statement, parameters = []) => {
      const [, organizationId] = parameters;
      if (organizationId === organization.organizationId) return Promise.reject(new Error('locked'));
      done.push(organizationId);
      return execute(statement, parameters);
    });
    const retention = new Map([organization, free].map((each) => [each.organizationId, 30]));
    await expect(app.get(AttributionHousekeeping).deleteOlder(retention)).rejects.toThrow('locked');
    failing.mockRestore();
    expect(done).toContain(free.organizationId);
  });

  it('deletes rows past each organization’s retention, and leaves the sums of days', async () => {
    const funnel = new Funnel(app);
    const at = Date.parse('2031-01-10T12:00:00Z');
    const trackedLink = { kind: 'campaign', id: 70 } as const;
    for (const { organizationId } of [organization, free]) {
      const fact = { organizationId, trackedLink, appId, at };
      await funnel.session({ ...fact, platform: 'IOS', startedAt: at });
      const device = { country: 'KR', osVersion: null, deviceModel: null };
      await funnel.install({ ...fact, ...device, platform: 'iOS' });
      await funnel.reengage({ ...fact, user: 'a', platform: 'iOS', successful: true });
      await funnel.resolve({ ...fact, byFingerprint: false, failure: null });
    }
    await app.sql(`UPDATE organizations SET plan = 'FREE' WHERE id = $1`, [free.organizationId]);
    const tables = [
      'funnel_sessions',
      'app_installs',
      'reengagements',
      'reengaged_users',
      'deep_link_resolutions',
      'funnel_rollups',
    ];
    const rowsOf = async ({ organizationId }: TestOrganization) => {
      const counts = await Promise.all(
        tables.map((table) =>
          app.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1`, [
            organizationId,
          ]),
        ),
      );
      return counts.map(([row]) => row?.n);
    };
    const everything = await rowsOf(free);
    expect(everything.slice(0, 5)).toEqual([1, 1, 1, 2, 1]);
    const deleteAt = async (time: string) => {
      app.clock.set(time);
      expect(await app.get(AttributionHousekeeping).deleteOld()).toBe(true);
    };
    await deleteAt('2031-04-11T11:59:59Z');
    expect(await rowsOf(free)).toEqual(everything);
    await deleteAt('2031-04-12T12:00:01Z');
    const days = await app.sql(`SELECT 1 FROM funnel_rollups WHERE organization_id = $1 AND minutes = 1440`, [
      free.organizationId,
    ]);
    expect(await rowsOf(free)).toEqual([0, 0, 0, 0, 0, days.length]);
    expect(days.length).toBeGreaterThan(0);
    expect((await rowsOf(organization)).slice(0, 5)).toEqual([1, 1, 1, 2, 1]);
  });
});
