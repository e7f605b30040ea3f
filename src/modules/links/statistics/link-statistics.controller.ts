import { Get, Param, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { DateRangeQuery } from '../../click-statistics/statistics.dto';
import {
  InstallStatisticsRequest,
  InstallStatisticsResponse,
} from '../../sessions/installs/install-statistics.dto';
import { LinkPath } from '../links.dto';
import { LinkStatisticsResponse } from './link-statistics.dto';
import { LinkStatisticsService } from './link-statistics.service';

@ServiceController('urls', 'Short links')
@Access({ key: 'service', scope: 'analytics:read' })
export class LinkStatisticsController {
  constructor(private readonly statistics: LinkStatisticsService) {}

  @Get(':id/stats')
  @ApiEndpoint({
    operationId: 'getShortUrlStatistics',
    summary: 'Get the statistics of a short link',
    description: "Returns clicks by people over a range of days, limited to the plan's data retention.",
    response: { type: LinkStatisticsResponse, description: 'The statistics' },
  })
  stats(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Query() query: DateRangeQuery,
  ): Promise<LinkStatisticsResponse> {
    return this.statistics.clicksOf(caller, path.id, query);
  }

  @Get(':id/app-install-stats')
  @ApiEndpoint({
    operationId: 'getShortUrlInstallStatistics',
    summary: 'Get the install statistics of a short link',
    description: 'Returns app installs, re-engagements and the funnel of a short link over a range of days.',
    response: { type: InstallStatisticsResponse, description: 'The statistics' },
  })
  installStats(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Query() query: InstallStatisticsRequest,
  ): Promise<InstallStatisticsResponse> {
    return this.statistics.installsOf(caller, path.id, query);
  }
}
