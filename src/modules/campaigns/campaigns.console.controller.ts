import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ApiFailures } from '../../common/errors/api-failures';
import { TargetSettings } from '../tracked-links/settings/tracked-link-settings';
import {
  SettingsPath,
  SettingsResponse,
  toSettingsResponse,
  UpdateSettingsRequest,
} from '../tracked-links/settings/tracked-link-settings.dto';
import type { Campaign } from './campaign.entity';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

@ApiTags('Console: campaigns')
@Controller('api/v1/console/organizations/:orgId/campaigns/:id/settings')
@Access({ key: 'console' })
export class CampaignsConsoleController {
  private readonly settings: TargetSettings<Campaign>;

  constructor(rows: CampaignsRepository, campaigns: CampaignsService) {
    this.settings = new TargetSettings(rows, campaigns);
  }

  @Get()
  @ApiOperation({
    operationId: 'getCampaignSettings',
    summary: 'Read the settings of a campaign',
    description: 'Click de-duplication and ad page of one campaign.',
  })
  @ApiOkResponse({ type: SettingsResponse, description: 'The settings' })
  @ApiFailures(400, 404)
  async get(@Caller() caller: Caller, @Param() path: SettingsPath): Promise<SettingsResponse> {
    return toSettingsResponse(await this.settings.get(caller, path.id));
  }

  @Put()
  @ApiOperation({
    operationId: 'updateCampaignSettings',
    summary: 'Change the settings of a campaign',
    description:
      "Only supplied parts change. The de-duplication window goes up to the plan's cap: FREE 60, PRO 1,440, " +
      'ENTERPRISE 10,080 minutes.',
  })
  @ApiOkResponse({ type: SettingsResponse, description: 'The settings as they are now' })
  @ApiFailures(400, 404)
  async update(
    @Caller() caller: Caller,
    @Param() path: SettingsPath,
    @Body() body: UpdateSettingsRequest,
  ): Promise<SettingsResponse> {
    return toSettingsResponse(await this.settings.update(caller, path.id, body));
  }
}
