import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import type { DayRange } from '../../common/time/date-range';
import { countryName, percent } from './percentages';
import type { ClickStatistics, TopCountry, TopItem } from './statistics.dto';
import { Database } from '../../infrastructure/database/database';

/** Dimensions as click_terms numbers them. */
const HOUR = 0;
const COUNTRY = 1;
const BROWSER = 2;
export const OS_DIMENSION = 3;
const DEVICE_TYPE = 4;
const REFERRER = 5;
const TRACKER = 6;

interface DayRow {
  date: string;
  clicks: number;
  bots: number;
}

interface TermRow {
  dimension: number;
  value: string;
  count: number;
}

/** Clicks over a range of UTC days, read from rollups alone. */
@Injectable()
export class ClickStatisticsQuery {
  constructor(private readonly database: Database) {}

  /** Of one link or campaign. */
  async run(kind: TrackedLinkKind, trackedLinkId: number, range: DayRange): Promise<ClickStatistics> {
    const parameters = [trackedLinkId, TRACKED_LINK_KIND[kind], range.startDate, range.endDate];
    const [days, terms] = await Promise.all([
      this.database.read<DayRow>(DAYS, parameters),
      this.database.read<TermRow>(TERMS, parameters),
    ]);
    return statisticsOf(range, days, terms);
  }

  /** Of one customId of a campaign; zeros when the campaign does not know it. */
  async runOfUser(campaignId: number, customId: string, range: DayRange): Promise<ClickStatistics> {
    const parameters = [campaignId, customId, range.startDate, range.endDate];
    const [days, terms] = await Promise.all([
      this.database.read<DayRow>(USER_DAYS, parameters),
      this.database.read<TermRow>(USER_TERMS, parameters),
    ]);
    return statisticsOf(range, days, terms);
  }
}

function statisticsOf(range: DayRange, days: readonly DayRow[], terms: readonly TermRow[]): ClickStatistics {
  const byDate = new Map(days.map((row) => [row.date, row.clicks]));
  const totalClicks = days.reduce((sum, row) => sum + row.clicks, 0);
  const top = (dimension: number): TopItem[] =>
    terms
      .filter((row) => row.dimension === dimension)
      .map(({ value, count }) => ({ name: value, count, percentage: percent(count, totalClicks) }));
  const hours = new Map(
    terms.filter((row) => row.dimension === HOUR).map(({ value, count }) => [Number(value), count]),
  );
  return {
    daily: range.days.map((date) => ({ date, clicks: byDate.get(date) ?? 0 })),
    hourly: Array.from({ length: 24 }, (_, hour) => hours.get(hour) ?? 0),
    totalClicks,
    botClicks: days.reduce((sum, row) => sum + row.bots, 0),
    topReferrers: top(REFERRER),
    topCountries: top(COUNTRY).map(toCountry),
    topBrowsers: top(BROWSER),
    topOs: top(OS_DIMENSION),
    topTrackers: top(TRACKER),
    deviceTypes: top(DEVICE_TYPE),
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

// The ten most frequent words of each dimension of the query pairs; hours are all 24.
const RANKED = `
  counted AS (
    SELECT term, sum(count)::bigint AS count FROM pairs GROUP BY term HAVING sum(count) > 0
  ), ranked AS (
    SELECT t.dimension, t.value, c.count,
           row_number() OVER (PARTITION BY t.dimension ORDER BY c.count DESC, t.value) AS rank
      FROM counted c JOIN click_terms t ON t.id = c.term
  )
  SELECT dimension, value, count FROM ranked
   WHERE rank <= CASE WHEN dimension = ${HOUR} THEN 24 ELSE 10 END
   ORDER BY dimension, rank`;

const DAYS_OF_TARGET = `click_rollups WHERE target_id = $1 AND target_kind = $2`;
const TOTALS_OF_TARGET = `click_running_totals WHERE target_id = $1 AND target_kind = $2`;

// The last total in the range less the last one before it, and the days that these leave over or take too much; or all
// days, where those have fewer terms than the two totals.
const TERMS = `
  WITH low AS (
    SELECT day, pairs, terms, counts FROM ${TOTALS_OF_TARGET} AND day < $3 ORDER BY day DESC LIMIT 1
  ), last AS (
    SELECT day, pairs, terms, counts FROM ${TOTALS_OF_TARGET} AND day BETWEEN $3 AND $4 ORDER BY day DESC LIMIT 1
  ), high AS (
    SELECT last.day, last.terms, last.counts
      FROM last LEFT JOIN low ON true
     WHERE last.pairs - coalesce(low.pairs, 0) > cardinality(last.terms) + coalesce(cardinality(low.terms), 0)
  ), pairs AS (
    SELECT unnest(terms) AS term, unnest(counts) AS count FROM high
    UNION ALL
    SELECT unnest(terms), -unnest(counts) FROM low WHERE EXISTS (SELECT FROM high)
    UNION ALL
    SELECT unnest(terms), unnest(counts) FROM ${DAYS_OF_TARGET}
       AND day > coalesce((SELECT day FROM high), $3::date - 1) AND day <= $4
    UNION ALL
    SELECT unnest(terms), -unnest(counts) FROM ${DAYS_OF_TARGET}
       AND day > coalesce((SELECT day FROM low), '-infinity') AND day < $3 AND EXISTS (SELECT FROM high)
  ), ${RANKED}`;

const USER_TERMS = `
  WITH pairs AS (
    SELECT unnest(d.terms) AS term, unnest(d.counts) AS count
      FROM click_users u JOIN click_user_days d USING (campaign_id, user_no)
     WHERE u.campaign_id = $1 AND u.custom_id = $2 AND d.day BETWEEN $3 AND $4
  ), ${RANKED}`;
