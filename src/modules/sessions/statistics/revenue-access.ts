import type { Caller } from '../../../access/caller';

/** Whether a response may contain amounts of money (docs/concepts/statistics.md#who-sees-money). */
export function seesRevenue({ addOns, permissions }: Caller): boolean {
  return addOns.has('REVENUE_ANALYTICS') && permissions.has('revenue.view');
}

/** Whether a response may contain counts of goals. */
export function seesConversions({ addOns, permissions }: Caller): boolean {
  return addOns.has('REVENUE_ANALYTICS') && permissions.has('conversion.view');
}
