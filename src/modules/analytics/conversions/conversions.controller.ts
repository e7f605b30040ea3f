import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { AppAnalyticsQuery } from '../analytics.atoms';
import {
  ConversionsQuery,
  ConversionsResponse,
  GoalTypesResponse,
  TopConversionsRequest,
  TopConversionsResponse,
} from './conversions.dto';
import { ConversionsService } from './conversions.service';
import { TopConversionsService } from './top-conversions.service';

@ServiceController('analytics/conversions', 'Analytics')
@Access({
  key: 'service',
  scope: 'analytics:read',
  addOn: 'REVENUE_ANALYTICS',
  permission: 'conversion.view',
})
export class ConversionsController {
  constructor(
    private readonly conversions: ConversionsService,
    private readonly top: TopConversionsService,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getConversions',
    summary: 'Get the conversions of an app, or of all',
    description:
      'Sessions that started in the range with their conversions, and goals reached in it. Covers the last 30 days by ' +
      'default, at most 366. APP_NOT_OWNED: the app belongs to another organization.',
    response: { type: ConversionsResponse, description: 'The figures' },
    errors: ['NOT_FOUND'],
  })
  get(@Caller() caller: Caller, @Query() query: ConversionsQuery): Promise<ConversionsResponse> {
    return this.conversions.of(caller, query);
  }

  @Get('top')
  @ApiEndpoint({
    operationId: 'listTopConversions',
    summary: 'List the top links or campaigns by conversions',
    description:
      'Covers the last 30 days by default, at most 366. API keys need `appId` with a `goalType` other than `all`.',
    response: { type: TopConversionsResponse, description: 'Most conversions first' },
  })
  listTop(@Caller() caller: Caller, @Query() query: TopConversionsRequest): Promise<TopConversionsResponse> {
    return this.top.of(caller, query);
  }

  @Get('goals')
  @ApiEndpoint({
    operationId: 'listGoalTypes',
    summary: 'List the goal types of an app, or of all',
    description: 'Types of the goals reached in the last 90 days by default, at most 366.',
    response: { type: GoalTypesResponse, description: 'The goal types' },
  })
  listGoalTypes(@Caller() caller: Caller, @Query() query: AppAnalyticsQuery): Promise<GoalTypesResponse> {
    return this.conversions.goalTypesOf(caller, query);
  }
}
