import { ApiProperty } from '@nestjs/swagger';
import { INSTALL_PLATFORMS, type InstallPlatform } from '../funnel';
import { OneOfAnyCase } from '../../../common/validation/atoms';
import { DateRangeQuery } from '../../click-statistics/statistics.dto';

const ALL_PLATFORMS = 'All';
const PLATFORM_WORDS = [ALL_PLATFORMS, ...INSTALL_PLATFORMS];

/** Which installs: range and platform. */
export class InstallStatisticsRequest extends DateRangeQuery {
  @OneOfAnyCase(PLATFORM_WORDS, {
    default: ALL_PLATFORMS,
    description: 'Only clicks, installs, sessions and attempts on this platform; in any case',
    example: 'iOS',
  })
  platform: string = ALL_PLATFORMS;
}

/** The platform of a filter; null: all of them. */
export function filteredPlatform({ platform }: InstallStatisticsRequest): InstallPlatform | null {
  return INSTALL_PLATFORMS.find((each) => each === platform) ?? null;
}

/** A filter as answers name it. */
export function wordOfFilter(platform: InstallPlatform | null): string {
  return platform ?? ALL_PLATFORMS;
}

const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 0 });
const percentage = (description: string) =>
  ApiProperty({ description: `${description}, percent with one decimal`, example: 0 });
const list = (type: new () => object, description: string) =>
  ApiProperty({ type, isArray: true, description });

/** Installs and clicks of one day. */
export class DailyInstalls {
  @ApiProperty({ description: 'Day: UTC, or of the time zone that was asked for', example: '2026-11-20' })
  date!: string;

  @count('Installs')
  installs!: number;

  @count('Installs on iOS')
  iosInstalls!: number;

  @count('Installs on Android')
  androidInstalls!: number;

  @count('Clicks of people')
  clicks!: number;
}

export class PlatformInstalls {
  @ApiProperty({ description: 'iOS or Android', example: 'iOS' })
  platform!: string;

  @count('Installs')
  installs!: number;

  @percentage('Part of all installs')
  percentage!: number;
}

export class CountryInstalls {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ISO 3166-1 alpha-2; null when unknown',
    example: 'KR',
  })
  code!: string | null;

  @ApiProperty({ description: 'English name, or `Unknown`', example: 'South Korea' })
  name!: string;

  @count('Installs')
  installs!: number;

  @percentage('Part of all installs')
  percentage!: number;
}

export class RecentInstall {
  @ApiProperty({ format: 'date-time', description: 'When, UTC', example: '2026-11-20T08:32:00Z' })
  installedAt!: string;

  @ApiProperty({ description: 'iOS or Android', example: 'iOS' })
  platform!: string;

  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166-1 alpha-2', example: 'KR' })
  country!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Version of the operating system',
    example: '18.6',
  })
  osVersion!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Device model', example: 'iPhone 16' })
  deviceModel!: string | null;
}

export class PlatformDistribution {
  @count('On iOS')
  ios!: number;

  @count('On Android')
  android!: number;

  @count('Elsewhere')
  other!: number;
}

export class ReengagementStats {
  @count('Clicks of people who had the app')
  totalReengagements!: number;

  @count('Of those, the ones that opened it')
  successfulReengagements!: number;

  @percentage('Successful part')
  successRate!: number;

  @count('People who came back')
  uniqueReengagedUsers!: number;

  @ApiProperty({ type: PlatformDistribution, description: 'Re-engagements by platform' })
  platformDistribution!: PlatformDistribution;
}

export class FunnelStage {
  @ApiProperty({ description: 'Stable code', example: 'CLICKED' })
  stageCode!: string;

  @ApiProperty({ description: 'Display name', example: 'Clicked' })
  stageName!: string;

  @ApiProperty({ type: 'integer', description: 'Place in the funnel, 1 to 8', example: 1 })
  stageOrder!: number;

  @count('Sessions that reached it')
  sessionsReached!: number;

  @percentage('Part of the sessions of stage 1')
  conversionRate!: number;

  @percentage('Part of all sessions')
  percentOfTotal!: number;
}

export class FunnelStats {
  @count('Sessions that began in the period; a stage counts where its session began')
  totalSessions!: number;

  @count('Sessions that reached the last stage')
  completedSessions!: number;

  @percentage('Completed part')
  overallConversionRate!: number;

  @list(FunnelStage, 'The eight stages, in order; the five of a web app')
  stages!: FunnelStage[];
}

export class FailureReason {
  @ApiProperty({ description: 'Why a deep link was not resolved', example: 'NO_CANDIDATE' })
  reason!: string;

  @count('Attempts')
  count!: number;

  @percentage('Part of all failures')
  percentage!: number;
}

export class QualityStats {
  @count('Deep-link resolutions tried')
  totalAttempts!: number;

  @count('Of those, the successful ones')
  successfulResolutions!: number;

  @percentage('Successful part')
  successRate!: number;

  @percentage('Part of the successes found by fingerprint')
  fingerprintMatchRate!: number;

  @list(FailureReason, 'Why the others failed')
  failureReasons!: FailureReason[];
}

/** Install statistics of a link, campaign or app (docs/concepts/statistics.md#install-statistics). */
export class InstallStatisticsResponse {
  @ApiProperty({
    description:
      'Queried period, as far as data is kept; it ends on the day before its first when all of it is older, and is empty',
    example: '2026-10-22/2026-11-20',
  })
  period!: string;

  @ApiProperty({ description: 'App name, or the alias of the link or campaign', example: 'spring-sale' })
  appName!: string;

  @ApiProperty({ description: 'Platform filter: All, iOS, Android', example: 'All' })
  platform!: string;

  @count('Installs')
  totalInstalls!: number;

  @count('Installs on iOS')
  iosInstalls!: number;

  @count('Installs on Android')
  androidInstalls!: number;

  @count('Clicks of people; of an app, those on its own platform')
  totalClicks!: number;

  @percentage('Installs per click')
  conversionRate!: number;

  @list(DailyInstalls, 'Every day of the period')
  dailyInstalls!: DailyInstalls[];

  @list(PlatformInstalls, 'By platform')
  platformStats!: PlatformInstalls[];

  @list(CountryInstalls, 'By country, at most 10, most first')
  countryStats!: CountryInstalls[];

  @list(RecentInstall, 'The ten newest')
  recentInstalls!: RecentInstall[];

  @ApiProperty({ type: ReengagementStats, description: 'People who had the app already' })
  reengagementStats!: ReengagementStats;

  @ApiProperty({ type: FunnelStats, description: 'From click to goal' })
  funnelStats!: FunnelStats;

  @ApiProperty({ type: QualityStats, description: 'How well deep links were resolved' })
  qualityStats!: QualityStats;
}
