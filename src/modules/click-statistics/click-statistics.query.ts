import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import type { DayRange } from '../../common/time/date-range';
import { countryName, percent } from './percentages';
import { monthOfDay } from './rollups/click-months';
import { type Dimension, dimensionOf, textOf, valuesOfDays } from './rollups/dimensions';
import type { ClickStatistics, TopCountry, TopItem } from './statistics.dto';
import { Database } from '../../infrastructure/database/database';

interface DayRow {
  date: string;
  clicks: number;
  bots: number;
}

interface ValueRow {
  dimension: Dimension;
  value: string;
  count: number;
}

/** Clicks over a range of UTC days, read only from rollups. */
@Injectable()
export class ClickStatisticsQuery {
  constructor(private readonly database: Database) {}

  /** Statistics of one link or campaign. */
  async run(kind: TrackedLinkKind, trackedLinkId: number, range: DayRange): Promise<ClickStatistics> {
    const parameters = [trackedLinkId, TRACKED_LINK_KIND[kind], range.startDate, range.endDate];
    const [days, values] = await Promise.all([
      this.database.read<DayRow>(DAYS, parameters),
      this.database.read<ValueRow>(VALUES, parameters),
    ]);
    return statisticsOf(range, days, values);
  }

  /** Statistics of one customId of a campaign; zeros when it has no clicks. */
  async runOfUser(campaignId: number, customId: string, range: DayRange): Promise<ClickStatistics> {
    const parameters = [campaignId, customId, range.startDate, range.endDate];
    const [days, values] = await Promise.all([
      this.database.read<DayRow>(USER_DAYS, parameters),
      this.database.read<ValueRow>(USER_VALUES, parameters),
    ]);
    return statisticsOf(range, days, values);
  }
}

function statisticsOf(
  range: DayRange,
  days: readonly DayRow[],
  values: readonly ValueRow[],
): ClickStatistics {
  const byDate = new Map(days.map((row) => [row.date, row.clicks]));
  const totalClicks = days.reduce((sum, row) => sum + row.clicks, 0);
  const top = (dimension: Dimension): TopItem[] =>
    values
      .filter((row) => row.dimension === dimension)
      .map(({ value, count }) => ({ name: value, count, percentage: percent(count, totalClicks) }));
  const hours = new Map(
    values.filter((row) => row.dimension === 'hour').map(({ value, count }) => [Number(value), count]),
  );
  return {
    daily: range.days.map((date) => ({ date, clicks: byDate.get(date) ?? 0 })),
    hourly: Array.from({ length: 24 }, (_, hour) => hours.get(hour) ?? 0),
    totalClicks,
    botClicks: days.reduce((sum, row) => sum + row.bots, 0),
    topReferrers: top('referrer'),
    topCountries: top('country').map(toCountry),
    topBrowsers: top('browser'),
    topOs: top('os'),
    topTrackers: top('tracker'),
    deviceTypes: top('device'),
  };
}

function toCountry({ name, count, percentage }: TopItem): TopCountry {
  if (!/^[A-Z]{2}$/.test(name)) return { name, code: null, count, percentage };
  return { name: countryName(name), code: name, count, percentage };
}

const DAYS = `
  SELECT day AS date, sum(clicks)::bigint AS clicks, sum(bot_clicks)::bigint AS bots
    FROM click_rollups
   WHERE target_id = $1 AND target_kind = $2 AND day BETWEEN $3 AND $4
   GROUP BY day`;

const USER_DAYS = `
  SELECT d.day AS date, sum(d.clicks)::bigint AS clicks, sum(d.bot_clicks)::bigint AS bots
    FROM click_users u JOIN click_user_days d USING (campaign_id, user_no)
   WHERE u.campaign_id = $1 AND u.custom_id = $2 AND d.day BETWEEN $3 AND $4
   GROUP BY d.day`;

// Top ten values of each dimension in `pairs`, and all 24 hours.
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
   WHERE rank <= CASE WHEN dimension = 'hour' THEN 24 ELSE 10 END
   ORDER BY dimension, rank`;

// Compacted whole months, plus the days of all other months.
const VALUES = `
  WITH months AS (
    SELECT month, dimensions, counts FROM click_months
     WHERE target_id = $1 AND target_kind = $2
       AND month >= $3::date AND month + interval '1 month' <= $4::date + interval '1 day'
  ), pairs AS (
    SELECT v.value, v.count FROM months, unnest(dimensions, counts) AS v (value, count)
    UNION ALL
    ${valuesOfDays({
      from: 'click_rollups d',
      where: `d.target_id = $1 AND d.target_kind = $2 AND d.day BETWEEN $3 AND $4
     AND ${monthOfDay('d.day')} NOT IN (SELECT month FROM months)`,
    })}
  ), ${RANKED}`;

const USER_VALUES = `
  WITH pairs AS (
    ${valuesOfDays({
      from: 'click_users u JOIN click_user_days d USING (campaign_id, user_no)',
      where: 'u.campaign_id = $1 AND u.custom_id = $2 AND d.day BETWEEN $3 AND $4',
    })}
  ), ${RANKED}`;
