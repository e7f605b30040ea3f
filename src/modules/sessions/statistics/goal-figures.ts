import { PURCHASE, type SessionPlatform } from '../funnel';
import { platformOf } from './session-subject';

/** Purchases in all currencies, and the revenue of those in the organization's base currency. */
export interface PurchaseSums {
  purchases: number;
  revenue: number;
}

export interface GoalSums {
  goalType: string;
  /** ISO 4217 code. */
  currency: string;
  count: number;
  value: number;
}

export interface GoalFigures {
  byDate: ReadonlyMap<string, PurchaseSums>;
  byPlatform: readonly (PurchaseSums & { platform: SessionPlatform })[];
  /** By type and currency, in descending order. */
  byType: readonly GoalSums[];
}

/** A row of a grouping set; columns outside of the set are null. */
export interface GoalFigureRow {
  date: string | null;
  platform: number | null;
  goalType: string | null;
  currency: string | null;
  count: number;
  value: string;
  purchases: number;
  revenue: string;
}

/** SQL select list of goals, for toGoalFigures. @param base placeholder of the base currency */
export const goalSums = (base: string) => `
  sum(goals)::bigint AS count, sum(value) AS value,
  coalesce(sum(goals) FILTER (WHERE goal_type = '${PURCHASE}'), 0)::bigint AS purchases,
  coalesce(sum(value) FILTER (WHERE goal_type = '${PURCHASE}' AND currency = ${base}), 0) AS revenue`;

export function toGoalFigures(rows: readonly GoalFigureRow[]): GoalFigures {
  const byDate = new Map<string, PurchaseSums>();
  const byPlatform: GoalFigures['byPlatform'][number][] = [];
  const byType: GoalSums[] = [];
  for (const { date, platform, goalType, currency, count, value, ...sums } of rows) {
    const purchased = { purchases: sums.purchases, revenue: Number(sums.revenue) };
    if (date !== null) byDate.set(date, purchased);
    else if (platform !== null) byPlatform.push({ platform: platformOf(platform), ...purchased });
    else if (goalType !== null && currency !== null) {
      byType.push({ goalType, currency, count, value: Number(value) });
    }
  }
  return { byDate, byPlatform, byType };
}
