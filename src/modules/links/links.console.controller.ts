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
import type { Link } from './link.entity';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';

@ApiTags('Console: links')
@Controller('api/v1/console/organizations/:orgId/links/:id/settings')
@Access({ key: 'console' })
export class LinksConsoleController {
  private readonly settings: TargetSettings<Link>;

  constructor(rows: LinksRepository, links: LinksService) {
    this.settings = new TargetSettings(rows, links);
  }

  @Get()
  @ApiOperation({
    operationId: 'getLinkSettings',
    summary: 'Read the settings of a link',
    description: 'Click de-duplication and ad page of one link.',
  })
  @ApiOkResponse({ type: SettingsResponse, description: 'The settings' })
  @ApiFailures(400, 404)
  async get(@Caller() caller: Caller, @Param() path: SettingsPath): Promise<SettingsResponse> {
    return toSettingsResponse(await this.settings.get(caller, path.id));
  }

  @Put()
  @ApiOperation({
    operationId: 'updateLinkSettings',
    summary: 'Change the settings of a link',
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
