import type { TrackedLinkKind } from '../clicks/click';
import type { EnrichedClick } from './enriched-click';

/** utm dimensions, in the order of the values in a journaled visit. */
export const UTM_DIMENSIONS = [
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'utm_campaign',
] as const;
export type UtmDimension = (typeof UTM_DIMENSIONS)[number];

/** Dimensions by which clicks are counted. A stored value has its dimension as a prefix: `country:KR`, `hour:09`. */
export type Dimension =
  | 'hour'
  | 'country'
  | 'region'
  | 'city'
  | 'browser'
  | 'os'
  | 'device'
  | 'referrer'
  | 'tracker'
  | 'variant'
  | UtmDimension
  /** Counts unique visitors of a day instead of clicks. */
  | 'variant_visitors';
/** Name of a bot, which only clicks of bots have. */
export type BotDimension = 'bot';

/** Maximum number of values per dimension and day of a link or campaign, because visitors can send arbitrary values. */
const MAX_VALUES = 200;
const OTHER = '(other)';

export function dimensionValue(dimension: Dimension | BotDimension, text: string): string {
  return `${dimension}:${text}`;
}

export interface Tally {
  clicks: number;
  botClicks: number;
  /** Clicks of people by value of each dimension. */
  values: Map<string, number>;
}

/** Clicks of a batch on one link or campaign on one UTC day. */
export interface DayRollup extends Tally {
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** `YYYY-MM-DD` */
  day: string;
  /** Hashes of the people who clicked. */
  visitors: Set<string>;
  /** The same by URL of the variant; null if there are no variants. */
  variantVisitors: Map<string, Set<string>> | null;
}

export function addPerson(rollup: Tally, { hour, dimensions }: EnrichedClick): void {
  rollup.clicks++;
  increment(rollup.values, HOURS[hour] ?? '');
  for (const value of dimensions) increment(rollup.values, value);
}

/** Adds a person's click on a link or campaign, including figures that are not kept per customer. */
export function addVisit(rollup: DayRollup, enriched: EnrichedClick): void {
  addPerson(rollup, enriched);
  const { click, visitor, utm, variant } = enriched;
  rollup.visitors.add(visitor);
  for (const value of utm) increment(rollup.values, value);
  if (variant === null || !click.variant) return;
  increment(rollup.values, variant);
  rollup.variantVisitors ??= new Map();
  const visitors = rollup.variantVisitors.get(click.variant);
  if (visitors) visitors.add(visitor);
  else rollup.variantVisitors.set(click.variant, new Set([visitor]));
}

const HOURS = Array.from({ length: 24 }, (_, hour) => dimensionValue('hour', String(hour).padStart(2, '0')));

function increment(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** Keeps the most frequent values of each dimension, and sums up the rest as `(other)`. */
export function bounded(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (counts.size <= MAX_VALUES) return counts;
  const ranks = new Map<string, number>();
  const result = new Map<string, number>();
  for (const [value, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const dimension = value.slice(0, value.indexOf(':'));
    const rank = (ranks.get(dimension) ?? 0) + 1;
    ranks.set(dimension, rank);
    const name = rank < MAX_VALUES ? value : `${dimension}:${OTHER}`;
    result.set(name, (result.get(name) ?? 0) + count);
  }
  return result;
}

/** SQL expressions for the dimension of a stored value, and for the value without it. */
export const dimensionOf = (value: string) => `split_part(${value}, ':', 1)`;
export const textOf = (value: string) => `substr(${value}, strpos(${value}, ':') + 1)`;

/**
 * SQL query that sums `pairs` (value, count) by value: the most frequent ones of each dimension, and the rest as
 * `(other)`.
 * @param pairs a table, or a query in parentheses with an alias
 * @returns one row with the arrays `dimensions` and `counts`, both null if there are no pairs
 */
export const boundedValues = (pairs: string) => `
  SELECT array_agg(value) AS dimensions, array_agg(count) AS counts
    FROM (SELECT CASE WHEN rank < ${MAX_VALUES} THEN value ELSE ${dimensionOf('value')} || ':${OTHER}' END AS value,
                 sum(count)::bigint AS count
            FROM (SELECT value, count,
                         row_number() OVER (PARTITION BY ${dimensionOf('value')} ORDER BY count DESC, value) AS rank
                    FROM (SELECT value, sum(count) AS count FROM ${pairs} GROUP BY value) AS summed) AS ranked
           GROUP BY 1) AS bounded`;

/** SQL of an upsert's SET that adds the values of `excluded` to those of `stored`. */
export const MERGED_VALUES = `
  SELECT coalesce(dimensions, '{}'), coalesce(counts::int[], '{}')
    FROM (${boundedValues(`(
      SELECT unnest(stored.dimensions || excluded.dimensions) AS value,
             unnest(stored.dimension_counts || excluded.dimension_counts) AS count) AS pairs`)}) AS merged`;

/**
 * SQL query for the values of days: one row (value, count) each.
 * @param days a FROM clause of click_rollups or customer_days as `d`, with its WHERE
 * @param columns further columns of `d`, each followed by a comma
 */
export const valuesOfDays = (days: { from: string; where: string }, columns = '') => `
  SELECT ${columns} v.value, v.count
    FROM ${days.from}, unnest(d.dimensions, d.dimension_counts) AS v (value, count)
   WHERE ${days.where}`;

/** SQL expression for the hour of the week, from Monday (0 to 167), of the value `hour:…` on a day. */
export const hourOfWeek = (day: string, value: string) =>
  `((extract(isodow FROM ${day})::int - 1) * 24 + right(${value}, 2)::int)`;
export const isHour = (value: string) => `starts_with(${value}, 'hour:')`;

export const monthOfDay = (day: string) => `date_trunc('month', ${day}::timestamp)::date`;
