import { ApiProperty } from '@nestjs/swagger';
import { PathId, QueryInt } from '../../../common/validation/atoms';
import { AnalyticsRangeQuery } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 30 });

export class EventLogRequest extends AnalyticsRangeQuery {
  @PathId({
    description: 'Id of an app of the organization, else APP_NOT_OWNED; defaults to the whole organization',
    example: 1,
    optional: true,
  })
  appId?: number | null;

  @QueryInt({ min: 1, max: 50, default: 10, description: 'Maximum number of event types', example: 10 })
  topLimit: number = 10;
}

export class EventLogSummary {
  @count('Events')
  totalEvents!: number;

  @count('Different sessions with events')
  uniqueSessions!: number;

  @count('Distinct types of events')
  uniqueEventNames!: number;

  @ApiProperty({ description: 'Events per session with events, one decimal', example: 4.2 })
  avgEventsPerSession!: number;
}

export class EventTrendItem {
  @ApiProperty({
    description: 'The day; only with granularity `day`',
    example: '2026-11-20',
    required: false,
  })
  date?: string;

  @ApiProperty({
    description: 'Monday; only with granularity `week`',
    example: '2026-11-16',
    required: false,
  })
  weekStartDate?: string;

  @ApiProperty({
    description: 'Sunday; only with granularity `week`',
    example: '2026-11-22',
    required: false,
  })
  weekEndDate?: string;

  @count('Events')
  totalCount!: number;

  @count('Different sessions with events')
  uniqueSessions!: number;
}

export class TopEvent {
  @ApiProperty({ description: 'Name of the event: its eventType', example: 'view_item' })
  eventName!: string;

  @count('Events')
  count!: number;

  @count('Unique sessions with such events')
  uniqueSessions!: number;
}

export class EventTypeCount {
  @ApiProperty({ description: 'Type of the events', example: 'view_item' })
  eventType!: string;

  @count('Events')
  count!: number;
}

export class EventLogResponse extends AnalyticsRange {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Id of the app; null for the whole organization',
    example: 42,
  })
  appId!: number | null;

  @ApiProperty({ type: EventLogSummary, description: 'Totals of the range' })
  summary!: EventLogSummary;

  @ApiProperty({ enum: ['day', 'week'], description: '`week` for more than 90 days', example: 'day' })
  trendGranularity!: string;

  @ApiProperty({
    type: EventTrendItem,
    isArray: true,
    description: 'Every day or every ISO week of the range; weeks count only their days in the range',
  })
  trend!: EventTrendItem[];

  @ApiProperty({ type: TopEvent, isArray: true, description: 'Most events first, at most topLimit' })
  topEvents!: TopEvent[];

  @ApiProperty({ type: EventTypeCount, isArray: true, description: 'Most events first, at most 100' })
  typeDistribution!: EventTypeCount[];
}
