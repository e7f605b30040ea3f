import { Injectable } from '@nestjs/common';
import {
  DAY_MINUTES,
  FUNNEL_TERM,
  type InstallPlatform,
  QUARTER_MINUTES,
  SUBJECT_KIND,
  type SubjectKind,
  subjectKindOn,
} from '../funnel';
import type { DayRange } from '../../../common/date-range';
import { dimensionValue, valuesOfDays } from '../../click-statistics/dimensions';
import { type InstallPeriods, installPeriods } from './install-periods';
import { type DayInstalls, type RecentInstallRow, toInstallStatistics } from './install-statistics';
import type { InstallStatisticsResponse } from './install-statistics.dto';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** Subject of install statistics, which the caller must have checked to be the organization's. */
export interface InstallSubject {
  kind: SubjectKind;
  organizationId: number;
  id: number;
  /** Name of the app, code of the link, or alias of the campaign. */
  name: string;
  /** A web app has five stages (docs/concepts/sessions.md#stages). */
  isWebApp?: boolean;
  /** Platform of an app, whose clicks from other platforms do not count; null for a web app. */
  runsOn?: InstallPlatform | null;
  /** Platform to filter by; default: all. */
  platform?: InstallPlatform | null;
}

interface DayClicks {
  day: number;
  clicks: number;
}

interface TermRow {
  term: number;
  count: number;
}

/** Installs, re-engagements, funnel and quality of a link, campaign or app, read from rollups. */
@Injectable()
export class InstallStatisticsQuery {
  constructor(private readonly database: Database) {}

  /** @param timeZone of the days of the range; zones other than UTC are supported for campaigns only */
  async run(subject: InstallSubject, range: DayRange, timeZone = 'utc'): Promise<InstallStatisticsResponse> {
    const periods = installPeriods(range, timeZone);
    if (!periods.utc && subject.kind !== 'campaign') {
      throw new Error('Only campaigns have rollups by quarters of an hour');
    }
    const { days, terms, returned, recent } = await this.database.report(
      subject.organizationId,
      async (tx) => ({
        days: await this.days(tx, subject, periods),
        terms: await this.terms(tx, subject, periods),
        returned: periods.utc ? null : await this.returnedOf(tx, subject, periods),
        recent: await this.recent(tx, subject, periods),
      }),
    );
    const counts = new Map(terms.map(({ term, count }) => [term, count]));
    if (returned !== null) counts.set(FUNNEL_TERM.returns, returned);
    const daily = range.days.map((date, i) => ({ ...installsOn(subject, days.get(i + 1)), date }));
    return toInstallStatistics(subject, range, { daily, counts, recent });
  }

  /** Results by index of the day, from 1. */
  private async days(
    tx: Tx,
    subject: InstallSubject,
    { from, to, dayStarts, utc }: InstallPeriods,
  ): Promise<Map<number, DayInstalls>> {
    const minutes = utc ? DAY_MINUTES : QUARTER_MINUTES;
    const rows = await tx.query<DayInstalls & { day: number }>(daysOf(clicksIn(subject)), [
      subject.organizationId,
      SUBJECT_KIND[subject.kind],
      subject.id,
      from,
      to,
      dayStarts,
      minutes,
    ]);
    const days = new Map(rows.map(({ day, ...counts }) => [day, counts]));
    if (subject.kind === 'app' || !utc) return days;
    const parameters = [subject.id, SUBJECT_KIND[subject.kind], from, to, subject.organizationId];
    const clicks = await (subject.platform
      ? tx.query<DayClicks>(CLICKS_ON, [...parameters, dimensionValue('os', subject.platform)])
      : tx.query<DayClicks>(CLICKS, parameters));
    for (const row of clicks) days.set(row.day, { ...NO_INSTALLS, ...days.get(row.day), clicks: row.clicks });
    return days;
  }

  private terms(tx: Tx, subject: InstallSubject, periods: InstallPeriods): Promise<TermRow[]> {
    const { from, wholeFrom, wholeTo, to } = periods;
    return tx.query<TermRow>(TERMS, [...keyOf(subject), from, wholeFrom, wholeTo, to]);
  }

  /**
   * Unique returning users for days of another zone than UTC, counted from rows, because the rollups are by UTC day.
   */
  private async returnedOf(
    tx: Tx,
    { organizationId, id, platform = null }: InstallSubject,
    { from, to }: InstallPeriods,
  ): Promise<number> {
    const [row] = await tx.query<{ people: number }>(RETURNED, [organizationId, id, from, to, platform]);
    return row?.people ?? 0;
  }

  private recent(tx: Tx, subject: InstallSubject, { from, to }: InstallPeriods): Promise<RecentInstallRow[]> {
    const { organizationId, kind, id, platform = null } = subject;
    return kind === 'app'
      ? tx.query<RecentInstallRow>(RECENT_OF_APP, [organizationId, id, from, to, platform])
      : tx.query<RecentInstallRow>(RECENT_OF_TARGET, [
          organizationId,
          id,
          from,
          to,
          platform,
          SUBJECT_KIND[kind],
        ]);
  }
}

const NO_INSTALLS: DayInstalls = { clicks: 0, iosInstalls: 0, androidInstalls: 0 };

function keyOf({ organizationId, kind, id, platform }: InstallSubject): [number, number, number] {
  return [organizationId, platform ? subjectKindOn(kind, platform) : SUBJECT_KIND[kind], id];
}

function installsOn({ platform }: InstallSubject, day: DayInstalls = NO_INSTALLS): DayInstalls {
  return {
    ...day,
    ...(platform === 'Android' && { iosInstalls: 0 }),
    ...(platform === 'iOS' && { androidInstalls: 0 }),
  };
}

/** SQL expression for clicks; for an app, those from its own platform. */
function clicksIn({ kind, runsOn = null, platform = null }: InstallSubject): string {
  const own = kind === 'app' ? runsOn : null;
  if (own && platform && own !== platform) return '0';
  const on = own ?? platform;
  if (on === null) return 'clicks';
  return on === 'iOS' ? 'ios_clicks' : 'android_clicks';
}

const daysOf = (clicks: string) => `
  SELECT width_bucket(starts_at, $6::timestamptz[]) AS day, sum(${clicks})::bigint AS clicks,
         sum(ios_installs)::bigint AS "iosInstalls", sum(android_installs)::bigint AS "androidInstalls"
    FROM funnel_rollups
   WHERE organization_id = $1 AND subject_kind = $2 AND subject_id = $3 AND minutes = $7
     AND starts_at >= $4 AND starts_at < $5
   GROUP BY day`;

const FIRST_DAY = `($3::timestamptz AT TIME ZONE 'UTC')::date`;
const DAYS_OF_SUBJECT = `
  d.organization_id = $5 AND d.tracked_link_id = $1 AND d.kind = $2
  AND d.day >= ${FIRST_DAY} AND d.day < ($4::timestamptz AT TIME ZONE 'UTC')::date`;

const CLICKS = `
  SELECT d.day - ${FIRST_DAY} + 1 AS day, sum(d.clicks)::bigint AS clicks
    FROM click_rollups d
   WHERE ${DAYS_OF_SUBJECT}
   GROUP BY d.day`;

const CLICKS_ON = `
  SELECT counted.day - ${FIRST_DAY} + 1 AS day, sum(counted.count)::bigint AS clicks
    FROM (${valuesOfDays({ from: 'click_rollups d', where: DAYS_OF_SUBJECT }, 'd.day,')}) AS counted
   WHERE counted.value = $6
   GROUP BY counted.day`;

// Counts a user once per range, on their first return in it, which is the one whose previous return is outside of it.
const TERMS = `
  SELECT least(term, ${FUNNEL_TERM.returns}) AS term, sum(count)::bigint AS count
    FROM (SELECT terms, counts, (extract(epoch FROM starts_at - $4::timestamptz) / 86400)::int AS day
            FROM funnel_rollups
           WHERE organization_id = $1 AND subject_kind = $2 AND subject_id = $3
             AND (minutes = ${DAY_MINUTES} AND starts_at >= $5 AND starts_at < $6
                  OR minutes = ${QUARTER_MINUTES} AND starts_at >= $4 AND starts_at < $5
                  OR minutes = ${QUARTER_MINUTES} AND starts_at >= $6 AND starts_at < $7)) AS periods,
         unnest(terms, counts) AS counted (term, count)
   WHERE term <= ${FUNNEL_TERM.returns} OR term - ${FUNNEL_TERM.returns} > day
   GROUP BY 1`;

const RETURNED = `
  SELECT count(DISTINCT user_key) AS people
    FROM reengagements
   WHERE organization_id = $1 AND kind = ${SUBJECT_KIND.campaign} AND tracked_link_id = $2
     AND occurred_at >= $3 AND occurred_at < $4 AND ($5::text IS NULL OR platform = $5)`;

const recentInstalls = (subject: string) => `
  SELECT installed_at AS "installedAt", platform, country, os_version AS "osVersion", device_model AS "deviceModel"
    FROM app_installs
   WHERE organization_id = $1 AND ${subject} AND installed_at >= $3 AND installed_at < $4
     AND ($5::text IS NULL OR platform = $5)
   ORDER BY installed_at DESC, id DESC
   LIMIT 10`;
const RECENT_OF_APP = recentInstalls('app_id = $2');
const RECENT_OF_TARGET = recentInstalls('tracked_link_id = $2 AND kind = $6');
