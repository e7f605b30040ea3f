import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { EventLogRequest, EventLogResponse } from './event-log.dto';
import { EventLogService } from './event-log.service';

@ServiceController('analytics/events', 'Analytics')
@Access({ key: 'service', scope: 'analytics:read', addOn: 'USER_JOURNEY', permission: 'event_log.view' })
export class EventLogController {
  constructor(private readonly events: EventLogService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getEventLog',
    summary: 'List the events of sessions',
    description:
      "Built after the end of each day: today's events appear tomorrow. Covers the last 30 days by default, at most 366. " +
      'APP_NOT_OWNED: the app belongs to another organization.',
    response: { type: EventLogResponse, description: 'The figures' },
  })
  get(@Caller() caller: Caller, @Query() query: EventLogRequest): Promise<EventLogResponse> {
    return this.events.of(caller, query);
  }
}
