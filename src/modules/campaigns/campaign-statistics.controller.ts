import { Get, Param, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { InstallStatisticsResponse } from '../sessions/installs/install-statistics.dto';
import {
  CampaignInstallStatisticsQuery,
  CampaignStatisticsQuery,
  CampaignStatisticsResponse,
} from './campaign-statistics.dto';
import { CampaignStatisticsService } from './campaign-statistics.service';
import { CampaignPath } from './campaigns.dto';

@ServiceController('campaigns', 'Campaigns')
@Access({ key: 'service', scope: 'analytics:read' })
export class CampaignStatisticsController {
  constructor(private readonly statistics: CampaignStatisticsService) {}

  @Get(':id/stats')
  @ApiEndpoint({
    operationId: 'getCampaignStatistics',
    summary: 'Get the statistics of a campaign',
    description:
      "Clicks of people over a range of days, limited to the plan's data retention: all, or those of one customId. " +
      '`revenueStats` is null unless the organization has the add-on REVENUE_ANALYTICS and the user of the API key has ' +
      'the permission revenue.view.',
    response: { type: CampaignStatisticsResponse, description: 'The statistics' },
  })
  stats(
    @Caller() caller: Caller,
    @Param() path: CampaignPath,
    @Query() query: CampaignStatisticsQuery,
  ): Promise<CampaignStatisticsResponse> {
    return this.statistics.clicksOf(caller, path.id, query);
  }

  @Get(':id/app-install-stats')
  @ApiEndpoint({
    operationId: 'getCampaignInstallStatistics',
    summary: 'Get the install statistics of a campaign',
    description:
      'App installs, re-engagements and the funnel of a campaign over a range of days in the requested time zone.',
    response: { type: InstallStatisticsResponse, description: 'The statistics' },
  })
  installStats(
    @Caller() caller: Caller,
    @Param() path: CampaignPath,
    @Query() query: CampaignInstallStatisticsQuery,
  ): Promise<InstallStatisticsResponse> {
    return this.statistics.installsOf(caller, path.id, query);
  }
}
