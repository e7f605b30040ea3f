import {
  type InstallPlatform,
  SUBJECT_KIND,
  type SubjectKind,
  STAGES,
} from '../../src/modules/sessions/funnel';
import type { InstallStatisticsResponse } from '../../src/modules/sessions/installs/install-statistics.dto';
import type { TestApp } from './test-app';

interface Subject {
  kind: SubjectKind;
  id: number;
}

/** A person's click with all its apps, of which raw clicks store the first only. */
export interface AppClick {
  at: number;
  appIds: readonly number[];
  /** The app among these for the platform of the click. */
  ofApp: number | null;
  platform: InstallPlatform | null;
}

/**
 * Install statistics for the days of `found`, computed figure by figure from raw rows, to compare with the rollups.
 * Percentages and names are copied from `found`; other tests cover them.
 */
export async function installOracle(
  app: TestApp,
  { kind, id }: Subject,
  found: InstallStatisticsResponse,
  timeZone: string,
  clicksOfApps: readonly AppClick[] = [],
  platform: InstallPlatform | null = null,
): Promise<InstallStatisticsResponse> {
  const [start, end] = found.period.split('/');
  const bounds = [start, end, timeZone, id];
  const of = kind === 'app' ? 'app_id = $4' : `kind = ${SUBJECT_KIND[kind]} AND tracked_link_id = $4`;
  const only: Record<string, string> = {
    app_installs: `platform = '${platform}'`,
    reengagements: `platform = '${platform}'`,
    funnel_sessions: `first_platform = upper('${platform}')`,
    deep_link_resolutions: `app_id IN (SELECT id FROM apps WHERE platform = '${platform}')`,
    clicks: `'os:${platform}' = ANY(dimensions)`,
  };
  const within = (time: string) =>
    `${time} >= $1::date::timestamp AT TIME ZONE $3 AND ${time} < ($2::date + 1)::timestamp AT TIME ZONE $3`;
  const rows = <Row>(columns: string, table: string, time: string, rest = '') =>
    app.sql<Row>(
      `SELECT ${columns} FROM ${table} WHERE ${of} AND ${within(time)} ${platform ? `AND ${only[table]}` : ''} ${rest}`,
      bounds,
    );
  const one = async (columns: string, table: string, time: string) =>
    (await rows<Record<string, number>>(columns, table, time))[0] ?? {};
  const day = (time: string) => `(${time} AT TIME ZONE $3)::date AS date`;

  const installs = await rows<{ date: string; platform: string; n: number }>(
    `${day('installed_at')}, platform, count(*)::int AS n`,
    'app_installs',
    'installed_at',
    'GROUP BY 1, 2',
  );
  const clicks =
    kind === 'app'
      ? clicksOfApps
          .filter((click) => click.appIds.includes(id) && click.ofApp === id)
          .filter((click) => platform === null || click.platform === platform)
          .map(({ at }) => ({ date: new Date(at).toISOString().slice(0, 10), n: 1 }))
          .filter(({ date }) => date >= (start ?? '') && date <= (end ?? ''))
      : await rows<{ date: string; n: number }>(
          `${day('clicked_at')}, count(*)::int AS n`,
          'clicks',
          'clicked_at',
          'AND NOT is_bot GROUP BY 1',
        );
  const countries = await rows<{ country: string | null; n: number }>(
    'country, count(*)::int AS n',
    'app_installs',
    'installed_at',
    'GROUP BY 1',
  );
  const reengaged = await one(
    `count(*)::int AS total, count(*) FILTER (WHERE successful)::int AS successful,
     count(DISTINCT user_key)::int AS people, count(*) FILTER (WHERE platform = 'iOS')::int AS ios,
     count(*) FILTER (WHERE platform = 'Android')::int AS android,
     count(*) FILTER (WHERE platform = 'Other')::int AS other`,
    'reengagements',
    'occurred_at',
  );
  const stages = STAGES.map((_, i) => `count(*) FILTER (WHERE stages & ${1 << i} > 0)::int AS stage${i}`);
  const sessions = await one(`count(*)::int AS total, ${stages.join(', ')}`, 'funnel_sessions', 'started_at');
  const resolutions = await one(
    `count(*)::int AS total, count(*) FILTER (WHERE failure_reason IS NULL)::int AS successful`,
    'deep_link_resolutions',
    'attempted_at',
  );
  const failures = await rows<{ reason: string; n: number }>(
    'failure_reason AS reason, count(*)::int AS n',
    'deep_link_resolutions',
    'attempted_at',
    'AND failure_reason IS NOT NULL GROUP BY 1',
  );
  const recent = await rows<{ deviceModel: string }>(
    'device_model AS "deviceModel"',
    'app_installs',
    'installed_at',
    'ORDER BY installed_at DESC, id DESC LIMIT 10',
  );

  const installsOn = (platform: string, date?: string) =>
    installs
      .filter((row) => row.platform === platform && (date === undefined || row.date === date))
      .reduce((sum, row) => sum + row.n, 0);
  const clicksOn = (date: string) =>
    clicks.filter((row) => row.date === date).reduce((sum, { n }) => sum + n, 0);
  const { reengagementStats, funnelStats, qualityStats } = found;
  return changed(found, {
    totalInstalls: installsOn('iOS') + installsOn('Android'),
    iosInstalls: installsOn('iOS'),
    androidInstalls: installsOn('Android'),
    totalClicks: clicks.reduce((sum, row) => sum + row.n, 0),
    dailyInstalls: found.dailyInstalls.map(({ date }) => ({
      date,
      installs: installsOn('iOS', date) + installsOn('Android', date),
      iosInstalls: installsOn('iOS', date),
      androidInstalls: installsOn('Android', date),
      clicks: clicksOn(date),
    })),
    countryStats: found.countryStats.map((item) =>
      changed(item, { installs: countries.find(({ country }) => country === item.code)?.n ?? 0 }),
    ),
    recentInstalls: found.recentInstalls.map((item, i) =>
      changed(item, { deviceModel: recent[i]?.deviceModel ?? null }),
    ),
    reengagementStats: changed(reengagementStats, {
      totalReengagements: reengaged.total ?? -1,
      successfulReengagements: reengaged.successful ?? -1,
      uniqueReengagedUsers: reengaged.people ?? -1,
      platformDistribution: {
        ios: reengaged.ios ?? -1,
        android: reengaged.android ?? -1,
        other: reengaged.other ?? -1,
      },
    }),
    funnelStats: changed(funnelStats, {
      totalSessions: sessions.total ?? -1,
      completedSessions: sessions.stage7 ?? -1,
      stages: funnelStats.stages.map((stage, i) =>
        changed(stage, { sessionsReached: sessions[`stage${i}`] ?? -1 }),
      ),
    }),
    qualityStats: changed(qualityStats, {
      totalAttempts: resolutions.total ?? -1,
      successfulResolutions: resolutions.successful ?? -1,
      failureReasons: qualityStats.failureReasons.map((item) =>
        changed(item, { count: failures.find(({ reason }) => reason === item.reason)?.n ?? 0 }),
      ),
    }),
  });
}

function changed<T extends object>(original: T, changes: Partial<T>): T {
  return Object.assign(Object.create(null) as object, original, changes);
}
