import { Body, Get, Param, Patch } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { AppAdministration } from './app-administration';
import {
  AppSettingsResponse,
  OrganizationAppPath,
  toAppSettingsResponse,
  UpdateAppSettingsRequest,
} from './apps.console.dto';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';
import { ConsoleController } from '../../access/service-controller';

@ConsoleController('mobile-apps/:id', 'Console: apps')
@Access({ key: 'console', role: 'ADMIN' })
export class AppsConsoleController {
  constructor(private readonly administration: AppAdministration) {}

  @Get('settings')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'getAppSettings',
    summary: 'Get the settings of an app',
    description: 'The number of SDK API calls that the app may make per minute.',
    response: { type: AppSettingsResponse, description: 'The settings' },
  })
  async get(@Caller() caller: Caller, @Param() path: OrganizationAppPath): Promise<AppSettingsResponse> {
    return toAppSettingsResponse(await this.administration.get(caller, path.id));
  }

  @Patch('settings')
  @Editable({ lock: row('apps') })
  @ApiEndpoint({
    operationId: 'updateAppSettings',
    summary: 'Update the settings of an app',
    description: 'Only the fields supplied change. Changing the rate requires the platform token.',
    response: { type: AppSettingsResponse, description: 'The updated settings' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() path: OrganizationAppPath,
    @Body() body: UpdateAppSettingsRequest,
  ): Promise<AppSettingsResponse> {
    return toAppSettingsResponse(await this.administration.update(caller, path.id, body));
  }
}
