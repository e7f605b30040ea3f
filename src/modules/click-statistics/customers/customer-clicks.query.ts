import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import { compactedMonths } from '../../../infrastructure/database/compacted-months';
import type { OwnedTrackedLink } from '../click-statistics.query';
import type { Tx } from '../../../infrastructure/database/database';

/** Clicks by people with one customId of a campaign. */
export interface CustomerClicks {
  customId: string;
  clicks: number;
  /** Seconds since the epoch. */
  lastClickedAt: number;
}

/** Maximum number of listed customers (docs/concepts/statistics.md#link-and-campaign-statistics). */
const MOST = 1_000;

@Injectable()
export class CustomerClicksQuery {
  /** At most 1,000 customers, in descending order of clicks. @param tx a snapshot @param customId null for all */
  run(
    tx: Tx,
    { organizationId, id }: OwnedTrackedLink,
    { startDate, endDate }: DayRange,
    customId: string | null,
  ): Promise<CustomerClicks[]> {
    const parameters = [organizationId, id, startDate, endDate];
    if (customId !== null) return tx.query<CustomerClicks>(ONE, [...parameters, customId]);
    return tx.query<CustomerClicks>(TOP, parameters);
  }
}

const SECONDS = (time: string) => `floor(extract(epoch FROM ${time}))::float8`;

// Compacted whole months, and the days of all other months.
const TOP = `
  WITH whole AS MATERIALIZED (
    ${compactedMonths('customers')}
       AND month >= $3::date AND month + interval '1 month' <= $4::date + interval '1 day'
  ), top AS (
    SELECT customer_no, sum(clicks)::bigint AS clicks, max(last_clicked_at) AS last
      FROM (SELECT customer_no, clicks, last_clicked_at FROM customer_months
             WHERE organization_id = $1 AND campaign_id = $2 AND month = ANY(ARRAY(SELECT month FROM whole))
            UNION ALL
            SELECT customer_no, clicks, last_clicked_at FROM customer_days
             WHERE organization_id = $1 AND campaign_id = $2 AND day = ANY(ARRAY(
               SELECT day::date FROM generate_series($3::date::timestamp, $4::date, interval '1 day') AS day
                WHERE date_trunc('month', day)::date NOT IN (SELECT month FROM whole)))) AS counted
     GROUP BY customer_no
    HAVING sum(clicks) > 0
     ORDER BY clicks DESC, customer_no
     LIMIT ${MOST}
  )
  SELECT c.custom_id AS "customId", top.clicks, ${SECONDS('top.last')} AS "lastClickedAt"
    FROM top JOIN campaign_customers c
      ON c.organization_id = $1 AND c.campaign_id = $2 AND c.customer_no = top.customer_no
   ORDER BY top.clicks DESC, top.customer_no`;

const ONE = `
  SELECT c.custom_id AS "customId", sum(d.clicks)::bigint AS clicks, ${SECONDS('max(d.last_clicked_at)')} AS "lastClickedAt"
    FROM campaign_customers c JOIN customer_days d USING (organization_id, campaign_id, customer_no)
   WHERE c.organization_id = $1 AND c.campaign_id = $2 AND c.custom_id = $5 AND d.day BETWEEN $3 AND $4 AND d.clicks > 0
   GROUP BY c.custom_id`;
