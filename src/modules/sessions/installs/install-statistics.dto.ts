import { DATE_TIME, INTEGER, TEXT_OR_NULL, INT64, listOf, Field } from '../../../common/http/api-field';
import { INSTALL_PLATFORMS, type InstallPlatform } from '../funnel';
import { OneOfAnyCase } from '../../../common/validation/atoms';
import { DateRangeQuery } from '../../click-statistics/statistics.dto';

const ALL_PLATFORMS = 'All';
const PLATFORM_WORDS = [ALL_PLATFORMS, ...INSTALL_PLATFORMS];

export class InstallStatisticsRequest extends DateRangeQuery {
  @OneOfAnyCase(PLATFORM_WORDS, {
    default: ALL_PLATFORMS,
    description: 'Includes only clicks, installs, sessions and attempts on this platform; case-insensitive',
    example: 'iOS',
  })
  platform: string = ALL_PLATFORMS;
}

/** The platform to filter by; null for all platforms. */
export function filteredPlatform({ platform }: InstallStatisticsRequest): InstallPlatform | null {
  return INSTALL_PLATFORMS.find((each) => each === platform) ?? null;
}

export function wordOfFilter(platform: InstallPlatform | null): string {
  return platform ?? ALL_PLATFORMS;
}

const percentage = (description: string) => Field(`${description}, as a percentage with one decimal`, 0);
const list = (type: new () => object, description: string) => Field(description, undefined, listOf(type));

export class DailyInstalls {
  @Field('Day in UTC or in the requested time zone', '2026-11-20')
  date!: string;

  @Field('Installs', 0, INT64)
  installs!: number;

  @Field('Installs on iOS', 0, INT64)
  iosInstalls!: number;

  @Field('Installs on Android', 0, INT64)
  androidInstalls!: number;

  @Field('Clicks of people', 0, INT64)
  clicks!: number;
}

export class PlatformInstalls {
  @Field('iOS or Android', 'iOS')
  platform!: string;

  @Field('Installs', 0, INT64)
  installs!: number;

  @percentage('Share of all installs')
  percentage!: number;
}

export class CountryInstalls {
  @Field('ISO 3166-1 alpha-2 code; null if unknown', 'KR', TEXT_OR_NULL)
  code!: string | null;

  @Field('English name, or `Unknown`', 'South Korea')
  name!: string;

  @Field('Installs', 0, INT64)
  installs!: number;

  @percentage('Share of all installs')
  percentage!: number;
}

export class RecentInstall {
  @Field('Time of the install, UTC', '2026-11-20T08:32:00Z', DATE_TIME)
  installedAt!: string;

  @Field('iOS or Android', 'iOS')
  platform!: string;

  @Field('ISO 3166-1 alpha-2 code', 'KR', TEXT_OR_NULL)
  country!: string | null;

  @Field('Operating system version', '18.6', TEXT_OR_NULL)
  osVersion!: string | null;

  @Field('Device model', 'iPhone 16', TEXT_OR_NULL)
  deviceModel!: string | null;
}

export class PlatformDistribution {
  @Field('On iOS', 0, INT64)
  ios!: number;

  @Field('On Android', 0, INT64)
  android!: number;

  @Field('On other platforms', 0, INT64)
  other!: number;
}

export class ReengagementStats {
  @Field('Clicks of people who had the app installed', 0, INT64)
  totalReengagements!: number;

  @Field('Clicks among them that opened the app', 0, INT64)
  successfulReengagements!: number;

  @percentage('Success rate')
  successRate!: number;

  @Field('Unique people who returned to the app', 0, INT64)
  uniqueReengagedUsers!: number;

  @Field('Re-engagements by platform', undefined, { type: PlatformDistribution })
  platformDistribution!: PlatformDistribution;
}

export class FunnelStage {
  @Field('Stable code', 'CLICKED')
  stageCode!: string;

  @Field('Display name', 'Clicked')
  stageName!: string;

  @Field('Position in the funnel, 1 to 8', 1, INTEGER)
  stageOrder!: number;

  @Field('Sessions that reached the stage', 0, INT64)
  sessionsReached!: number;

  @percentage('Share of the sessions that reached stage 1')
  conversionRate!: number;

  @percentage('Share of all sessions')
  percentOfTotal!: number;
}

export class FunnelStats {
  @Field('Sessions that began in the period; stages count on the day on which their session began', 0, INT64)
  totalSessions!: number;

  @Field('Sessions that reached the last stage', 0, INT64)
  completedSessions!: number;

  @percentage('Share of completed sessions')
  overallConversionRate!: number;

  @list(FunnelStage, 'The eight stages in order; five for a web app')
  stages!: FunnelStage[];
}

export class FailureReason {
  @Field('Why a deep link was not resolved', 'NO_CANDIDATE')
  reason!: string;

  @Field('Attempts', 0, INT64)
  count!: number;

  @percentage('Share of all failures')
  percentage!: number;
}

export class QualityStats {
  @Field('Attempts to resolve a deep link', 0, INT64)
  totalAttempts!: number;

  @Field('Successful attempts', 0, INT64)
  successfulResolutions!: number;

  @percentage('Success rate')
  successRate!: number;

  @percentage('Share of the successful attempts that matched by fingerprint')
  fingerprintMatchRate!: number;

  @list(FailureReason, 'Failed attempts by reason')
  failureReasons!: FailureReason[];
}

/** Install statistics of a link, campaign or app (docs/concepts/statistics.md#install-statistics). */
export class InstallStatisticsResponse {
  @Field(
    'The requested period within the retention. If all of it is past the retention, the period is empty and ends ' +
      'on the day before its first day',
    '2026-10-22/2026-11-20',
  )
  period!: string;

  @Field('App name, or the alias of the link or campaign', 'spring-sale')
  appName!: string;

  @Field('Platform filter: All, iOS, Android', 'All')
  platform!: string;

  @Field('Installs', 0, INT64)
  totalInstalls!: number;

  @Field('Installs on iOS', 0, INT64)
  iosInstalls!: number;

  @Field('Installs on Android', 0, INT64)
  androidInstalls!: number;

  @Field('Clicks of people; for an app, only clicks on its own platform', 0, INT64)
  totalClicks!: number;

  @percentage('Installs per click')
  conversionRate!: number;

  @list(DailyInstalls, 'Every day of the period')
  dailyInstalls!: DailyInstalls[];

  @list(PlatformInstalls, 'Installs by platform')
  platformStats!: PlatformInstalls[];

  @list(CountryInstalls, 'The ten countries with the most installs, most first')
  countryStats!: CountryInstalls[];

  @list(RecentInstall, 'The ten newest installs')
  recentInstalls!: RecentInstall[];

  @Field('Clicks of people who had the app already', undefined, { type: ReengagementStats })
  reengagementStats!: ReengagementStats;

  @Field('From click to goal', undefined, { type: FunnelStats })
  funnelStats!: FunnelStats;

  @Field('Success of deep link resolution', undefined, { type: QualityStats })
  qualityStats!: QualityStats;
}
