import { Body, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { ExternalIdPath, SavedExternalIdPath } from '../tracked-links/fields/tracked-link-fields.dto';
import { CampaignResponse } from './campaign.dto';
import { CampaignsByExternalId } from './campaigns-by-external-id';
import { SaveCampaignRequest } from './campaigns.dto';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';

@ApiTags('Campaigns')
@ServiceController('campaigns/by-external-id/:externalId')
@Access({ key: 'service', scope: 'campaigns' })
export class CampaignsByExternalIdController {
  constructor(private readonly campaigns: CampaignsByExternalId) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getCampaignByExternalId',
    summary: 'Get a campaign by external id',
    description: 'The campaign with this `externalId`. Percent-encode the id, including slashes (`%2F`).',
    response: { type: CampaignResponse, description: 'The campaign' },
  })
  get(@Caller() caller: Caller, @Param() { externalId }: ExternalIdPath): Promise<CampaignResponse> {
    return this.campaigns.get(caller, externalId);
  }

  @Put()
  @Editable({ lock: row('campaigns', 'externalId', 'external_id') })
  @ApiEndpoint({
    operationId: 'saveCampaignByExternalId',
    summary: 'Create or update a campaign by external id',
    description:
      'Updates the campaign with this `externalId` (200), or creates one (201). An update changes the fields that are ' +
      'supplied, as `PUT /campaigns/{id}` does. The body may repeat the external id of the path, but not contain ' +
      'another one.',
    response: { type: CampaignResponse, description: 'The campaign was updated' },
  })
  @ApiCreatedResponse({ type: CampaignResponse, description: 'The campaign was created' })
  async save(
    @Caller() caller: Caller,
    @Param() { externalId }: SavedExternalIdPath,
    @Body() body: SaveCampaignRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CampaignResponse> {
    const { isNew, saved } = await this.campaigns.save(caller, externalId, body);
    response.status(isNew ? 201 : 200);
    return saved;
  }

  @Delete()
  @ApiEndpoint({
    operationId: 'deleteCampaignByExternalId',
    summary: 'Delete a campaign by external id',
    description: 'As `DELETE /campaigns/{id}`. The external id is free again.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() { externalId }: ExternalIdPath): Promise<void> {
    return this.campaigns.remove(caller, externalId);
  }
}
