import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ClickAnalyticsRequest, ClickAnalyticsResponse } from './clicks.dto';
import { ClickAnalyticsService } from './clicks.service';

@ServiceController('analytics', 'Analytics')
@Access({ key: 'service', scope: 'analytics:read' })
export class ClickAnalyticsController {
  constructor(private readonly clicks: ClickAnalyticsService) {}

  @Get('clicks')
  @ApiEndpoint({
    operationId: 'getClickAnalytics',
    summary: 'Sum clicks by period and dimension',
    description:
      'Clicks, visitors or clicks of bots of the whole organization, by hour, day, week or month of its time zone, ' +
      'grouped by one dimension and filtered by any. Figures of one dimension are fast for any range; those that combine ' +
      'dimensions are read from the clicks, of which the range may have 5,000,000: RANGE_TOO_LARGE.',
    response: { type: ClickAnalyticsResponse, description: 'The figures' },
    errors: ['INVALID_DATE_RANGE', 'RANGE_TOO_LARGE', 'NOT_FOUND', 'APP_NOT_OWNED'],
  })
  get(@Caller() caller: Caller, @Query() query: ClickAnalyticsRequest): Promise<ClickAnalyticsResponse> {
    return this.clicks.of(caller, query);
  }
}
