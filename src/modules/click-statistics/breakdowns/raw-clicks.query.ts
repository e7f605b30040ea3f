import type { Breakdown, Metric, ValueFilter } from './breakdowns';
import { type ClickSums, noSums } from './click-sums';
import { filterSql, Parameters, TARGET, valueSql } from './click-values.sql';
import type { Tx } from '../../../infrastructure/database/database';

/** Consecutive days of an organization, `YYYY-MM-DD`, and a time range with all their clicks. */
export interface DayRun {
  first: string;
  last: string;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Whether the time range also contains clicks of other days. */
  wider: boolean;
}

export interface ClickQuestion {
  organizationId: number;
  timeZone: string;
  metric: Metric;
  hourly: boolean;
  /** Dimension of the values; null for none. */
  breakdown: Breakdown | null;
  filters: readonly ValueFilter[];
  /** The requested values, or the number of largest values. */
  wanted: readonly string[] | number;
}

/** A question whose values may be the numbers of links and campaigns (`targetNumber`). */
export type RawQuestion = Omit<ClickQuestion, 'breakdown'> & { breakdown: Breakdown | 'target' | null };

/** Lets Postgres aggregate by visitor in memory. */
export const MORE_MEMORY = `SET LOCAL work_mem = '64MB'`;

interface Row {
  what: 'day' | 'hour' | 'value' | 'all';
  key: string;
  count: number;
}

/** Computes sums from the clicks themselves. @param runs must not overlap */
export async function sumClicks(tx: Tx, question: RawQuestion, runs: readonly DayRun[]): Promise<ClickSums> {
  const sums = noSums();
  if (runs.length === 0) return sums;
  const parameters = new Parameters();
  const sql = statementOf(question, runs, parameters);
  for (const { what, key, count } of await tx.query<Row>(sql, parameters.values)) {
    if (what === 'day') sums.days.set(key, count);
    else if (what === 'hour') sums.hours.set(Number(key), count);
    else if (what === 'value') sums.values.set(key, count);
    else sums.allValues = count;
  }
  return sums;
}

function statementOf(question: RawQuestion, runs: readonly DayRun[], parameters: Parameters): string {
  const { breakdown, metric, wanted } = question;
  const parts = metric === 'visitors' ? visitorParts(question) : clickParts(question);
  const base = `base AS MATERIALIZED (${parts.base(clicksOf(question, runs, parameters))})`;
  const results = [`SELECT 'day' AS what, day::text AS key, count FROM (${parts.days}) AS days`];
  if (question.hourly) results.push(`SELECT 'hour', hour::text, count FROM (${parts.hours}) AS hours`);
  if (breakdown === null) return `WITH ${base} ${results.join(' UNION ALL ')}`;
  results.push(
    `SELECT 'all', '', coalesce(sum(count), 0)::bigint FROM named`,
    typeof wanted === 'number'
      ? `(SELECT 'value', key, count FROM named ORDER BY count DESC, key COLLATE "C" LIMIT ${parameters.add(wanted)})`
      : `SELECT 'value', key, count FROM named WHERE key = ANY(${parameters.add(wanted)}::text[])`,
  );
  return `WITH ${base}, named AS MATERIALIZED (${parts.named(valueSql(breakdown).name)}) ${results.join(' UNION ALL ')}`;
}

interface Parts {
  base: (clicks: string) => string;
  days: string;
  hours: string;
  named: (name: string) => string;
}

function clickParts({ hourly, breakdown }: RawQuestion): Parts {
  const sets = ['(day)', ...(hourly ? ['(hour)'] : []), ...(breakdown === null ? [] : ['(value)'])];
  const columns = ['day', ...(hourly ? ['hour'] : []), ...(breakdown === null ? [] : ['value'])];
  // grouping() tells a null value from a column that is not part of the grouping set.
  const grouped = columns.map((column) => `${column}, grouping(${column}) = 0 AS of_${column}`).join(', ');
  const of = (column: string) => `SELECT ${column}, count FROM base WHERE of_${column}`;
  return {
    base: (clicks) =>
      `SELECT ${grouped}, count(*)::bigint AS count FROM (${clicks}) AS c GROUP BY GROUPING SETS (${sets.join(', ')})`,
    days: of('day'),
    hours: of('hour'),
    named: (name) =>
      `SELECT key, sum(count)::bigint AS count FROM (SELECT ${name} AS key, count FROM base WHERE of_value) AS n GROUP BY key`,
  };
}

/**
 * Counts a person once per day, hour and value (docs/concepts/statistics.md#visitors). Visitor ids are per day, so the
 * day need not be part of the keys.
 */
function visitorParts({ hourly, breakdown }: RawQuestion): Parts {
  const ofHour = hourly ? ['hour'] : [];
  const ofValue = breakdown === null ? [] : breakdown === 'tag' ? ['target', 'value'] : ['value'];
  const all = ['visitor', ...ofHour, ...ofValue];
  // Groups again only if other keys have split a visitor.
  const each = (select: string, keys: readonly string[]) =>
    keys.length + 1 === all.length
      ? `SELECT ${select} FROM base`
      : `SELECT min(day) AS day${keys.map((key) => `, ${key}`).join('')} FROM base GROUP BY ${['visitor', ...keys].join(', ')}`;
  return {
    base: (clicks) =>
      `SELECT ${all.join(', ')}, min(day) AS day FROM (${clicks}) AS c GROUP BY ${all.join(', ')}`,
    days: `SELECT day, count(*)::bigint AS count FROM (${each('day', [])}) AS v GROUP BY day`,
    hours: `SELECT hour, count(*)::bigint AS count FROM (${each('hour', ofHour)}) AS v GROUP BY hour`,
    named: (name) =>
      `SELECT key, count(*)::bigint AS count FROM (SELECT ${name} AS key FROM (${each('value', ofValue)}) AS v) AS n GROUP BY key`,
  };
}

/** SQL for the clicks of the question: day, hour, value, visitor. */
function clicksOf(question: RawQuestion, runs: readonly DayRun[], parameters: Parameters): string {
  const { breakdown, filters, hourly, metric } = question;
  const organization = parameters.add(question.organizationId);
  const { value, joins } = breakdown === null ? { value: '', joins: '' } : valueSql(breakdown);
  const columns = [
    'c.local_day AS day',
    ...(hourly
      ? [
          `(extract(epoch FROM date_trunc('hour', c.clicked_at, ${parameters.add(question.timeZone)}::text)) * 1000)::bigint AS hour`,
        ]
      : []),
    ...(breakdown === null ? [] : [`${value} AS value`]),
    ...(metric === 'visitors' ? visitorColumns(question) : []),
  ];
  const conditions = [
    `c.organization_id = ${organization}`,
    metric === 'bots' ? 'c.is_bot' : 'NOT c.is_bot',
    `(${runs.map((run) => runCondition(run, parameters)).join(' OR ')})`,
    ...filterSql(filters, parameters, organization),
  ];
  return `SELECT ${columns.join(', ')} FROM clicks c ${joins} WHERE ${conditions.join(' AND ')}`;
}

/** By tag, a visitor counts once per link or campaign (docs/concepts/statistics.md#visitors). */
function visitorColumns({ breakdown, filters }: RawQuestion): string[] {
  const isOfTag = filters.some((filter) => filter.breakdown === 'tag');
  return [
    `${isOfTag ? `hashint8extended(${TARGET}, c.local_visitor)` : 'c.local_visitor'} AS visitor`,
    ...(breakdown === 'tag' ? [`${TARGET} AS target`] : []),
  ];
}

export function runCondition({ first, last, from, to, wider }: DayRun, parameters: Parameters): string {
  const time = `c.clicked_at >= ${parameters.add(from)}::timestamptz AND c.clicked_at < ${parameters.add(to)}::timestamptz`;
  // Added only if needed, because the planner cannot estimate it.
  return wider
    ? `${time} AND c.local_day BETWEEN ${parameters.add(first)}::date AND ${parameters.add(last)}::date`
    : time;
}
