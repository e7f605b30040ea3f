import { IntersectionType } from '@nestjs/swagger';
import { TEXT_OR_NULL, INT64, listOf, Field } from '../../../common/http/api-field';
import { SESSION_PLATFORMS } from '../../sessions/funnel';
import { PageQuery, pageOf } from '../../../common/pagination/page';
import { DateText, OneOf, QueryBool } from '../../../common/validation/atoms';
import { StatisticsMeta, TopItem, zoneChangedAt } from '../../click-statistics/statistics.dto';
import { MemberId } from '../../../common/validation/member-id';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { SessionResponse } from '../sessions.dto';

const decimal = (description: string) => Field(`${description}, one decimal`, 12.5);
const list = (type: new () => object, description: string) => Field(description, undefined, listOf(type));
const day = Field("Day in the organization's time zone", '2026-11-20');

/** Range of the cross-platform statistics, by default the last 30 days (docs/concepts/statistics.md#ranges). */
export class SessionStatisticsRequest {
  @DateText({
    optional: true,
    description: "First day, in the organization's time zone; INVALID_DATE_RANGE when after endDate",
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({
    optional: true,
    description: 'Last day, inclusive; the range has at most 366 days',
    example: '2026-11-20',
  })
  endDate?: string | null;
}

@OnlyKnownNames()
export class ListSessionsQuery extends IntersectionType(SessionStatisticsRequest, PageQuery) {
  @OneOf(SESSION_PLATFORMS, { optional: true, description: 'Current platform', example: 'IOS' })
  platform?: string | null;

  @QueryBool({ optional: true, description: 'Whether the session has reached GOAL_COMPLETED', example: true })
  converted?: boolean | null;

  @MemberId({ optional: true, description: 'Your id of the member' })
  externalUserId?: string | null;
}

export const SessionPage = pageOf(SessionResponse, 'SessionPage');

/** The range of the figures: the requested one, limited by data retention. */
export class SessionStatisticsRange {
  @Field('First day: that of the request, or the oldest day in retention', '2026-10-22')
  startDate!: string;

  @Field(
    'Last day, inclusive; the day before startDate when the whole range is past retention and the response is empty',
    '2026-11-20',
  )
  endDate!: string;

  @Field("The organization's time zone, which defines the days", 'Asia/Seoul')
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @Field('The range that the response covers', undefined, { type: StatisticsMeta })
  meta!: StatisticsMeta;
}

export class JourneySummary extends SessionStatisticsRange {
  @Field('Sessions that started in the range', 120, INT64)
  totalSessions!: number;

  @Field('Unique users with a session in the range', 120, INT64)
  uniqueUsers!: number;

  @Field('Events received in the range', 120, INT64)
  totalEvents!: number;

  @Field('Sessions that started in the range and reached a goal, even after it', 120, INT64)
  conversions!: number;

  @decimal('Conversions as a percentage of the sessions')
  conversionRate!: number;

  @decimal('Average duration in seconds, from the start of a session to its last activity')
  avgSessionDurationSeconds!: number;
}

export class JourneyDay {
  @day
  date!: string;

  @Field('Sessions that started', 120, INT64)
  sessions!: number;

  @Field('Unique users with a session', 120, INT64)
  uniqueUsers!: number;

  @Field('Events received', 120, INT64)
  events!: number;

  @Field('Sessions that started on this day and reached a goal, even after it', 120, INT64)
  conversions!: number;
}

export class JourneyDaily extends SessionStatisticsRange {
  @list(JourneyDay, 'Every day of the range')
  daily!: JourneyDay[];
}

export class SessionSummary extends SessionStatisticsRange {
  @Field('Sessions that started in the range', 120, INT64)
  totalSessions!: number;

  @Field('Users new to the app', 120, INT64)
  newUsers!: number;

  @Field('Users that the app had seen before', 120, INT64)
  returningUsers!: number;

  @decimal('Events per session that started in the range')
  avgEventsPerSession!: number;
}

class SessionGroup {
  @Field('Sessions that started in the range', 120, INT64)
  sessions!: number;

  @Field('Sessions among these that reached a goal', 120, INT64)
  conversions!: number;

  @decimal('Conversions as a percentage of these sessions')
  conversionRate!: number;

  @decimal('Percentage of all sessions of the range')
  percentage!: number;
}

class PlatformName {
  @Field('Platform on which the session started', 'IOS', { enum: SESSION_PLATFORMS })
  platform!: string;
}

class SourceName {
  @Field('`utm_source` of the session, or null', 'newsletter', TEXT_OR_NULL)
  utmSource!: string | null;
}

export class PlatformSessions extends IntersectionType(PlatformName, SessionGroup) {}

export class SourceSessions extends IntersectionType(SourceName, SessionGroup) {}

export class SessionsByPlatform extends SessionStatisticsRange {
  @list(PlatformSessions, 'Platforms with sessions, most sessions first')
  items!: PlatformSessions[];
}

export class SessionsByUtmSource extends SessionStatisticsRange {
  @list(SourceSessions, 'Sources with sessions, most sessions first, at most 100')
  items!: SourceSessions[];
}

export class TransitionPath {
  @Field('Previous platform', 'IOS', { enum: SESSION_PLATFORMS })
  fromPlatform!: string;

  @Field('Platform on which the session continued', 'IOS', { enum: SESSION_PLATFORMS })
  toPlatform!: string;

  @Field('Transitions', 120, INT64)
  count!: number;

  @decimal('Percentage of all transitions of the range')
  percentage!: number;
}

export class TransitionTotals {
  @Field('Changes of platform within a session', 120, INT64)
  totalTransitions!: number;

  @list(TransitionPath, 'Pairs of platforms, most transitions first')
  paths!: TransitionPath[];
}

export class TransitionSummary extends IntersectionType(SessionStatisticsRange, TransitionTotals) {}

export class DailyTransitions {
  @day
  date!: string;

  @Field('Transitions', 120, INT64)
  count!: number;
}

export class TransitionTrend extends SessionStatisticsRange {
  @list(DailyTransitions, 'Every day of the range')
  daily!: DailyTransitions[];
}

/** All cross-platform statistics in one response (docs/concepts/statistics.md#cross-platform-statistics). */
export class JourneyDashboard extends SessionStatisticsRange {
  @Field('As in `stats/summary`', undefined, { type: JourneySummary })
  summary!: JourneySummary;

  @list(JourneyDay, 'As in `stats/daily`')
  daily!: JourneyDay[];

  @list(PlatformSessions, 'As in `stats/sessions/by-platform`')
  byPlatform!: PlatformSessions[];

  @list(SourceSessions, 'As in `stats/sessions/by-utm-source`')
  byUtmSource!: SourceSessions[];

  @Field('As in `stats/transitions/summary`', undefined, { type: TransitionTotals })
  transitions!: TransitionTotals;

  @list(TopItem, 'Types of events, at most 10, most events first')
  topEvents!: TopItem[];
}
