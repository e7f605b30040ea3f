import type { DayRange } from '../../common/time/date-range';
import type { InstallStatisticsResponse } from './install-statistics.dto';
import type { ClickStatistics } from './statistics.dto';

/** The funnel's stages in order, with their display names (doc 1 §2). */
const STAGES = [
  ['CLICKED', 'Clicked'],
  ['STORE_VISITED', 'Store visited'],
  ['APP_INSTALLED', 'App installed'],
  ['APP_OPENED', 'App opened'],
  ['DEEP_LINK_RESOLVED', 'Deep link resolved'],
  ['CONTENT_VIEWED', 'Content viewed'],
  ['ACTION_TAKEN', 'Action taken'],
  ['GOAL_COMPLETED', 'Goal completed'],
] as const;

/**
 * Install statistics of something that no app has reported an install for: its clicks are real, everything that
 * only apps can tell is zero.
 */
export function withoutInstalls(
  name: string,
  range: DayRange,
  clicks: Pick<ClickStatistics, 'daily' | 'totalClicks'>,
): InstallStatisticsResponse {
  return {
    period: `${range.startDate}/${range.endDate}`,
    appName: name,
    platform: 'All',
    totalInstalls: 0,
    iosInstalls: 0,
    androidInstalls: 0,
    totalClicks: clicks.totalClicks,
    conversionRate: 0,
    dailyInstalls: clicks.daily.map((day) => ({ installs: 0, iosInstalls: 0, androidInstalls: 0, ...day })),
    platformStats: ['iOS', 'Android'].map((platform) => ({ platform, installs: 0, percentage: 0 })),
    countryStats: [],
    recentInstalls: [],
    reengagementStats: {
      totalReengagements: 0,
      successfulReengagements: 0,
      successRate: 0,
      uniqueReengagedUsers: 0,
      platformDistribution: { ios: 0, android: 0, other: 0 },
    },
    funnelStats: {
      totalSessions: 0,
      completedSessions: 0,
      overallConversionRate: 0,
      stages: STAGES.map(([stageCode, stageName], index) => ({
        stageCode,
        stageName,
        stageOrder: index + 1,
        sessionsReached: 0,
        conversionRate: 0,
        percentOfTotal: 0,
      })),
    },
    qualityStats: {
      totalAttempts: 0,
      successfulResolutions: 0,
      successRate: 0,
      fingerprintMatchRate: 0,
      failureReasons: [],
    },
  };
}
