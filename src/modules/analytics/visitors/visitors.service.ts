import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import { average } from '../../click-statistics/percentages';
import { type VisitorSums, VisitorsQuery } from '../../click-statistics/visitors.query';
import { analyticsRange } from '../analytics-range';
import { OwnedApps } from '../owned-apps';
import type {
  DailyVisitorsRequest,
  DailyVisitorsResponse,
  WeeklyVisitorsRequest,
  WeeklyVisitorsResponse,
} from './visitors.dto';

@Injectable()
export class VisitorsService {
  constructor(
    private readonly apps: OwnedApps,
    private readonly visitors: VisitorsQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, APP_NOT_OWNED */
  async daily(caller: Caller, query: DailyVisitorsRequest): Promise<DailyVisitorsResponse> {
    const { startDate, endDate, days } = query;
    const today = this.today(caller).toISODate();
    // The default range of this report ends today, unlike in other reports.
    const dates = startDate ? { startDate, endDate: endDate ?? today } : { endDate };
    const defaultDays = endDate ? undefined : days;
    const { range, shown } = analyticsRange(caller, dates, this.clock.date(), 'clickRetentionDays', {
      defaultDays,
    });
    const part = await this.part(caller, query.appId);
    const sums = await this.visitors.byDay(part, range.startDate, range.endDate);
    const { periods, ...figures } = summaryOf(sums);
    return {
      appId: part.appId,
      ...shown,
      daily: sums.map((each) => ({ date: each.start, ...countsOf(each) })),
      summary: { daysWithData: periods, ...figures },
    };
  }

  /** @throws APP_NOT_OWNED */
  async weekly(caller: Caller, query: WeeklyVisitorsRequest): Promise<WeeklyVisitorsResponse> {
    const { weeks, year } = query;
    const today = this.today(caller);
    const thisMonday = today.startOf('week');
    const asked = year
      ? { first: firstMonday(year), last: firstMonday(year + 1).minus({ weeks: 1 }) }
      : { first: thisMonday.minus({ weeks: weeks - 1 }), last: thisMonday };
    // The range is limited by retention, rounded to a whole week.
    const oldest = today.minus({ days: caller.organization.limits.clickRetentionDays - 1 }).startOf('week');
    const first = DateTime.max(asked.first, oldest);
    const part = await this.part(caller, query.appId);
    const sums = await this.visitors.byWeek(part, isoDate(first), isoDate(asked.last));
    const { periods, ...figures } = summaryOf(sums);
    return {
      appId: part.appId,
      timeZone: caller.organization.timeZone,
      timeZoneChangedAt: toDateTime(caller.organization.timeZoneChangedAt),
      ...(year ? { year } : { weeks, since: isoDate(first) }),
      weekly: sums.map((each) => ({ ...weekOf(each.start), ...countsOf(each) })),
      summary: { weeksWithData: periods, ...figures },
    };
  }

  private async part({ organizationId }: Caller, appId: number | null = null) {
    if (appId !== null) await this.apps.get(organizationId, appId);
    return { organizationId, appId };
  }

  /** The organization's current date, represented in UTC, where every day has 24 hours. */
  private today({ organization }: Caller): DateTime {
    const now = DateTime.fromJSDate(this.clock.date(), { zone: organization.timeZone });
    return now.setZone('utc', { keepLocalTime: true }).startOf('day');
  }
}

/** Monday of ISO week 1, the week that contains January 4. */
function firstMonday(year: number): DateTime {
  return DateTime.utc(year, 1, 4).startOf('week');
}

function isoDate(date: DateTime): string {
  return date.toISODate() ?? '';
}

function weekOf(monday: string) {
  const start = DateTime.fromISO(monday, { zone: 'utc' });
  const { weekYear, weekNumber } = start;
  const weekEndDate = isoDate(start.plus({ days: 6 }));
  return { year: weekYear, weekOfYear: weekNumber, weekStartDate: monday, weekEndDate };
}

function countsOf({ visitors, linkClicks, campaignClicks }: VisitorSums) {
  const totalClicks = linkClicks + campaignClicks;
  return { uniqueVisitors: visitors, totalClicks, urlClicks: linkClicks, campaignClicks };
}

function summaryOf(sums: readonly VisitorSums[]) {
  const visitors = sums.map((each) => each.visitors);
  return {
    periods: sums.length,
    avgUniqueVisitors: average(
      visitors.reduce((sum, each) => sum + each, 0),
      sums.length,
    ),
    maxUniqueVisitors: Math.max(0, ...visitors),
    totalClicks: sums.reduce((sum, each) => sum + each.linkClicks + each.campaignClicks, 0),
  };
}
