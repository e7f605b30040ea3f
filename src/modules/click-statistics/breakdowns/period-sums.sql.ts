import { TRACKED_LINK_KIND } from '../../clicks/click';
import { OTHER, STORED, type StoredBreakdown } from './breakdowns';
import { Parameters, valueSql } from './click-values.sql';
import { type DayRun, runCondition } from './raw-clicks.query';

/** Values of the column `unit`. */
export const UNIT = { day: 1, month: 2 } as const;

/** Values of a dimension that are stored per period; the rest is summed as `(other)`. */
const MAX_KEYS = 200;

/** Dimensions in `click_breakdowns`: those with few values, and the hours of a day. */
const SUMMED = [...(Object.keys(STORED) as StoredBreakdown[]), 'app', 'domain'] as const;
export const HOUR = 'hour';

export interface Statement {
  sql: string;
  parameters: unknown[];
}

interface Day {
  organizationId: number;
  timeZone: string;
  run: DayRun;
}

const FIGURES = `
  coalesce(sum(count) FILTER (WHERE NOT is_bot), 0)::bigint AS clicks,
  coalesce(sum(count) FILTER (WHERE is_bot), 0)::bigint AS bots,
  count(*) FILTER (WHERE NOT is_bot) AS visitors`;

/**
 * SQL for the clicks of a day: is_bot, visitor, and these columns. @param joins tables of the columns, in addition to
 * `clicks c`
 */
function clicksOfDay(
  { organizationId, timeZone, run }: Day,
  columnsOf: (zone: string) => string,
  joins = '',
): Statement {
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const zone = parameters.add(timeZone);
  const sql = `SELECT c.is_bot, c.local_visitor AS visitor ${columnsOf(zone)}
                 FROM clicks c ${joins} WHERE c.organization_id = ${organization} AND ${runCondition(run, parameters)}`;
  // The condition uses the parameter, because Postgres cannot infer the type of an unused one.
  return { sql: `${sql} AND ${zone}::text IS NOT NULL`, parameters: parameters.values };
}

/** Totals of a day: clicks, bots, visitors. */
export function dayTotals(of: Day): Statement {
  const { sql, parameters } = clicksOfDay(of, () => '');
  return {
    sql: `SELECT ${FIGURES} FROM (SELECT is_bot, visitor, count(*) AS count FROM (${sql}) AS c GROUP BY 1, 2) AS seen`,
    parameters,
  };
}

/** Sums of a day by link and campaign: dimension, id (0 for those of the other kind), clicks, bots, visitors. */
export function dayLinks(of: Day): Statement {
  const { sql, parameters } = clicksOfDay(of, () => ', c.kind, c.tracked_link_id');
  const ofKind = (kind: keyof typeof TRACKED_LINK_KIND) =>
    `('${kind}', CASE WHEN c.kind = ${TRACKED_LINK_KIND[kind]} THEN c.tracked_link_id ELSE 0 END)`;
  return {
    sql: `
      SELECT dimension, id, ${FIGURES}
        FROM (SELECT dimension, id, is_bot, visitor, count(*) AS count
                FROM (${sql}) AS c, LATERAL (VALUES ${ofKind('link')}, ${ofKind('campaign')}) AS v (dimension, id)
               GROUP BY 1, 2, 3, 4) AS seen
       GROUP BY dimension, id
       ORDER BY dimension, id`,
    parameters,
  };
}

/** Sums of a day by the other dimensions: a row for each, with arrays in Postgres's notation. */
export function dayBreakdowns(of: Day): Statement {
  const { sql, parameters } = clicksOfDay(
    of,
    (zone) =>
      `, (extract(epoch FROM date_trunc('hour', c.clicked_at, ${zone}::text)) * 1000)::bigint::text AS "value_hour",
       ${SUMMED.map((dimension) => `${valueSql(dimension).value} AS "value_${dimension}"`).join(', ')}`,
    SUMMED.map((dimension) => valueSql(dimension).joins).join(' '),
  );
  const keys = SUMMED.map((dimension) => {
    const key = valueSql(dimension).name.replace('value', `"value_${dimension}"`);
    return `('${dimension}', ${key})`;
  });
  return {
    sql: `
      WITH day AS MATERIALIZED (${sql}), counted AS (
        SELECT dimension, key, ${FIGURES}
          FROM (SELECT dimension, key, is_bot, visitor, count(*) AS count
                  FROM day, LATERAL (VALUES ('${HOUR}', "value_hour"), ${keys.join(', ')}) AS v (dimension, key)
                 GROUP BY 1, 2, 3, 4) AS seen
         GROUP BY dimension, key
      ) ${BOUNDED}`,
    parameters,
  };
}

/** From `counted` (dimension, key, clicks, bots, visitors), a row per dimension with its most frequent keys. */
const BOUNDED = `
  SELECT dimension, array_agg(key ORDER BY rest, clicks + bots DESC, key)::text AS keys,
         array_agg(clicks ORDER BY rest, clicks + bots DESC, key)::text AS clicks,
         array_agg(bots ORDER BY rest, clicks + bots DESC, key)::text AS bots,
         array_agg(visitors ORDER BY rest, clicks + bots DESC, key)::text AS visitors
    FROM (SELECT dimension, key, key = '${OTHER}' AS rest, sum(clicks)::bigint AS clicks, sum(bots)::bigint AS bots,
                 sum(visitors)::bigint AS visitors
            FROM (SELECT dimension, CASE WHEN position < ${MAX_KEYS} THEN key ELSE '${OTHER}' END AS key, clicks, bots, visitors
                    FROM (SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY key = '${OTHER}', clicks + bots DESC, key) AS position
                            FROM counted) AS ranked) AS named
           GROUP BY dimension, key) AS bounded
   GROUP BY dimension`;

/**
 * Sums of a month from its days, without hours, in the form of `dayBreakdowns`. $1 is the organization, $2 the month.
 */
export const MONTH_BREAKDOWNS = `
  WITH counted AS (
    SELECT dimension, v.key, sum(v.clicks) AS clicks, sum(v.bots) AS bots, sum(v.visitors) AS visitors
      FROM click_breakdowns b, unnest(b.keys, b.clicks, b.bots, b.visitors) AS v (key, clicks, bots, visitors)
     WHERE b.organization_id = $1 AND b.unit = ${UNIT.day} AND b.dimension <> '${HOUR}'
       AND b.start >= $2::date AND b.start < $2::date + interval '1 month'
     GROUP BY dimension, v.key
  ) ${BOUNDED}`;

export const ZONE = `
  SELECT time_zone AS "timeZone", time_zone_changed_at AS "timeZoneChangedAt" FROM organizations WHERE id = $1`;

/**
 * Finished days without sums, latest first. $1: time at which a day must have ended; $2: oldest day. Organizations
 * visited only by bots are left out: they have few clicks to read.
 */
export const DUE_DAYS = `
  SELECT visited.organization_id AS "organizationId", $2::date + n AS day
    FROM (SELECT organization_id FROM visitor_rollups WHERE app_id = 0 GROUP BY organization_id) AS visited
    JOIN organizations o ON o.id = visited.organization_id AND o.deleted_at IS NULL
   CROSS JOIN LATERAL (SELECT min(clicked_at) AS at FROM clicks WHERE organization_id = visited.organization_id) AS first
   CROSS JOIN LATERAL generate_series(greatest((first.at AT TIME ZONE o.time_zone)::date - 1 - $2::date, 0),
                                      ($1::timestamptz AT TIME ZONE o.time_zone)::date - 1 - $2::date) AS n
   WHERE first.at IS NOT NULL
     AND NOT EXISTS (SELECT FROM click_sums s
                      WHERE s.organization_id = visited.organization_id AND s.unit = ${UNIT.day} AND s.start = $2::date + n
                        AND s.claim IS NULL)
   ORDER BY day DESC, visited.organization_id
   LIMIT $3`;

/** Months without sums all of whose days have sums. */
export const DUE_MONTHS = `
  SELECT organization_id AS "organizationId", month
    FROM (SELECT organization_id, date_trunc('month', start::timestamp)::date AS month, count(*) AS days
            FROM click_sums WHERE unit = ${UNIT.day} AND claim IS NULL
           GROUP BY 1, 2) AS months
   WHERE days = extract(day FROM month + interval '1 month' - interval '1 day')
     AND NOT EXISTS (SELECT FROM click_sums s
                      WHERE s.organization_id = months.organization_id AND s.unit = ${UNIT.month} AND s.start = month
                        AND s.claim IS NULL)
   ORDER BY month DESC, organization_id`;
