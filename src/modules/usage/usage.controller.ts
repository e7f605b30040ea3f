import { Get, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { NoParameters } from '../../common/validation/known-names';
import { UsageResponse } from './usage.dto';
import { UsageService } from './usage.service';

@Access({ key: 'service', scope: 'analytics:read' })
@ServiceController('usage', 'Overview')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getUsage',
    summary: 'Get usage and limits',
    description:
      'What the organization uses, and its limits: those of its plan, except where the platform has set others. One more ' +
      'than a limit allows is 403 LIMIT_REACHED, except for clicks: all are counted, and `exceeded` and the webhook ' +
      '`usage.click_limit_exceeded` tell.',
    response: { type: UsageResponse, description: 'Usage and limits' },
  })
  get(@Caller() caller: Caller, @Query() _query: NoParameters): Promise<UsageResponse> {
    return this.usage.get(caller);
  }
}
