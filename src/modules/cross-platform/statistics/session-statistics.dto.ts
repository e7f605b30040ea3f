import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { SESSION_PLATFORMS } from '../../sessions/funnel';
import { PageQuery, pageOf } from '../../../common/pagination/page';
import { DateText, OneOf, QueryBool } from '../../../common/validation/atoms';
import { StatisticsMeta, TopItem, zoneChangedAt } from '../../click-statistics/statistics.dto';
import { MemberId } from '../../../common/validation/member-id';
import { OnlyKnownParameters } from '../../../common/validation/known-parameters';
import { SessionResponse } from '../sessions.dto';

const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 120 });
const decimal = (description: string) =>
  ApiProperty({ description: `${description}, one decimal`, example: 12.5 });
const list = (type: new () => object, description: string) =>
  ApiProperty({ type, isArray: true, description });
const platform = (description: string) =>
  ApiProperty({ enum: SESSION_PLATFORMS, description, example: 'IOS' });
const day = ApiProperty({ description: "Day in the organization's time zone", example: '2026-11-20' });

/**
 * Range of the cross-platform statistics; the last 30 days when neither date is given
 * (docs/concepts/statistics.md#ranges).
 */
export class SessionStatisticsRequest {
  @DateText({
    optional: true,
    description: "First day, in the organization's time zone; INVALID_DATE_RANGE when after endDate",
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({
    optional: true,
    description: 'Last day, itself included; at most 366 days in all',
    example: '2026-11-20',
  })
  endDate?: string | null;
}

/** Which sessions of the range to list. */
@OnlyKnownParameters()
export class ListSessionsQuery extends IntersectionType(SessionStatisticsRequest, PageQuery) {
  @OneOf(SESSION_PLATFORMS, { optional: true, description: 'Platform that it runs on now', example: 'IOS' })
  platform?: string | null;

  @QueryBool({ optional: true, description: 'Whether it has reached GOAL_COMPLETED', example: true })
  converted?: boolean | null;

  @MemberId({ optional: true, description: 'Your id of the member whose session it is' })
  externalUserId?: string | null;
}

export const SessionPage = pageOf(SessionResponse, 'SessionPage');

/** What the figures are of: the range that was asked for, as far as data is kept. */
export class SessionStatisticsRange {
  @ApiProperty({
    description: 'First day: that of the request, or the oldest day that is kept',
    example: '2026-10-22',
  })
  startDate!: string;

  @ApiProperty({
    description:
      'Last day, itself included; the day before startDate when the whole range is older than what is kept, and the ' +
      'answer is empty',
    example: '2026-11-20',
  })
  endDate!: string;

  @ApiProperty({ description: "The organization's time zone, whose days these are", example: 'Asia/Seoul' })
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @ApiProperty({ type: StatisticsMeta, description: 'What the answer was computed over' })
  meta!: StatisticsMeta;
}

export class JourneySummary extends SessionStatisticsRange {
  @count('Sessions that began in the range')
  totalSessions!: number;

  @count('Different users with a session in the range')
  uniqueUsers!: number;

  @count('Events that came in in the range')
  totalEvents!: number;

  @count('Sessions that began in the range and reached a goal, then or later')
  conversions!: number;

  @decimal('Conversions, percent of the sessions')
  conversionRate!: number;

  @decimal('Seconds from the beginning of a session to its last activity, on average')
  avgSessionDurationSeconds!: number;
}

export class JourneyDay {
  @day
  date!: string;

  @count('Sessions that began')
  sessions!: number;

  @count('Different users with a session')
  uniqueUsers!: number;

  @count('Events that came in')
  events!: number;

  @count('Of the sessions that began, those that reached a goal, then or later')
  conversions!: number;
}

export class JourneyDaily extends SessionStatisticsRange {
  @list(JourneyDay, 'Every day of the range')
  daily!: JourneyDay[];
}

export class SessionSummary extends SessionStatisticsRange {
  @count('Sessions that began in the range')
  totalSessions!: number;

  @count('Users whom the app had never seen before')
  newUsers!: number;

  @count('Users whom it had seen before')
  returningUsers!: number;

  @decimal('Events of the sessions that began in the range, for each of them')
  avgEventsPerSession!: number;
}

class SessionGroup {
  @count('Sessions that began in the range')
  sessions!: number;

  @count('Of them, those that reached a goal')
  conversions!: number;

  @decimal('Conversions, percent of these sessions')
  conversionRate!: number;

  @decimal('Percent of all sessions of the range')
  percentage!: number;
}

class PlatformName {
  @platform('Platform on which the session began')
  platform!: string;
}

class SourceName {
  @ApiProperty({
    type: String,
    nullable: true,
    description: '`utm_source` of the session; null: it carried none',
    example: 'newsletter',
  })
  utmSource!: string | null;
}

export class PlatformSessions extends IntersectionType(PlatformName, SessionGroup) {}

export class SourceSessions extends IntersectionType(SourceName, SessionGroup) {}

export class SessionsByPlatform extends SessionStatisticsRange {
  @list(PlatformSessions, 'Platforms with sessions, most first')
  items!: PlatformSessions[];
}

export class SessionsByUtmSource extends SessionStatisticsRange {
  @list(SourceSessions, 'Sources with sessions, most first, at most 100')
  items!: SourceSessions[];
}

export class TransitionPath {
  @platform('Platform that was left')
  fromPlatform!: string;

  @platform('Platform on which the session went on')
  toPlatform!: string;

  @count('Transitions')
  count!: number;

  @decimal('Percent of all transitions of the range')
  percentage!: number;
}

export class TransitionTotals {
  @count('Changes of platform inside of a session')
  totalTransitions!: number;

  @list(TransitionPath, 'From where to where, most first')
  paths!: TransitionPath[];
}

export class TransitionSummary extends IntersectionType(SessionStatisticsRange, TransitionTotals) {}

export class DailyTransitions {
  @day
  date!: string;

  @count('Transitions')
  count!: number;
}

export class TransitionTrend extends SessionStatisticsRange {
  @list(DailyTransitions, 'Every day of the range')
  daily!: DailyTransitions[];
}

/** Everything at a glance (docs/concepts/statistics.md#cross-platform-statistics). */
export class JourneyDashboard extends SessionStatisticsRange {
  @ApiProperty({ type: JourneySummary, description: 'As `stats/summary` answers' })
  summary!: JourneySummary;

  @list(JourneyDay, 'As in `stats/daily`')
  daily!: JourneyDay[];

  @list(PlatformSessions, 'As in `stats/sessions/by-platform`')
  byPlatform!: PlatformSessions[];

  @list(SourceSessions, 'As in `stats/sessions/by-utm-source`')
  byUtmSource!: SourceSessions[];

  @ApiProperty({ type: TransitionTotals, description: 'As in `stats/transitions/summary`' })
  transitions!: TransitionTotals;

  @list(TopItem, 'Types of events, at most 10, most first')
  topEvents!: TopItem[];
}
