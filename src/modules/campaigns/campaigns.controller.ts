import { Body, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { Page } from '../../common/pagination/page';
import { InstallStatisticsResponse } from '../sessions/installs/install-statistics.dto';
import { CampaignPage, CampaignResponse } from './campaign.dto';
import {
  CampaignInstallStatisticsQuery,
  CampaignStatisticsQuery,
  CampaignStatisticsResponse,
} from './campaign-statistics.dto';
import { CampaignStatisticsService } from './campaign-statistics.service';
import { CampaignViewsService } from './campaign-views.service';
import {
  CampaignPath,
  CreateCampaignRequest,
  ListCampaignsQuery,
  UpdateCampaignRequest,
} from './campaigns.dto';
import { CampaignsService } from './campaigns.service';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';

@ApiTags('Campaigns')
@ServiceController('campaigns')
@Access({ key: 'service', scope: 'campaigns' })
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly views: CampaignViewsService,
    private readonly statistics: CampaignStatisticsService,
  ) {}

  @Post()
  @ApiEndpoint({
    operationId: 'createCampaign',
    summary: 'Create a campaign',
    description:
      'Creates a campaign with the link `https://<domain>/c/<alias>`, on the default domain or a custom one, with your ' +
      'own alias or a random one. With `findIfExists`, a campaign that has the same destination and settings is returned ' +
      'instead.',
    response: { status: 201, type: CampaignResponse, description: 'The campaign was created' },
  })
  @ApiOkResponse({ type: CampaignResponse, description: 'The campaign existed, with `findIfExists`' })
  async create(
    @Caller() caller: Caller,
    @Body() body: CreateCampaignRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CampaignResponse> {
    if (!body.findIfExists) return this.views.ofNew(await this.campaigns.create(caller, body));
    const outcome = await this.campaigns.findOrCreate(caller, body);
    if (!('found' in outcome)) return this.views.ofNew(outcome.created);
    response.status(200);
    return this.views.ofFound(outcome.found);
  }

  @Get()
  @ApiEndpoint({
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    description: "A page of the organization's campaigns, newest first by default.",
    response: { type: CampaignPage, description: 'A page of campaigns' },
  })
  list(@Caller() caller: Caller, @Query() query: ListCampaignsQuery): Promise<Page<CampaignResponse>> {
    return this.views.list(caller, query);
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getCampaign',
    summary: 'Get a campaign',
    description: 'One campaign with its number of clicks.',
    response: { type: CampaignResponse, description: 'The campaign' },
  })
  get(@Caller() caller: Caller, @Param() path: CampaignPath): Promise<CampaignResponse> {
    return this.views.get(caller, path.id);
  }

  @Put(':id')
  @Editable({ lock: row('campaigns') })
  @ApiEndpoint({
    operationId: 'updateCampaign',
    summary: 'Update a campaign',
    description:
      'Only the fields supplied change; null clears optional fields. A new alias replaces the present one, which goes on ' +
      'leading there unless `releaseOld` is true. The domain never changes: a different one is 400. Read-only fields are ' +
      'ignored, so an object can be sent back as returned.',
    response: { type: CampaignResponse, description: 'The updated campaign' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() path: CampaignPath,
    @Body() body: UpdateCampaignRequest,
  ): Promise<CampaignResponse> {
    return this.views.ofChanged(await this.campaigns.update(caller, path.id, body));
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign',
    description: 'The link stops working within a second, and no other organization can use the alias.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() path: CampaignPath): Promise<void> {
    return this.campaigns.remove(caller, path.id);
  }

  @Get(':id/stats')
  @Access({ key: 'service', scope: 'analytics:read' })
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
  @Access({ key: 'service', scope: 'analytics:read' })
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
