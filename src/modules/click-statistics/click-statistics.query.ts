import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import type { DayRange } from '../../common/date-range';
import { countryName, percent } from './percentages';
import {
  type Dimension,
  dimensionOf,
  hourOfWeek,
  isHour,
  monthOfDay,
  textOf,
  valuesOfDays,
} from './dimensions';
import type { ClickStatistics, TopCountry, TopItem, UtmStatistics, VisitorCounts } from './statistics.dto';
import { compactedMonths } from '../../infrastructure/database/compacted-months';
import type { Tx } from '../../infrastructure/database/database';

interface DayRow {
  date: string;
  clicks: number;
  bots: number;
  /** Null for a customId. */
  visitors: number | null;
}

interface ValueRow {
  /** Hours are those of the week, from Monday. */
  dimension: Exclude<Dimension, 'hour'> | 'weekhour';
  value: string;
  count: number;
}

export interface OwnedTrackedLink {
  readonly id: number;
  readonly organizationId: number;
}

/** Clicks over a range of UTC days, read from rollups only. */
@Injectable()
export class ClickStatisticsQuery {
  /** Statistics of a link or campaign. @param tx a snapshot */
  async run(
    tx: Tx,
    kind: TrackedLinkKind,
    { organizationId, id }: OwnedTrackedLink,
    range: DayRange,
  ): Promise<ClickStatistics> {
    const parameters = [id, TRACKED_LINK_KIND[kind], range.startDate, range.endDate, organizationId];
    const days = await tx.query<DayRow>(DAYS, parameters);
    const values = await tx.query<ValueRow>(VALUES, parameters);
    const figures = new Figures(range, days, values);
    return { ...figures.ofAnyone(), visitors: figures.visitors(), utm: figures.utm() };
  }

  /**
   * Statistics of a customId of a campaign, without visitors and utm values; zeros if it has no clicks.
   * @param tx a snapshot
   */
  async runOfCustomer(
    tx: Tx,
    { organizationId, id }: OwnedTrackedLink,
    customId: string,
    range: DayRange,
  ): Promise<ClickStatistics> {
    const parameters = [id, customId, range.startDate, range.endDate, organizationId];
    const days = await tx.query<DayRow>(CUSTOMER_DAYS, parameters);
    const values = await tx.query<ValueRow>(CUSTOMER_VALUES, parameters);
    return { ...new Figures(range, days, values).ofAnyone(), visitors: null, utm: null };
  }
}

class Figures {
  private readonly byDate: ReadonlyMap<string, DayRow>;
  private readonly totalClicks: number;

  constructor(
    private readonly range: DayRange,
    days: readonly DayRow[],
    private readonly values: readonly ValueRow[],
  ) {
    this.byDate = new Map(days.map((row) => [row.date, row]));
    this.totalClicks = days.reduce((sum, row) => sum + row.clicks, 0);
  }

  ofAnyone(): Omit<ClickStatistics, 'visitors' | 'utm'> {
    const { byDate, totalClicks } = this;
    const hourOfWeek = this.hourOfWeek();
    return {
      daily: this.range.days.map((date) => ({ date, clicks: byDate.get(date)?.clicks ?? 0 })),
      hourly: Array.from({ length: 24 }, (_, hour) =>
        hourOfWeek.reduce((sum, day) => sum + (day[hour] ?? 0), 0),
      ),
      totalClicks,
      botClicks: [...byDate.values()].reduce((sum, row) => sum + row.bots, 0),
      topReferrers: this.top('referrer'),
      topCountries: this.top('country').map(toCountry),
      topRegions: this.top('region'),
      topCities: this.top('city'),
      topBrowsers: this.top('browser'),
      topOs: this.top('os'),
      topTrackers: this.top('tracker'),
      deviceTypes: this.top('device'),
      hourOfWeek,
      variants: this.variants(),
    };
  }

  visitors(): VisitorCounts {
    const { days } = this.range;
    const daily = days.map((date) => this.byDate.get(date)?.visitors ?? 0);
    return { total: daily.reduce((sum, visitors) => sum + visitors, 0), daily, since: days[0] ?? null };
  }

  utm(): UtmStatistics {
    return {
      utmSource: this.top('utm_source'),
      utmMedium: this.top('utm_medium'),
      utmCampaign: this.top('utm_campaign'),
      utmTerm: this.top('utm_term'),
      utmContent: this.top('utm_content'),
    };
  }

  private of(dimension: ValueRow['dimension']): ValueRow[] {
    return this.values.filter((row) => row.dimension === dimension);
  }

  private top(dimension: ValueRow['dimension']): TopItem[] {
    return this.of(dimension).map(({ value, count }) => ({
      name: value,
      count,
      percentage: percent(count, this.totalClicks),
    }));
  }

  private hourOfWeek(): number[][] {
    const hours = new Map(this.of('weekhour').map(({ value, count }) => [Number(value), count]));
    return Array.from({ length: 7 }, (_, day) =>
      Array.from({ length: 24 }, (_, hour) => hours.get(day * 24 + hour) ?? 0),
    );
  }

  private variants(): ClickStatistics['variants'] {
    const visitors = new Map(this.of('variant_visitors').map(({ value, count }) => [value, count]));
    return this.of('variant').map(({ value, count }) => ({
      url: value,
      clicks: count,
      visitors: visitors.get(value) ?? 0,
    }));
  }
}

function toCountry({ name, count, percentage }: TopItem): TopCountry {
  if (!/^[A-Z]{2}$/.test(name)) return { name, code: null, count, percentage };
  return { name: countryName(name), code: name, count, percentage };
}

const DAYS = `
  SELECT day AS date, sum(clicks)::bigint AS clicks, sum(bot_clicks)::bigint AS bots,
         sum(visitors)::bigint AS visitors
    FROM click_rollups
   WHERE organization_id = $5 AND tracked_link_id = $1 AND kind = $2 AND day BETWEEN $3 AND $4
   GROUP BY day`;

const DAYS_OF_CUSTOMER = {
  from: 'campaign_customers c JOIN customer_days d USING (organization_id, campaign_id, customer_no)',
  where: 'c.organization_id = $5 AND c.campaign_id = $1 AND c.custom_id = $2 AND d.day BETWEEN $3 AND $4',
};

const CUSTOMER_DAYS = `
  SELECT d.day AS date, sum(d.clicks)::bigint AS clicks, sum(d.bot_clicks)::bigint AS bots, NULL AS visitors
    FROM ${DAYS_OF_CUSTOMER.from}
   WHERE ${DAYS_OF_CUSTOMER.where}
   GROUP BY d.day`;

// The top ten values of each dimension in `pairs`, and all hours of the week and variants.
const RANKED = `
  counted AS (
    SELECT ${dimensionOf('value')} AS dimension, ${textOf('value')} AS value, sum(count)::bigint AS count
      FROM pairs GROUP BY pairs.value
  ), ranked AS (
    SELECT dimension, value, count,
           row_number() OVER (PARTITION BY dimension ORDER BY count DESC, value) AS rank
      FROM counted
  )
  SELECT dimension, value, count FROM ranked
   WHERE rank <= CASE WHEN dimension IN ('weekhour', 'variant', 'variant_visitors') THEN 200 ELSE 10 END
   ORDER BY dimension, rank`;

/** Values of days, with the hour of the day replaced by that of the week. */
const valuesInWeek = (days: { from: string; where: string }) => `
  SELECT CASE WHEN ${isHour('value')} THEN 'weekhour:' || ${hourOfWeek('day', 'value')} ELSE value END AS value, count
    FROM (${valuesOfDays(days, 'd.day,')}) AS of_days`;

// Compacted months that are whole, plus the days of all other months.
const VALUES = `
  WITH months AS (
    SELECT month, dimensions, counts, hours_of_week FROM click_months
     WHERE organization_id = $5 AND tracked_link_id = $1 AND kind = $2
       AND month >= $3::date AND month + interval '1 month' <= $4::date + interval '1 day'
       AND month IN (${compactedMonths('clicks', '$5')})
  ), pairs AS (
    SELECT v.value, v.count FROM months, unnest(dimensions, counts) AS v (value, count)
     WHERE NOT ${isHour('v.value')}
    UNION ALL
    SELECT 'weekhour:' || (position - 1), v.count
      FROM months, unnest(hours_of_week) WITH ORDINALITY AS v (count, position) WHERE v.count > 0
    UNION ALL
    ${valuesInWeek({
      from: 'click_rollups d',
      where: `d.organization_id = $5 AND d.tracked_link_id = $1 AND d.kind = $2 AND d.day BETWEEN $3 AND $4
     AND ${monthOfDay('d.day')} NOT IN (SELECT month FROM months)`,
    })}
  ), ${RANKED}`;

const CUSTOMER_VALUES = `
  WITH pairs AS (
    ${valuesInWeek(DAYS_OF_CUSTOMER)}
  ), ${RANKED}`;
