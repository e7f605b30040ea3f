import type { Schemas } from '../api/client';
import { formatMoney } from '../texts/format';

/** Purchases in currencies other than the organization's: `$120, €8.50`. */
export function otherCurrencies(
  goals: readonly Schemas['GoalRevenue'][],
  currency: string,
): string | undefined {
  const others = goals.filter((goal) => goal.goalType === 'purchase' && goal.currency !== currency);
  if (others.length === 0) return undefined;
  return others.map((goal) => formatMoney(goal.revenue, goal.currency)).join(', ');
}
