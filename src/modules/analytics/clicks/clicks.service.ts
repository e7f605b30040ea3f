import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import type { DayRange } from '../../../common/date-range';
import {
  type BreakdownQuestion,
  ClickBreakdownQuery,
} from '../../click-statistics/breakdowns/click-breakdown.query';
import { OTHER } from '../../click-statistics/breakdowns/breakdowns';
import type { ClickSums } from '../../click-statistics/breakdowns/click-sums';
import { analyticsRange, comparedRange } from '../analytics-range';
import { toClickAnalytics } from './click-response';
import { ClickFilterReader } from './click-filters';
import type { ClickAnalyticsRequest, ClickAnalyticsResponse } from './clicks.dto';
import { GroupNamesQuery } from './group-names.query';

const MAX_HOURLY_DAYS = 31;

/** Clicks by period and dimension (docs/concepts/statistics.md#clicks-by-dimension). */
@Injectable()
export class ClickAnalyticsService {
  constructor(
    private readonly filters: ClickFilterReader,
    private readonly breakdowns: ClickBreakdownQuery,
    private readonly names: GroupNamesQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, InvalidDateRange, NotFound, APP_NOT_OWNED, RANGE_TOO_LARGE */
  async of(caller: Caller, request: ClickAnalyticsRequest): Promise<ClickAnalyticsResponse> {
    const { organizationId, organization } = caller;
    const { groupBy: breakdown = null, interval, limit, metric } = request;
    const now = this.clock.date();
    const { range, shown } = analyticsRange(caller, request, now, 'clickRetentionDays');
    const compared = comparedRange(caller, request, now, 'clickRetentionDays');
    if (interval === 'hour') checkHours([range, ...(compared ? [compared.range] : [])]);
    const filters = await this.filters.read(organizationId, request);
    const { timeZone, timeZoneChangedAt } = organization;
    const question: Omit<BreakdownQuestion, 'days' | 'wanted'> = {
      organizationId,
      timeZone,
      timeZoneChangedAt,
      metric,
      hourly: interval === 'hour',
      breakdown,
      filters,
    };
    const { sums, other } = await this.breakdowns.read(organizationId, async (ask) => {
      // One more than shown, because one of them may be the stored `(other)`, which is not listed.
      const sums = listed(await ask({ ...question, days: range.days, wanted: limit + 1 }), limit);
      if (!compared) return { sums, other: null };
      const { days } = compared.range;
      const other = await ask({ ...question, days, wanted: [...sums.values.keys()] });
      const isFull = breakdown === null || sums.values.size >= limit;
      if (isFull || total(other.values) === other.allValues) return { sums, other };
      const before = listed(await ask({ ...question, days, wanted: limit + 1 }), limit);
      return withGone({ sums, other, before }, limit);
    });
    return toClickAnalytics({
      request,
      range,
      shown,
      sums,
      compared: compared && other && { range: compared.range, sums: other },
      nameOf: await this.namesOf(organizationId, breakdown, sums),
      retentionDays: organization.limits.clickRetentionDays,
    });
  }

  private namesOf(organizationId: number, breakdown: BreakdownQuestion['breakdown'], { values }: ClickSums) {
    return breakdown === null ? null : this.names.run(organizationId, breakdown, [...values.keys()]);
  }
}

/** Moves the stored `(other)` from the listed values to the rest of the response. */
function listed(sums: ClickSums, limit: number): ClickSums {
  const values = [...sums.values].filter(([value]) => value !== OTHER).slice(0, limit);
  return { ...sums, values: new Map(values) };
}

/** Adds values that only occur in the comparison range, with 0. */
function withGone({ sums, other, before }: Record<'sums' | 'other' | 'before', ClickSums>, limit: number) {
  const gone = [...before.values]
    .filter(([value]) => !sums.values.has(value))
    .slice(0, limit - sums.values.size);
  return {
    sums: { ...sums, values: new Map([...sums.values, ...gone.map(([value]) => [value, 0] as const)]) },
    other: { ...other, values: new Map([...other.values, ...gone]) },
  };
}

function total(values: ClickSums['values']): number {
  return [...values.values()].reduce((a, b) => a + b, 0);
}

function checkHours(ranges: readonly DayRange[]): void {
  if (ranges.some(({ days }) => days.length > MAX_HOURLY_DAYS)) {
    throw ValidationFailed.field('interval', `must not be hour for more than ${MAX_HOURLY_DAYS} days`);
  }
}
