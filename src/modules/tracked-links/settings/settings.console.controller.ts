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

/** Creates the base class of the console's settings controllers; subclasses declare the path. */
export function settingsConsoleController(operation: 'Link' | 'Campaign') {
  const noun = operation.toLowerCase();

  abstract class SettingsConsoleController {
    constructor(readonly settings: Settings) {}

    @Get()
    @Access({ key: 'console', role: 'VIEWER' })
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
    @Access({ key: 'console', role: 'EDITOR' })
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
  return SettingsConsoleController;
}
