import { PURCHASE } from '../funnel';
import type { GoalFigures } from './goal-figures';
import type { GoalRevenue } from './revenue-statistics.dto';

/** Maximum number of listed goal types, because clients can send arbitrary ones. */
const MAX_TYPES = 100;

/** Both spellings are in use (docs/concepts/statistics.md#currencies). */
const CART_GOALS: readonly string[] = ['add_to_cart', 'addToCart'];

/** Revenue in statistics: purchases in the organization's base currency. */
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

/** Average amount, rounded to cents; 0 if the count is 0. */
export function cents(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}

/** Removes floating-point errors; amounts have four decimals. */
function round(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}

export function revenueByGoalType({ byType }: GoalFigures): GoalRevenue[] {
  return byType.slice(0, MAX_TYPES).map(({ goalType, currency, count, value }) => ({
    goalType,
    currency,
    count,
    revenue: goalType === PURCHASE ? value : 0,
    value,
  }));
}
