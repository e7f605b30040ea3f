import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { holdOffClaims } from '../../../infrastructure/database/claims';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import { monthOfDay } from '../dimensions';
import type { EnrichedClick } from '../enriched-click';
import type { Tx } from '../../../infrastructure/database/database';

/**
 * Deletes the sums of the days and months of these clicks, in the transaction that counts them, so that sums never lack
 * a click (docs/adr/0045-sums-are-derived-from-clicks.md).
 */
export async function invalidatePeriods(tx: Tx, clicks: readonly EnrichedClick[]): Promise<void> {
  const days = new Map<number, Set<string>>();
  for (const { click, visit } of clicks) {
    const ofOrganization = days.get(click.organizationId);
    if (ofOrganization) ofOrganization.add(visit.day);
    else days.set(click.organizationId, new Set([visit.day]));
  }
  await holdOffClaims(tx, ADVISORY_LOCK.clickSums, days.keys());
  const pairs = [...days].flatMap(([organizationId, each]) =>
    [...each].map((day) => [organizationId, day] as const),
  );
  const parameters = [intArray(pairs.map(([id]) => id)), pairs.map(([, day]) => day)];
  const summed = await tx.query<{ id: number }>(SUMMED, parameters);
  for (const { id } of summed) await tx.query(DELETE_SUMS, [id, [...(days.get(id) ?? [])]]);
}

const PERIODS = (day: string) =>
  `(VALUES (1::smallint, ${day}), (2::smallint, ${monthOfDay(day)})) AS p (unit, start)`;

// A separate statement, because most clicks fall in periods without sums, which need neither lock nor deletion.
const SUMMED = `
  SELECT DISTINCT s.organization_id AS id
    FROM unnest($1::bigint[], $2::date[]) AS d (organization_id, day)
   CROSS JOIN LATERAL ${PERIODS('day')}
    JOIN click_sums s ON s.organization_id = d.organization_id AND s.unit = p.unit AND s.start = p.start
   WHERE s.organization_id = ANY($1)
   ORDER BY id`;

const DELETE_SUMS = `
  WITH locked AS MATERIALIZED (
    SELECT s.unit, s.start
      FROM click_sums s
     WHERE s.organization_id = $1
       AND (s.unit, s.start) IN (SELECT p.unit, p.start FROM unnest($2::date[]) AS day CROSS JOIN LATERAL ${PERIODS('day')})
     ORDER BY s.unit, s.start
       FOR UPDATE OF s
  )
  DELETE FROM click_sums s USING locked l
   WHERE s.organization_id = $1 AND s.unit = l.unit AND s.start = l.start`;
