import { ApiProperty } from '@nestjs/swagger';
import { PathId, QueryInt } from '../../../common/validation/atoms';
import { zoneChangedAt } from '../../click-statistics/statistics.dto';
import { AnalyticsRangeQuery } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

const optional = true;
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 30 });
const average = (description: string) =>
  ApiProperty({ description: `${description}, one decimal`, example: 12.5 });
const date = (description: string) => ApiProperty({ description, example: '2026-11-16' });
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
  @count('Different people who clicked, by IP address and user agent')
  uniqueVisitors!: number;

  @count('Clicks of people')
  totalClicks!: number;

  @count('Clicks of people on links')
  urlClicks!: number;

  @count('Clicks of people on campaigns')
  campaignClicks!: number;
}

export class DayVisitors extends VisitorCounts {
  @date("Day in the organization's time zone")
  date!: string;
}

export class WeekVisitors extends VisitorCounts {
  @ApiProperty({ type: 'integer', description: 'Year of the ISO week', example: 2026 })
  year!: number;

  @ApiProperty({ type: 'integer', description: 'Number of the ISO week, 1 to 53', example: 47 })
  weekOfYear!: number;

  @date('Monday')
  weekStartDate!: string;

  @date('Sunday')
  weekEndDate!: string;
}

export class DailyVisitorsSummary {
  @count('Days with clicks')
  daysWithData!: number;

  @average('Average number of unique people on these days')
  avgUniqueVisitors!: number;

  @count('Unique people on the day with the most')
  maxUniqueVisitors!: number;

  @count('Clicks of people')
  totalClicks!: number;
}

export class WeeklyVisitorsSummary {
  @count('Weeks with clicks')
  weeksWithData!: number;

  @average('Average number of unique people in these weeks')
  avgUniqueVisitors!: number;

  @count('Unique people in the week with the most')
  maxUniqueVisitors!: number;

  @count('Clicks of people')
  totalClicks!: number;
}

const appId = ApiProperty({
  type: 'integer',
  format: 'int64',
  nullable: true,
  description: 'Id of the app; null for the whole organization',
  example: 42,
});

export class DailyVisitorsResponse extends AnalyticsRange {
  @appId
  appId!: number | null;

  @ApiProperty({ type: DayVisitors, isArray: true, description: 'Only days with clicks' })
  daily!: DayVisitors[];

  @ApiProperty({ type: DailyVisitorsSummary, description: 'Totals of these days' })
  summary!: DailyVisitorsSummary;
}

export class WeeklyVisitorsResponse {
  @appId
  appId!: number | null;

  @ApiProperty({
    description: "The organization's time zone, which defines the weeks",
    example: 'Asia/Seoul',
  })
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Present when the request has it',
    example: 2026,
  })
  year?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Number of weeks; absent when the request has a year',
    example: 12,
  })
  weeks?: number;

  @ApiProperty({
    required: false,
    description: 'Monday of the first week; absent when the request has a year',
    example: '2026-08-31',
  })
  since?: string;

  @ApiProperty({ type: WeekVisitors, isArray: true, description: 'Only weeks with clicks' })
  weekly!: WeekVisitors[];

  @ApiProperty({ type: WeeklyVisitorsSummary, description: 'Totals of these weeks' })
  summary!: WeeklyVisitorsSummary;
}
