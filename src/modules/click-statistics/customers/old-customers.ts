import { FAMILY } from '../../../infrastructure/database/compacted-months';
import type { OldRows } from '../old-rows';

const FIRST_DAY = `($2::timestamptz AT TIME ZONE 'UTC')::date`;
const OWN = 'r.organization_id = ANY($1::bigint[])';

/**
 * Customer data of organizations $1 from before $2, in the order of deletion: months first, because a month that loses
 * a day is no longer exact.
 */
export const OLD_CUSTOMERS: readonly OldRows[] = [
  {
    table: 'compacted_months',
    key: 'organization_id, family, month',
    isOld: `${OWN} AND r.family = ${FAMILY.customers} AND r.month < ${FIRST_DAY}`,
  },
  {
    table: 'customer_months',
    key: 'organization_id, campaign_id, month, customer_no',
    isOld: `${OWN} AND r.month < ${FIRST_DAY}`,
  },
  {
    table: 'customer_days',
    key: 'organization_id, campaign_id, customer_no, day, slot',
    isOld: `${OWN} AND r.day < ${FIRST_DAY}`,
  },
  {
    table: 'campaign_customers',
    key: 'organization_id, campaign_id, custom_id',
    isOld: `${OWN} AND r.seen_on < ${FIRST_DAY}
      AND NOT EXISTS (SELECT FROM customer_days d
                       WHERE d.organization_id = r.organization_id AND d.campaign_id = r.campaign_id
                         AND d.customer_no = r.customer_no)`,
  },
];
