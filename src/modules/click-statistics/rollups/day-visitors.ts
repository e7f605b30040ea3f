import { hash } from 'node:crypto';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import { type DayRollup, dimensionValue } from './dimensions';

/** `target_kind` of visitors of one variant of a link. */
const VARIANT_KIND = 11;

interface VariantVisitor {
  rollup: DayRollup;
  url: string;
  key: string;
}

/** A visitor as `click_day_visitors` stores it: a 64-bit integer in decimal. @param visitor hexadecimal digits */
function keyOf(visitor: string): string {
  return BigInt.asIntN(64, BigInt(`0x${visitor.slice(0, 16)}`)).toString();
}

/** Parameters of NEW_VISITORS: the place of each visitor's rollup, from 1, and the visitor. */
export function visitorParameters(rollups: readonly DayRollup[]): [places: string, visitors: string] {
  const places: number[] = [];
  const visitors: string[] = [];
  rollups.forEach((rollup, i) => {
    for (const visitor of rollup.visitors) {
      places.push(i + 1);
      visitors.push(keyOf(visitor));
    }
  });
  return [intArray(places), `{${visitors.join(',')}}`];
}

/**
 * SQL of CTEs that store the visitors of days, and count new ones as `fresh` (place, visitors).
 * @param days a CTE (place, target_id, target_kind, day)
 */
export const newVisitors = (days: string, places: string, visitors: string) => `
  seen AS (
    INSERT INTO click_day_visitors (day, target_id, target_kind, visitor)
    SELECT d.day, d.target_id, d.target_kind, v.visitor
      FROM unnest(${places}::int[], ${visitors}::bigint[]) AS v (place, visitor) JOIN ${days} d USING (place)
     ORDER BY place, visitor
    ON CONFLICT (day, target_id, target_kind, visitor) DO NOTHING
    RETURNING day, target_id, target_kind
  ), fresh AS (
    SELECT d.place, count(*)::int AS visitors FROM seen JOIN ${days} d USING (day, target_id, target_kind) GROUP BY d.place
  )`;

/** Stores the visitors of variants, and adds new ones to the values of their rollups. */
export async function addVariantVisitors(tx: Tx, rollups: readonly DayRollup[]): Promise<void> {
  const visitors = rollups.flatMap(variantVisitors);
  if (visitors.length === 0) return;
  const fresh = await tx.query<{ id: number; day: string; key: string }>(ADD, [
    intArray(visitors.map(({ rollup }) => rollup.trackedLinkId)),
    visitors.map(({ rollup }) => rollup.day),
    `{${visitors.map(({ key }) => key).join(',')}}`,
  ]);
  const isFresh = new Set(fresh.map(({ id, day, key }) => `${id}/${day}/${key}`));
  for (const { rollup, url, key } of visitors) {
    if (!isFresh.has(`${rollup.trackedLinkId}/${rollup.day}/${key}`)) continue;
    const value = dimensionValue('variant_visitors', url);
    rollup.values.set(value, (rollup.values.get(value) ?? 0) + 1);
  }
}

function variantVisitors(rollup: DayRollup): VariantVisitor[] {
  return [...(rollup.variantVisitors ?? [])].flatMap(([url, visitors]) =>
    [...visitors].map((visitor) => ({ rollup, url, key: keyOf(hash('sha256', `${visitor}\n${url}`)) })),
  );
}

// Sorted by key to avoid deadlocks.
const ADD = `
  INSERT INTO click_day_visitors (day, target_id, target_kind, visitor)
  SELECT day, target_id, ${VARIANT_KIND}, visitor
    FROM unnest($1::bigint[], $2::date[], $3::bigint[]) AS v (target_id, day, visitor)
   ORDER BY target_id, day, visitor
  ON CONFLICT (day, target_id, target_kind, visitor) DO NOTHING
  RETURNING target_id AS id, day, visitor::text AS key`;
