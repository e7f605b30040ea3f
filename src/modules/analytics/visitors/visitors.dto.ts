import { INT64_OR_NULL, INTEGER, INT64, Field } from '../../../common/http/api-field';
import { PathId, QueryInt } from '../../../common/validation/atoms';
import { zoneChangedAt } from '../../click-statistics/statistics.dto';
import { AnalyticsRangeQuery } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

const optional = true;
const average = (description: string) => Field(`${description}, one decimal`, 12.5);
const APP = {
  description:
    'Only clicks on links and campaigns that had this app when they were clicked; an app of the organization, else ' +
    'APP_NOT_OWNED. Defaults to all clicks of the organization',
  example: 1,
  optional,
};

export class DailyVisitorsRequest extends AnalyticsRangeQuery {
  @QueryInt({
    min: 1,
    max: 366,
    default: 30,
    ignoredWith: ['startDate', 'endDate'],
    description: 'Number of days up to today; ignored when startDate or endDate is given',
    example: 30,
  })
  days: number = 30;

  @PathId(APP)
  appId?: number | null;
}

export class WeeklyVisitorsRequest {
  @QueryInt({
    min: 1,
    max: 53,
    default: 12,
    ignoredWith: ['year'],
    description: 'Number of weeks up to this one; ignored when year is given',
    example: 12,
  })
  weeks: number = 12;

  @QueryInt({ min: 1970, max: 9999, description: 'All weeks of that ISO year', example: 2026, optional })
  year?: number | null;

  @PathId(APP)
  appId?: number | null;
}

class VisitorCounts {
  @Field('Different people who clicked, by IP address and user agent', 30, INT64)
  uniqueVisitors!: number;

  @Field('Clicks of people', 30, INT64)
  totalClicks!: number;

  @Field('Clicks of people on links', 30, INT64)
  urlClicks!: number;

  @Field('Clicks of people on campaigns', 30, INT64)
  campaignClicks!: number;
}

export class DayVisitors extends VisitorCounts {
  @Field("Day in the organization's time zone", '2026-11-16')
  date!: string;
}

export class WeekVisitors extends VisitorCounts {
  @Field('Year of the ISO week', 2026, INTEGER)
  year!: number;

  @Field('Number of the ISO week, 1 to 53', 47, INTEGER)
  weekOfYear!: number;

  @Field('Monday', '2026-11-16')
  weekStartDate!: string;

  @Field('Sunday', '2026-11-16')
  weekEndDate!: string;
}

export class DailyVisitorsSummary {
  @Field('Days with clicks', 30, INT64)
  daysWithData!: number;

  @average('Average number of unique people on these days')
  avgUniqueVisitors!: number;

  @Field('Unique people on the day with the most', 30, INT64)
  maxUniqueVisitors!: number;

  @Field('Clicks of people', 30, INT64)
  totalClicks!: number;
}

export class WeeklyVisitorsSummary {
  @Field('Weeks with clicks', 30, INT64)
  weeksWithData!: number;

  @average('Average number of unique people in these weeks')
  avgUniqueVisitors!: number;

  @Field('Unique people in the week with the most', 30, INT64)
  maxUniqueVisitors!: number;

  @Field('Clicks of people', 30, INT64)
  totalClicks!: number;
}

const appId = Field('Id of the app; null for the whole organization', 42, INT64_OR_NULL);

export class DailyVisitorsResponse extends AnalyticsRange {
  @appId
  appId!: number | null;

  @Field('Only days with clicks', undefined, { type: DayVisitors, isArray: true })
  daily!: DayVisitors[];

  @Field('Totals of these days', undefined, { type: DailyVisitorsSummary })
  summary!: DailyVisitorsSummary;
}

export class WeeklyVisitorsResponse {
  @appId
  appId!: number | null;

  @Field("The organization's time zone, which defines the weeks", 'Asia/Seoul')
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @Field('Present when the request has it', 2026, { type: 'integer', required: false })
  year?: number;

  @Field('Number of weeks; absent when the request has a year', 12, { type: 'integer', required: false })
  weeks?: number;

  @Field('Monday of the first week; absent when the request has a year', '2026-08-31', { required: false })
  since?: string;

  @Field('Only weeks with clicks', undefined, { type: WeekVisitors, isArray: true })
  weekly!: WeekVisitors[];

  @Field('Totals of these weeks', undefined, { type: WeeklyVisitorsSummary })
  summary!: WeeklyVisitorsSummary;
}
