import type { DayRange } from '../../../common/date-range';
import { percent } from '../../click-statistics/percentages';
import type { GoalFigures } from '../../sessions/statistics/goal-figures';
import { cents, revenueByGoalType, revenueOf } from '../../sessions/statistics/revenue-figures';
import { NO_SESSIONS, type SessionFigures } from '../../sessions/statistics/sessions.query';
import { SESSION_PLATFORMS } from '../../sessions/funnel';
import { wordOfPlatform } from '../analytics.atoms';
import { type AnalyticsRange, changePct } from '../analytics-range';
import type { PlatformRevenue, RevenueComparison, RevenueFigures } from './revenue.dto';

const NO_PURCHASES = { purchases: 0, revenue: 0 };

export function toRevenueFigures(
  range: DayRange,
  sessions: SessionFigures,
  goals: GoalFigures,
  baseCurrency: string,
): RevenueFigures {
  const { totalRevenue, averageOrderValue, cartValue } = revenueOf(goals, baseCurrency);
  const { total } = sessions;
  return {
    totalRevenue,
    purchaseSessions: total.purchased,
    purchaseConversionRate: percent(total.purchased, total.sessions),
    averageOrderValue,
    revenuePerSession: cents(totalRevenue, total.sessions),
    cartValue,
    revenueByGoalType: revenueByGoalType(goals),
    dailyRevenue: range.days.map((date) => ({ date, ...(goals.byDate.get(date) ?? NO_PURCHASES) })),
    revenueByPlatform: byPlatform(sessions, goals),
  };
}

function byPlatform(sessions: SessionFigures, goals: GoalFigures): PlatformRevenue[] {
  return SESSION_PLATFORMS.flatMap((platform) => {
    const began = sessions.byPlatform.find((each) => each.platform === platform);
    const reached = goals.byPlatform.find((each) => each.platform === platform);
    if (!began && !reached) return [];
    const { purchases, revenue } = reached ?? NO_PURCHASES;
    const { sessions: count } = began ?? NO_SESSIONS;
    return [{ platform: wordOfPlatform(platform), revenue, purchases, sessions: count }];
  }).sort((a, b) => b.revenue - a.revenue);
}

export function toComparison(
  now: RevenueFigures,
  then: Pick<RevenueFigures, keyof RevenueFigures>,
  range: Pick<AnalyticsRange, keyof AnalyticsRange>,
): RevenueComparison {
  return {
    ...range,
    ...then,
    totalRevenueChangePct: changePct(now.totalRevenue, then.totalRevenue),
    purchaseSessionsChangePct: changePct(now.purchaseSessions, then.purchaseSessions),
    purchaseConversionRateChangePct: changePct(now.purchaseConversionRate, then.purchaseConversionRate),
    averageOrderValueChangePct: changePct(now.averageOrderValue, then.averageOrderValue),
    revenuePerSessionChangePct: changePct(now.revenuePerSession, then.revenuePerSession),
    cartValueChangePct: changePct(now.cartValue, then.cartValue),
  };
}
