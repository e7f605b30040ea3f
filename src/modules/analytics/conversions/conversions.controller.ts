import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiFailures } from '../../../common/errors/api-failures';
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

@ApiTags('Analytics')
@Controller('api/v1/service/analytics/conversions')
@Access({ key: 'service', addOn: 'REVENUE_ANALYTICS', permission: 'conversion.view' })
export class ConversionsController {
  constructor(
    private readonly conversions: ConversionsService,
    private readonly top: TopConversionsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getConversions',
    summary: 'Conversions of an app',
    description:
      'Sessions that began in the range and what became of them, and the goals that were reached in it. The last 30 ' +
      "days unless the dates say otherwise, at most 366. APP_NOT_OWNED: the app is another organization's.",
  })
  @ApiOkResponse({ type: ConversionsResponse, description: 'The figures' })
  @ApiFailures(400, 404)
  get(@Caller() caller: Caller, @Query() query: ConversionsQuery): Promise<ConversionsResponse> {
    return this.conversions.of(caller, query);
  }

  @Get('top')
  @ApiOperation({
    operationId: 'listTopConversions',
    summary: 'Top links or campaigns by conversions',
    description:
      'Over the last 30 days unless the dates say otherwise, at most 366. `appId` is needed with a `goalType` other than `all`.',
  })
  @ApiOkResponse({ type: TopConversionsResponse, description: 'Most conversions first' })
  @ApiFailures(400)
  listTop(@Caller() caller: Caller, @Query() query: TopConversionsRequest): Promise<TopConversionsResponse> {
    return this.top.of(caller, query);
  }

  @Get('goals')
  @ApiOperation({
    operationId: 'listGoalTypes',
    summary: 'List the goal types of an app',
    description:
      'Names of the goals that were reached in the last 90 days unless the dates say otherwise, at most 366.',
  })
  @ApiOkResponse({ type: GoalTypesResponse, description: 'The names' })
  @ApiFailures(400)
  listGoalTypes(@Caller() caller: Caller, @Query() query: AppAnalyticsQuery): Promise<GoalTypesResponse> {
    return this.conversions.goalTypesOf(caller, query);
  }
}
