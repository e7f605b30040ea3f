import { INT64_OR_NULL, INT64, Field } from '../../../common/http/api-field';
import { PathId, QueryInt } from '../../../common/validation/atoms';
import { AnalyticsRangeQuery } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

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
  @Field('Events', 30, INT64)
  totalEvents!: number;

  @Field('Different sessions with events', 30, INT64)
  uniqueSessions!: number;

  @Field('Distinct types of events', 30, INT64)
  uniqueEventNames!: number;

  @Field('Events per session with events, one decimal', 4.2)
  avgEventsPerSession!: number;
}

export class EventTrendItem {
  @Field('The day; only with granularity `day`', '2026-11-20', { required: false })
  date?: string;

  @Field('Monday; only with granularity `week`', '2026-11-16', { required: false })
  weekStartDate?: string;

  @Field('Sunday; only with granularity `week`', '2026-11-22', { required: false })
  weekEndDate?: string;

  @Field('Events', 30, INT64)
  totalCount!: number;

  @Field('Different sessions with events', 30, INT64)
  uniqueSessions!: number;
}

export class TopEvent {
  @Field('Name of the event: its eventType', 'view_item')
  eventName!: string;

  @Field('Events', 30, INT64)
  count!: number;

  @Field('Unique sessions with such events', 30, INT64)
  uniqueSessions!: number;
}

export class EventTypeCount {
  @Field('Type of the events', 'view_item')
  eventType!: string;

  @Field('Events', 30, INT64)
  count!: number;
}

export class EventLogResponse extends AnalyticsRange {
  @Field('Id of the app; null for the whole organization', 42, INT64_OR_NULL)
  appId!: number | null;

  @Field('Totals of the range', undefined, { type: EventLogSummary })
  summary!: EventLogSummary;

  @Field('`week` for more than 90 days', 'day', { enum: ['day', 'week'] })
  trendGranularity!: string;

  @Field('Every day or every ISO week of the range; weeks count only their days in the range', undefined, {
    type: EventTrendItem,
    isArray: true,
  })
  trend!: EventTrendItem[];

  @Field('Most events first, at most topLimit', undefined, { type: TopEvent, isArray: true })
  topEvents!: TopEvent[];

  @Field('Most events first, at most 100', undefined, { type: EventTypeCount, isArray: true })
  typeDistribution!: EventTypeCount[];
}
