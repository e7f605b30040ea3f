import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ConversionGroupsRequest, ConversionGroupsResponse } from './conversion-groups.dto';
import { ConversionGroupsService } from './conversion-groups.service';

@ServiceController('analytics/conversions/groups', 'Analytics')
@Access({ key: 'service', scope: 'analytics:read' })
export class ConversionGroupsController {
  constructor(private readonly groups: ConversionGroupsService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listConversionGroups',
    summary: 'Sum conversions and revenue by dimension',
    description:
      'Goals that links and campaigns led to, and the revenue of purchases among them, by the dimensions and filters of ' +
      'analytics/clicks. Covers goals of the last 30 days by default, at most 366. What the add-on REVENUE_ANALYTICS or ' +
      'a permission is missing for is null.',
    response: { type: ConversionGroupsResponse, description: 'Most goals first' },
    errors: ['INVALID_DATE_RANGE', 'NOT_FOUND', 'APP_NOT_OWNED'],
  })
  list(@Caller() caller: Caller, @Query() query: ConversionGroupsRequest): Promise<ConversionGroupsResponse> {
    return this.groups.of(caller, query);
  }
}
