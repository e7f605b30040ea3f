import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiFailures } from '../../../common/errors/api-failures';
import { RevenueQuery, RevenueResponse } from './revenue.dto';
import { RevenueService } from './revenue.service';

@ApiTags('Analytics')
@Controller('api/v1/service/analytics/revenue')
@Access({ key: 'service', addOn: 'REVENUE_ANALYTICS', permission: 'revenue.view' })
export class RevenueController {
  constructor(private readonly revenue: RevenueService) {}

  @Get()
  @ApiOperation({
    operationId: 'getRevenue',
    summary: 'Revenue of an app',
    description:
      'Revenue, purchases and carts by goal, day and platform; beside another range, when one is given. The last 30 ' +
      "days unless the dates say otherwise, at most 366. APP_NOT_OWNED: the app is another organization's.",
  })
  @ApiOkResponse({ type: RevenueResponse, description: 'The figures' })
  @ApiFailures(400, 404)
  get(@Caller() caller: Caller, @Query() query: RevenueQuery): Promise<RevenueResponse> {
    return this.revenue.of(caller, query);
  }
}
