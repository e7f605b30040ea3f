import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import { type DayUsage, BillingUsageQuery } from './billing-usage.query';
import { type BillingUsageRequest, type BillingUsageResponse, toUsage } from './cost.dto';
import { planPeriod } from './plan-periods';
import { DomainError } from '../../../common/errors/domain-error';

/** Selectable months before the current one (docs/concepts/statistics.md#credits-and-billing). */
const MONTHS_BACK = 23;
/** Selectable periods before the current one. */
const PERIODS_BACK = 12;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Cost of an organization's sends in a calendar month or a period of its plan. */
@Injectable()
export class BillingUsageService {
  constructor(
    private readonly usage: BillingUsageQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws INVALID_MONTH, INVALID_PERIOD */
  async of(caller: Caller, { month, period }: BillingUsageRequest): Promise<BillingUsageResponse> {
    if (typeof period !== 'string') return this.ofMonth(caller, month);
    if (typeof month === 'string') throw badPeriod('must not be combined with month');
    return this.ofPeriod(caller, period);
  }

  private async ofMonth(caller: Caller, asked?: string | null): Promise<BillingUsageResponse> {
    const { timeZone } = caller.organization;
    const current = this.today(timeZone).slice(0, 7);
    const month = asked ?? current;
    if (!MONTH.test(month)) throw badMonth('must be a month such as 2026-11');
    const first = DateTime.fromISO(`${month}-01`, { zone: 'utc' });
    const oldest = DateTime.fromISO(`${current}-01`, { zone: 'utc' }).minus({ months: MONTHS_BACK });
    if (month > current || first < oldest) {
      throw badMonth(`must be from ${oldest.toFormat('yyyy-MM')} to ${current}`);
    }
    const days = await this.days(caller, `${month}-01`, first.plus({ months: 1 }).toISODate() ?? '');
    return { month, timeZone, isCurrentMonth: month === current, ...settingsOf(caller), ...toUsage(days) };
  }

  private async ofPeriod(caller: Caller, date: string): Promise<BillingUsageResponse> {
    if (!DAY.test(date) || !DateTime.fromISO(date, { zone: 'utc' }).isValid) {
      throw badPeriod('must be a date such as 2026-11-20');
    }
    const { timeZone } = caller.organization;
    const began = await this.usage.planStart(caller.organizationId);
    const current = planPeriod(began, this.today(timeZone));
    const { start, end, number } = planPeriod(began, date);
    if (number > current.number || number < current.number - PERIODS_BACK) {
      throw badPeriod(`must be a date in the current period or one of the ${PERIODS_BACK} before it`);
    }
    const days = await this.days(caller, start, end);
    const last = DateTime.fromISO(end, { zone: 'utc' }).minus({ days: 1 }).toISODate() ?? '';
    return {
      period: date,
      periodStart: midnight(start, timeZone),
      periodEnd: midnight(end, timeZone),
      periodLabel: `${start} - ${last}`,
      isCurrentPeriod: number === current.number,
      ...settingsOf(caller),
      ...toUsage(days),
    };
  }

  private days({ organizationId }: Caller, from: string, to: string): Promise<DayUsage[]> {
    return this.usage.run(organizationId, from, to);
  }

  private today(timeZone: string): string {
    return DateTime.fromJSDate(this.clock.date(), { zone: timeZone }).toISODate() ?? '';
  }
}

function settingsOf({ organization }: Caller) {
  const { baseCurrency: currency, timeZoneChangedAt } = organization;
  return { currency, timeZoneChangedAt: toDateTime(timeZoneChangedAt) };
}

/** Start of a day in a time zone, as a UTC date-time. */
function midnight(date: string, zone: string): string {
  return toDateTime(DateTime.fromISO(date, { zone }).startOf('day').toJSDate());
}

function badMonth(message: string): DomainError {
  return DomainError.inField('INVALID_MONTH', 'month', message);
}

function badPeriod(message: string): DomainError {
  return DomainError.inField('INVALID_PERIOD', 'period', message);
}
