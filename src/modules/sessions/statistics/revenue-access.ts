import type { Caller } from '../../../access/caller';

/** Whether an answer may hold sums of money: docs/concepts/statistics.md#who-sees-money. */
export function seesRevenue({ addOns, permissions }: Caller): boolean {
  return addOns.has('REVENUE_ANALYTICS') && permissions.has('revenue.view');
}
