import { INT64, Field } from '../../../common/http/api-field';
import { Text } from '../../../common/validation/atoms';
import { zoneChangedAt } from '../../click-statistics/statistics.dto';
import { baseCurrency } from '../analytics.atoms';
import type { DayUsage } from './billing-usage.query';

/**
 * Credits (docs/concepts/statistics.md#credits-and-billing): 1 credit is one unit of the organization's base currency.
 */
export class CreditBalances {
  @Field('Remaining credits, paid and free', 62_500)
  balance!: number;

  @Field('Remaining paid credits', 50_000)
  paidBalance!: number;

  @Field('Remaining free credits', 12_500)
  freeBalance!: number;

  @Field('All credits ever bought', 150_000)
  totalCharged!: number;

  @Field('All free credits ever granted', 20_000)
  totalFreeGranted!: number;

  @Field('Credits used, net of refunds', 107_500)
  totalUsed!: number;

  @baseCurrency
  currency!: string;
}

export class BillingUsageRequest {
  @Text({
    max: 20,
    optional: true,
    description:
      "Month in the organization's time zone, `yyyy-MM`: the current one or one of the 23 before it, else INVALID_MONTH",
    example: '2026-11',
  })
  month?: string | null;

  @Text({
    max: 20,
    optional: true,
    description:
      'A day, `yyyy-MM-dd`, in a period of the plan: the current one or one of the 12 before it; must not be combined with ' +
      'month; else INVALID_PERIOD',
    example: '2026-11-20',
  })
  period?: string | null;
}

export class ChannelUsage {
  @Field('Kind of message', 'SMS')
  channelType!: string;

  @Field('Display name', 'SMS')
  channelName!: string;

  @Field('Messages sent', 1200, INT64)
  successCount!: number;

  @Field('Cost of the messages', 11_880)
  rateSum!: number;
}

export class DailyUsage {
  @Field("Day in the organization's time zone", '2026-11-20', { format: 'date' })
  date!: string;

  @Field('Messages sent', 400, INT64)
  successCount!: number;

  @Field('Cost of the messages', 3_960)
  rateSum!: number;

  @Field(
    'Messages sent, by kind',
    { SMS: 300, EMAIL: 100 },
    { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } },
  )
  countsByChannel!: Record<string, number>;
}

/** The cost of successful sends in a month or plan period. */
export class Usage {
  @Field('Messages sent; failed and unsent ones are not billed', 1600, INT64)
  successCount!: number;

  @Field('Cost of the messages: the sum of their rates', 15_840)
  usageCharge!: number;

  @Field('By channel, sorted by name', undefined, { type: ChannelUsage, isArray: true })
  channels!: ChannelUsage[];

  @Field('Days with sends, in chronological order', undefined, { type: DailyUsage, isArray: true })
  days!: DailyUsage[];
}

/** Usage of a month (month, timeZone, isCurrentMonth) or of a period (the fields that begin with `period`). */
export class BillingUsageResponse extends Usage {
  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @baseCurrency
  currency!: string;

  @Field('The month, `yyyy-MM`', '2026-11', { required: false })
  month?: string;

  @Field("The organization's time zone, which defines the days", 'Asia/Seoul', { required: false })
  timeZone?: string;

  @Field('Whether the month is the current one', true, { required: false })
  isCurrentMonth?: boolean;

  @Field('The requested day', '2026-11-20', { required: false, format: 'date' })
  period?: string;

  @Field('Start of the period, UTC', '2026-11-14T15:00:00Z', { required: false, format: 'date-time' })
  periodStart?: string;

  @Field('Start of the next period, UTC: the exclusive end', '2026-12-14T15:00:00Z', {
    required: false,
    format: 'date-time',
  })
  periodEnd?: string;

  @Field('First and last day', '2026-11-15 - 2026-12-14', { required: false })
  periodLabel?: string;

  @Field('Whether the period is the current one', true, { required: false })
  isCurrentPeriod?: boolean;
}

const CHANNEL_NAMES: Partial<Record<string, string>> = {
  SMS: 'SMS',
  LMS: 'LMS',
  MMS: 'MMS',
  ALIMTALK: 'Alimtalk',
  EMAIL: 'Email',
  PUSH: 'Push',
  WHATSAPP: 'WhatsApp',
};

/** @param usage sorted by day */
export function toUsage(usage: readonly DayUsage[]): Pick<Usage, keyof Usage> {
  const days = groups(usage, 'date').map(([date, rows]) => ({
    date,
    ...sumsOf(rows),
    countsByChannel: Object.fromEntries(rows.map((row) => [row.channelType, row.successCount])),
  }));
  const channels = groups(usage, 'channelType').map(([channelType, rows]) => ({
    channelType,
    channelName: CHANNEL_NAMES[channelType] ?? channelType,
    ...sumsOf(rows),
  }));
  const { successCount, rateSum: usageCharge } = sumsOf(usage);
  return { successCount, usageCharge, channels, days };
}

/** Groups rows by a field, sorted by its values. */
function groups(
  rows: readonly DayUsage[],
  field: 'date' | 'channelType',
): [value: string, rows: DayUsage[]][] {
  const values = [...new Set(rows.map((row) => row[field]))].sort();
  return values.map((value) => [value, rows.filter((row) => row[field] === value)]);
}

/** Sums rates as integers in ten-thousandths, to avoid floating-point errors. */
function sumsOf(rows: readonly DayUsage[]): { successCount: number; rateSum: number } {
  const units = rows.reduce((sum, { rateSum }) => sum + Math.round(Number(rateSum) * 10_000), 0);
  return {
    successCount: rows.reduce((sum, row) => sum + row.successCount, 0),
    rateSum: units / 10_000,
  };
}
