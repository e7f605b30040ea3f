import type { Compaction } from '../../../infrastructure/database/compacted-months';
import { boundedValues, hourOfWeek, isHour, valuesOfDays } from '../dimensions';

/** Months of a link with fewer values in their days are not compacted, because that would not make reads faster. */
const MIN_VALUES = 200;

const DAYS = `d.organization_id = $1 AND d.day >= $2::date AND d.day < ($2::date + interval '1 month')::date`;

const BUILD = `
  INSERT INTO click_months (organization_id, tracked_link_id, kind, month, dimensions, counts, hours_of_week)
  SELECT $1, busy.tracked_link_id, busy.kind, $2, month.dimensions, month.counts, month.hours_of_week
    FROM (SELECT d.tracked_link_id, d.kind
            FROM (SELECT DISTINCT tracked_link_id, kind FROM click_totals WHERE organization_id = $1) AS t
            JOIN click_rollups d ON d.tracked_link_id = t.tracked_link_id AND d.kind = t.kind AND ${DAYS}
           GROUP BY d.tracked_link_id, d.kind
          HAVING sum(cardinality(d.dimensions)) >= ${MIN_VALUES}) AS busy,
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

/**
 * Compacts the days of a link or campaign into one row, so that statistics of a year read eleven rows, and days at both
 * ends only.
 */
export const CLICK_MONTHS: Compaction = {
  family: 'clicks',
  hasDays: `
    EXISTS (SELECT FROM visitor_rollups v
             WHERE v.organization_id = $1 AND v.app_id = 0
               AND v.day >= m.month AND v.day < m.month + interval '1 month')`,
  statements: ['DELETE FROM click_months WHERE organization_id = $1 AND month = $2', BUILD],
};
