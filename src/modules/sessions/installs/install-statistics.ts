import { countryOfTerm, FAILURE_REASONS, FUNNEL_TERM, type InstallPlatform } from '../funnel';
import type { DayRange } from '../../../common/date-range';
import { toDateTime } from '../../../common/time/format';
import { countryName, percent } from '../../click-statistics/percentages';
import { toFunnelStats } from './funnel-stats';
import {
  type CountryInstalls,
  type InstallStatisticsResponse,
  type QualityStats,
  type ReengagementStats,
  wordOfFilter,
} from './install-statistics.dto';

export interface DayInstalls {
  clicks: number;
  iosInstalls: number;
  androidInstalls: number;
}

export interface RecentInstallRow {
  installedAt: Date;
  platform: string;
  country: string | null;
  osVersion: string | null;
  deviceModel: string | null;
}

export interface InstallFigures {
  daily: (DayInstalls & { date: string })[];
  /** Counts by FUNNEL_TERM. */
  counts: ReadonlyMap<number, number>;
  recent: RecentInstallRow[];
}

interface InstallTitle {
  name: string;
  isWebApp?: boolean;
  platform?: InstallPlatform | null;
}

type CountOf = (term: number) => number;

const MAX_COUNTRIES = 10;

export function toInstallStatistics(
  { name, isWebApp = false, platform = null }: InstallTitle,
  range: DayRange,
  { daily, counts, recent }: InstallFigures,
): InstallStatisticsResponse {
  const countOf: CountOf = (term) => counts.get(term) ?? 0;
  const iosInstalls = daily.reduce((sum, day) => sum + day.iosInstalls, 0);
  const androidInstalls = daily.reduce((sum, day) => sum + day.androidInstalls, 0);
  const totalInstalls = iosInstalls + androidInstalls;
  const totalClicks = daily.reduce((sum, day) => sum + day.clicks, 0);
  return {
    period: `${range.startDate}/${range.endDate}`,
    appName: name,
    platform: wordOfFilter(platform),
    totalInstalls,
    iosInstalls,
    androidInstalls,
    totalClicks,
    conversionRate: percent(totalInstalls, totalClicks),
    dailyInstalls: daily.map(({ date, iosInstalls: ios, androidInstalls: android, clicks }) => ({
      date,
      installs: ios + android,
      iosInstalls: ios,
      androidInstalls: android,
      clicks,
    })),
    platformStats: [
      { platform: 'iOS', installs: iosInstalls, percentage: percent(iosInstalls, totalInstalls) },
      { platform: 'Android', installs: androidInstalls, percentage: percent(androidInstalls, totalInstalls) },
    ],
    countryStats: countriesOf(counts, totalInstalls),
    recentInstalls: recent.map((install) => ({ ...install, installedAt: toDateTime(install.installedAt) })),
    reengagementStats: reengagementsOf(countOf),
    funnelStats: toFunnelStats(
      countOf(FUNNEL_TERM.session),
      (stage) => countOf(FUNNEL_TERM.stage(stage)),
      isWebApp,
    ),
    qualityStats: qualityOf(countOf),
  };
}

function countriesOf(counts: ReadonlyMap<number, number>, total: number): CountryInstalls[] {
  return [...counts]
    .flatMap(([term, installs]) => {
      const code = countryOfTerm(term);
      if (code === undefined) return [];
      const name = code === null ? 'Unknown' : countryName(code);
      return [{ code, name, installs, percentage: percent(installs, total) }];
    })
    .sort((a, b) => b.installs - a.installs || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_COUNTRIES);
}

function reengagementsOf(countOf: CountOf): ReengagementStats {
  const total = countOf(FUNNEL_TERM.reengagement);
  const successful = countOf(FUNNEL_TERM.reengaged);
  const { iOS, Android, Other } = FUNNEL_TERM.reengagedOn;
  return {
    totalReengagements: total,
    successfulReengagements: successful,
    successRate: percent(successful, total),
    uniqueReengagedUsers: countOf(FUNNEL_TERM.returns),
    platformDistribution: { ios: countOf(iOS), android: countOf(Android), other: countOf(Other) },
  };
}

function qualityOf(countOf: CountOf): QualityStats {
  const totalAttempts = countOf(FUNNEL_TERM.resolution);
  const successfulResolutions = countOf(FUNNEL_TERM.resolved);
  const failures = totalAttempts - successfulResolutions;
  return {
    totalAttempts,
    successfulResolutions,
    successRate: percent(successfulResolutions, totalAttempts),
    fingerprintMatchRate: percent(countOf(FUNNEL_TERM.resolvedByFingerprint), successfulResolutions),
    failureReasons: FAILURE_REASONS.map((reason) => ({ reason, count: countOf(FUNNEL_TERM.failure(reason)) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .map(({ reason, count }) => ({ reason, count, percentage: percent(count, failures) })),
  };
}
