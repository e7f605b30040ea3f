import { percent } from '../../click-statistics/percentages';
import type { GoalFigures } from '../../sessions/statistics/goal-figures';
import type { SessionFigures } from '../../sessions/statistics/sessions.query';
import { wordOfPlatform } from '../analytics.atoms';
import type { GoalTypeShare, PlatformShare, SessionStats } from './conversions.dto';

/** Limits the list, because clients can send arbitrary goal types. */
const MOST_TYPES = 100;

export function toSessionStats({ total }: SessionFigures): SessionStats {
  return {
    totalSessions: total.sessions,
    convertedSessions: total.converted,
    conversionRate: percent(total.converted, total.sessions),
  };
}

export function toPlatformShares({ total, byPlatform }: SessionFigures): PlatformShare[] {
  return byPlatform.map(({ platform, sessions }) => ({
    platform: wordOfPlatform(platform),
    sessions,
    percentage: percent(sessions, total.sessions),
  }));
}

/** @param baseCurrency currency of the sums; null hides amounts from callers who may not see them */
export function toGoalTypeShares({ byType }: GoalFigures, baseCurrency: string | null): GoalTypeShare[] {
  const total = byType.reduce((sum, { count }) => sum + count, 0);
  const types = new Map<string, { count: number; value: number }>();
  for (const { goalType, currency, count, value } of byType) {
    const type = types.get(goalType) ?? { count: 0, value: 0 };
    const counted = currency === baseCurrency ? value : 0;
    types.set(goalType, { count: type.count + count, value: type.value + counted });
  }
  return [...types]
    .map(([goalType, { count, value }]) => ({
      goalType,
      count,
      // Amounts have four decimals; rounding removes floating-point errors of the sums.
      value: baseCurrency === null ? null : Math.round(value * 10_000) / 10_000,
      percentage: percent(count, total),
    }))
    .sort((a, b) => b.count - a.count || (a.goalType < b.goalType ? -1 : 1))
    .slice(0, MOST_TYPES);
}
