import { Injectable } from '@nestjs/common';
import { type Compaction, CompactedMonths } from '../../../infrastructure/database/compacted-months';
import type { Tx } from '../../../infrastructure/database/tx';
import { boundedValues, hourOfWeek, isHour, valuesOfDays } from '../dimensions';

/** Months of a link with fewer values in its days are not compacted, because that would not speed up reads. */
const MIN_VALUES = 200;

/**
 * Compacts the days of a link's finished month into one row, so that statistics of a year read eleven rows and the days
 * at both ends.
 */
@Injectable()
export class ClickMonths {
  constructor(private readonly months: CompactedMonths) {}

  /** @param retentionDays days by organization id */
  compact(retentionDays: ReadonlyMap<number, number>): Promise<void> {
    return this.months.compact(COMPACTION, retentionDays);
  }
}

async function build(tx: Tx, organizationId: number, month: string): Promise<void> {
  await tx.slow('DELETE FROM click_months WHERE organization_id = $1 AND month = $2', [
    organizationId,
    month,
  ]);
  await tx.slow(BUILD, [organizationId, month, MIN_VALUES]);
}

/** SQL condition: people clicked links or campaigns of organization $1 in `m.month`. */
export const HAS_CLICKS = `
  EXISTS (SELECT FROM visitor_rollups v
           WHERE v.organization_id = $1 AND v.app_id = 0 AND v.day >= m.month AND v.day < m.month + interval '1 month')`;

const COMPACTION: Compaction = { family: 'clicks', hasDays: HAS_CLICKS, build };

const DAYS = `d.organization_id = $1 AND d.day >= $2::date AND d.day < ($2::date + interval '1 month')::date`;

const BUILD = `
  INSERT INTO click_months (organization_id, tracked_link_id, kind, month, dimensions, counts, hours_of_week)
  SELECT $1, busy.tracked_link_id, busy.kind, $2, month.dimensions, month.counts, month.hours_of_week
    FROM (SELECT d.tracked_link_id, d.kind
            FROM (SELECT DISTINCT tracked_link_id, kind FROM click_totals WHERE organization_id = $1) AS t
            JOIN click_rollups d ON d.tracked_link_id = t.tracked_link_id AND d.kind = t.kind AND ${DAYS}
           GROUP BY d.tracked_link_id, d.kind
          HAVING sum(cardinality(d.dimensions)) >= $3) AS busy,
         LATERAL (
           WITH pairs AS (
             ${valuesOfDays(
               {
                 from: 'click_rollups d',
                 where: `d.tracked_link_id = busy.tracked_link_id AND d.kind = busy.kind AND ${DAYS}`,
               },
               'd.day,',
             )}
           ), hours AS (
             SELECT ${hourOfWeek('day', 'value')} AS hour, sum(count)::bigint AS count
               FROM pairs WHERE ${isHour('value')} GROUP BY 1
           )
           SELECT dimensions, counts,
                  ARRAY(SELECT coalesce(count, 0) FROM generate_series(0, 167) AS hour LEFT JOIN hours USING (hour)
                         ORDER BY hour) AS hours_of_week
             FROM (${boundedValues('pairs')}) AS bounded_values) AS month
   ORDER BY busy.tracked_link_id, busy.kind`;
