import { Body, Get, Param, Put } from '@nestjs/common';

import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import {
  SettingsPath,
  SettingsResponse,
  toSettingsResponse,
  UpdateSettingsRequest,
} from './tracked-link-settings.dto';
import { Editable, row } from '../../../infrastructure/edits/editable.decorator';

interface Settings {
  get(caller: Caller, id: number): Promise<TrackedLinkEntity>;
  update(caller: Caller, id: number, request: UpdateSettingsRequest): Promise<TrackedLinkEntity>;
}

/** Creates the base class of the controllers of settings; subclasses declare the path. */
export function settingsController(operation: 'Link' | 'Campaign') {
  const noun = operation.toLowerCase();

  @Access({ key: 'service', scope: operation === 'Link' ? 'links' : 'campaigns' })
  abstract class SettingsController {
    constructor(readonly settings: Settings) {}

    @Get()
    @ApiEndpoint({
      operationId: `get${operation}Settings`,
      summary: `Get the settings of a ${noun}`,
      description: `Returns the click de-duplication and ad page settings of one ${noun}.`,
      response: { type: SettingsResponse, description: 'The settings' },
    })
    async get(@Caller() caller: Caller, @Param() path: SettingsPath): Promise<SettingsResponse> {
      return toSettingsResponse(await this.settings.get(caller, path.id));
    }

    @Put()
    @Editable({ lock: row(operation === 'Link' ? 'links' : 'campaigns') })
    @ApiEndpoint({
      operationId: `update${operation}Settings`,
      summary: `Update the settings of a ${noun}`,
      description:
        'Only supplied parts change. The plan limits the de-duplication window: FREE 60, PRO 1,440, ENTERPRISE 10,080 ' +
        'minutes.',
      response: { type: SettingsResponse, description: 'The updated settings' },
    })
    async update(
      @Caller() caller: Caller,
      @Param() path: SettingsPath,
      @Body() body: UpdateSettingsRequest,
    ): Promise<SettingsResponse> {
      return toSettingsResponse(await this.settings.update(caller, path.id, body));
    }
  }
  return SettingsController;
}
