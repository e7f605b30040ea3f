import { PURCHASE } from '../funnel';
import type { GoalFigures } from './goal-figures';
import type { GoalRevenue } from './revenue-statistics.dto';

/** Clients make goal types up as they like; a list of them must end somewhere. */
const MOST_TYPES = 100;

/** Both shapes are used: docs/concepts/statistics.md#currencies */
const CART_GOALS: readonly string[] = ['add_to_cart', 'addToCart'];

/** Revenue as every statistic reckons it: purchases in the organization's base currency. */
export function revenueOf({ byType }: GoalFigures, baseCurrency: string) {
  const purchases = byType.filter(({ goalType }) => goalType === PURCHASE);
  const own = purchases.find(({ currency }) => currency === baseCurrency);
  const cart = byType.filter(
    ({ goalType, currency }) => CART_GOALS.includes(goalType) && currency === baseCurrency,
  );
  return {
    totalRevenue: own?.value ?? 0,
    purchaseCount: purchases.reduce((sum, { count }) => sum + count, 0),
    averageOrderValue: cents(own?.value ?? 0, own?.count ?? 0),
    cartValue: round(cart.reduce((sum, { value }) => sum + value, 0)),
  };
}

/** A sum of money for each of so many, to the cent; 0 for none. */
export function cents(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}

/** Amounts have four decimals; binary fractions would show more after an addition. */
function round(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}

export function revenueByGoalType({ byType }: GoalFigures): GoalRevenue[] {
  return byType
    .slice(0, MOST_TYPES)
    .map(({ goalType, currency, count, value }) => ({ goalType, currency, count, revenue: value }));
}
