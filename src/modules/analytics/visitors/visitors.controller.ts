import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import {
  DailyVisitorsRequest,
  DailyVisitorsResponse,
  WeeklyVisitorsRequest,
  WeeklyVisitorsResponse,
} from './visitors.dto';
import { VisitorsService } from './visitors.service';

const COUNTED =
  'A person is an IP address with a user agent; programs and clicks that de-duplication filters do not count. With ' +
  '`appId`, only clicks on links and campaigns that have the app count, whether it is installed or not; opening the app ' +
  'without a click does not count.';

@ServiceController('analytics', 'Analytics')
@Access({ key: 'service', scope: 'analytics:read', permission: 'mau.view' })
export class VisitorsController {
  constructor(private readonly visitors: VisitorsService) {}

  @Get('dau')
  @ApiEndpoint({
    operationId: 'getDailyVisitors',
    summary: 'List unique visitors by day',
    description:
      "Different people who clicked links or campaigns, exact for each day in the organization's time zone. " +
      `${COUNTED} At most 366 days. APP_NOT_OWNED: the app belongs to another organization.`,
    response: { type: DailyVisitorsResponse, description: 'The days with clicks' },
  })
  daily(@Caller() caller: Caller, @Query() query: DailyVisitorsRequest): Promise<DailyVisitorsResponse> {
    return this.visitors.daily(caller, query);
  }

  @Get('wau')
  @ApiEndpoint({
    operationId: 'getWeeklyVisitors',
    summary: 'List unique visitors by week',
    description:
      'Different people who clicked links or campaigns, exact for each ISO week, Monday to Sunday, in the ' +
      `organization's time zone; not the sum of its days. ${COUNTED} APP_NOT_OWNED: the app belongs to another ` +
      'organization.',
    response: { type: WeeklyVisitorsResponse, description: 'The weeks with clicks' },
  })
  weekly(@Caller() caller: Caller, @Query() query: WeeklyVisitorsRequest): Promise<WeeklyVisitorsResponse> {
    return this.visitors.weekly(caller, query);
  }
}
