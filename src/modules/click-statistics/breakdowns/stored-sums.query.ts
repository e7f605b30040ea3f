import { type Breakdown, isTarget, OTHER, type ValueFilter } from './breakdowns';
import { addTo, type ClickSums, noSums, type Periods, type StoredPart } from './click-sums';
import { HOUR, UNIT } from './period-sums.sql';
import type { ClickQuestion } from './raw-clicks.query';
import { targetSums } from './target-sums.query';
import type { Tx } from '../../../infrastructure/database/database';

/**
 * Whether stored sums can answer a question: they are by a single dimension, and visitors cannot be summed over values.
 */
export function isStoredQuestion({ breakdown, filters, hourly, metric }: ClickQuestion): boolean {
  const involved = new Set([
    ...filters.map((filter) => filter.breakdown),
    ...(breakdown === null ? [] : [breakdown]),
  ]);
  if (involved.size === 0) return true;
  if (involved.size > 1 || hourly) return false;
  if (metric !== 'visitors') return true;
  if (involved.has('tag')) return true;
  return filters.every(({ included, excluded }) => included.length === 1 && excluded.length === 0);
}

/**
 * The metric by day, for days whose stored sums can answer the question. A day is left out if its `(other)` may include
 * a filtered or requested value.
 */
export async function storedDays(
  tx: Tx,
  question: ClickQuestion,
  days: readonly string[],
): Promise<Map<string, number>> {
  const { organizationId, metric } = question;
  const rows = await tx.query<{ day: string; count: number }>(
    `SELECT start AS day, ${metric} AS count FROM click_sums
      WHERE organization_id = $1 AND unit = ${UNIT.day} AND claim IS NULL AND start = ANY($2::date[])`,
    [organizationId, days],
  );
  const stored = new Map(rows.map(({ day, count }) => [day, count]));
  const asked = askedOf(question);
  if (!asked || isTarget(asked.dimension)) return stored;
  const unlisted = await tx.query<{ day: string }>(
    `SELECT start AS day FROM click_breakdowns
      WHERE organization_id = $1 AND dimension = $2 AND unit = ${UNIT.day} AND start = ANY($3::date[])
        AND keys @> ARRAY['${OTHER}'] AND NOT (keys @> $4::text[] AND '${OTHER}' <> ALL($4::text[]))`,
    [organizationId, asked.dimension, [...stored.keys()], asked.values],
  );
  for (const { day } of unlisted) stored.delete(day);
  return stored;
}

/** The dimension and values whose sums answer a question; null if the largest values are requested. */
function askedOf({
  breakdown,
  filters,
  wanted,
}: ClickQuestion): { dimension: Breakdown; values: readonly string[] } | null {
  const [filter] = filters;
  if (filter) return { dimension: filter.breakdown, values: askedValues(filter) };
  if (breakdown === null || typeof wanted === 'number') return null;
  return { dimension: breakdown, values: wanted };
}

/** The values whose sums answer a filter. */
function askedValues({ included, excluded }: ValueFilter): readonly string[] {
  return included.length > 0 ? included.filter((value) => !excluded.includes(value)) : excluded;
}

export async function addStored(tx: Tx, question: ClickQuestion, part: StoredPart): Promise<ClickSums> {
  const { breakdown, filters, hourly } = question;
  const { totals, raw } = part;
  const [filter] = filters;
  const dimension = filter?.breakdown ?? breakdown;
  const sums: ClickSums = { ...noSums(), days: new Map(raw.days), hours: new Map(raw.hours) };
  if (hourly)
    for (const { key, count } of await hoursOf(tx, question, part)) addTo(sums.hours, Number(key), count);
  if (dimension === null) {
    for (const [day, count] of totals) addTo(sums.days, day, count);
    return sums;
  }
  const periods = await periodsOf(tx, question, [...totals.keys()]);
  if (isTarget(dimension)) return targetSums(tx, { question, dimension, filter, part, periods }, sums);
  const days = filter ? await filteredDays(tx, question, filter, part) : totals;
  for (const [day, count] of days) addTo(sums.days, day, count);
  if (breakdown !== null) await addValues(tx, { question, breakdown, filter, periods }, raw, sums);
  return sums;
}

function hoursOf(tx: Tx, { organizationId, metric }: ClickQuestion, { totals }: StoredPart) {
  return tx.query<{ key: string; count: number }>(
    `SELECT v.key, sum(v.count)::bigint AS count
       FROM click_breakdowns b, unnest(b.keys, b.${metric}) AS v (key, count)
      WHERE b.organization_id = $1 AND b.dimension = '${HOUR}' AND b.unit = ${UNIT.day} AND b.start = ANY($2::date[])
      GROUP BY v.key HAVING sum(v.count) > 0`,
    [organizationId, [...totals.keys()]],
  );
}

async function periodsOf(
  tx: Tx,
  { organizationId }: ClickQuestion,
  days: readonly string[],
): Promise<Periods> {
  const rows = await tx.query<{ month: string; days: number }>(
    `SELECT start AS month, extract(day FROM start + interval '1 month' - interval '1 day')::int AS days FROM click_sums
      WHERE organization_id = $1 AND unit = ${UNIT.month} AND claim IS NULL
        AND start = ANY(SELECT date_trunc('month', day::timestamp)::date FROM unnest($2::date[]) AS day)`,
    [organizationId, days],
  );
  const counts = new Map<string, number>();
  for (const day of days) addTo(counts, day.slice(0, 7), 1);
  const months = rows
    .filter((row) => counts.get(row.month.slice(0, 7)) === row.days)
    .map(({ month }) => month);
  const whole = new Set(months.map((month) => month.slice(0, 7)));
  return { months, days: days.filter((day) => !whole.has(day.slice(0, 7))) };
}

async function filteredDays(
  tx: Tx,
  { organizationId, metric }: ClickQuestion,
  filter: ValueFilter,
  { totals }: StoredPart,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ day: string; count: number }>(
    `SELECT b.start AS day, coalesce(sum(b.${metric}[array_position(b.keys, asked.key)]), 0)::bigint AS count
       FROM click_breakdowns b, unnest($4::text[]) AS asked (key)
      WHERE b.organization_id = $1 AND b.dimension = $2 AND b.unit = ${UNIT.day} AND b.start = ANY($3::date[])
      GROUP BY b.start`,
    [organizationId, filter.breakdown, [...totals.keys()], [...new Set(askedValues(filter))]],
  );
  const isExcluded = filter.included.length === 0;
  const days = new Map(isExcluded ? totals : []);
  for (const { day, count } of rows) addTo(days, day, isExcluded ? -count : count);
  return days;
}

interface Grouping {
  question: ClickQuestion;
  breakdown: Breakdown;
  filter: ValueFilter | undefined;
  periods: Periods;
}

async function addValues(
  tx: Tx,
  { question, breakdown, filter, periods }: Grouping,
  raw: ClickSums,
  sums: ClickSums,
): Promise<void> {
  const { organizationId, metric, wanted } = question;
  const isTop = typeof wanted === 'number';
  // A month is not used, because its `(other)` may include a requested value.
  const { months, days } = askedOf(question)
    ? { months: [], days: [...periods.months.flatMap(daysOfMonth), ...periods.days] }
    : periods;
  const rows = await tx.query<{ key: string | null; count: number }>(
    `WITH pairs AS (
       SELECT v.key, v.count
         FROM click_breakdowns b, unnest(b.keys, b.${metric}) AS v (key, count)
        WHERE b.organization_id = $1 AND b.dimension = $2
          AND (b.unit = ${UNIT.month} AND b.start = ANY($3::date[]) OR b.unit = ${UNIT.day} AND b.start = ANY($4::date[]))
       UNION ALL
       SELECT key, count FROM unnest($5::text[], $6::bigint[]) AS r (key, count)
     ), named AS MATERIALIZED (
       SELECT key, sum(count)::bigint AS count FROM pairs
        WHERE ($7::text[] IS NULL OR key = ANY($7::text[])) AND key <> ALL($8::text[])
        GROUP BY key HAVING sum(count) > 0
     )
     SELECT NULL AS key, coalesce(sum(count), 0)::bigint AS count FROM named
     UNION ALL
     ${
       isTop
         ? `(SELECT key, count FROM named ORDER BY count DESC, key COLLATE "C" LIMIT $9::bigint)`
         : `SELECT key, count FROM named WHERE key = ANY($9::text[])`
     }`,
    [
      organizationId,
      breakdown,
      months,
      days,
      [...raw.values.keys()],
      [...raw.values.values()],
      filter && filter.included.length > 0 ? filter.included : null,
      filter?.excluded ?? [],
      wanted,
    ],
  );
  const listed = [...raw.values.values()].reduce((sum, count) => sum + count, 0);
  sums.allValues = raw.allValues - listed;
  for (const { key, count } of rows) {
    if (key === null) sums.allValues += count;
    else sums.values.set(key, count);
  }
}

function daysOfMonth(month: string): string[] {
  const year = Number(month.slice(0, 4));
  const number = Number(month.slice(5, 7));
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${month.slice(0, 8)}${String(i + 1).padStart(2, '0')}`);
}
