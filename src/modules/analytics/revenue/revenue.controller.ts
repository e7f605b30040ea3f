import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { RevenueQuery, RevenueResponse } from './revenue.dto';
import { RevenueService } from './revenue.service';

@ServiceController('analytics/revenue', 'Analytics')
@Access({ key: 'service', scope: 'analytics:read', addOn: 'REVENUE_ANALYTICS', permission: 'revenue.view' })
export class RevenueController {
  constructor(private readonly revenue: RevenueService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getRevenue',
    summary: 'Get the revenue of an app, or of all',
    description:
      'Revenue, purchases and carts by goal, day and platform, optionally compared with another range. Covers the last 30 ' +
      'days by default, at most 366. APP_NOT_OWNED: the app belongs to another organization.',
    response: { type: RevenueResponse, description: 'The figures' },
    errors: ['NOT_FOUND'],
  })
  get(@Caller() caller: Caller, @Query() query: RevenueQuery): Promise<RevenueResponse> {
    return this.revenue.of(caller, query);
  }
}
