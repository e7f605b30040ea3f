import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { Compaction } from '../../../infrastructure/database/compacted-months';

export const CUSTOMER_MONTHS: Compaction = {
  family: 'customers',
  hasDays: 'EXISTS (SELECT FROM campaign_customers c WHERE c.organization_id = $1)',
  statements: [
    'DELETE FROM customer_months WHERE organization_id = $1 AND month = $2',
    `INSERT INTO customer_months (organization_id, campaign_id, month, customer_no, clicks, last_clicked_at)
     SELECT $1, d.campaign_id, $2, d.customer_no, sum(d.clicks), max(d.last_clicked_at)
       FROM (SELECT DISTINCT tracked_link_id AS campaign_id FROM click_totals
              WHERE organization_id = $1 AND kind = ${TRACKED_LINK_KIND.campaign}) AS campaigns
       JOIN customer_days d
         ON d.organization_id = $1 AND d.campaign_id = campaigns.campaign_id
        AND d.day >= $2::date AND d.day < ($2::date + interval '1 month')::date
      WHERE d.clicks > 0
      GROUP BY d.campaign_id, d.customer_no
      ORDER BY d.campaign_id, d.customer_no`,
  ],
};
