import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { ClickExport } from '../click-statistics/click-log/click-export';
import { ClickLog } from '../click-statistics/click-log/click-log';
import {
  ClickListResponse,
  EXPORT_CONTENT,
  EXPORT_DESCRIPTION,
  ExportClicksQuery,
  LIST_DESCRIPTION,
  ListClicksQuery,
} from '../click-statistics/click-log/click-log.dto';
import { CampaignPath } from './campaigns.dto';
import { CampaignsRepository } from './campaigns.repository';

@ApiTags('Campaigns')
@ServiceController('campaigns/:id/clicks')
@Access({ key: 'service', scope: 'analytics:read' })
export class CampaignClicksController {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly log: ClickLog,
    private readonly exports: ClickExport,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listCampaignClicks',
    summary: 'List the clicks of a campaign',
    description: LIST_DESCRIPTION,
    response: { type: ClickListResponse, description: 'A page of clicks' },
    errors: ['INVALID_CURSOR'],
  })
  async list(
    @Caller() caller: Caller,
    @Param() path: CampaignPath,
    @Query() query: ListClicksQuery,
  ): Promise<ClickListResponse> {
    const { id } = await this.campaigns.get(caller.organizationId, path.id);
    return this.log.list(caller, { kind: 'campaign', id }, query);
  }

  @Get('export')
  @ApiEndpoint({
    operationId: 'exportCampaignClicks',
    summary: 'Export the clicks of a campaign',
    description: EXPORT_DESCRIPTION,
    response: { content: EXPORT_CONTENT, description: 'The file' },
  })
  async export(
    @Caller() caller: Caller,
    @Param() path: CampaignPath,
    @Query() query: ExportClicksQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.campaigns.get(caller.organizationId, path.id);
    await this.exports.send(caller, { kind: 'campaign', id }, query, response);
  }
}
