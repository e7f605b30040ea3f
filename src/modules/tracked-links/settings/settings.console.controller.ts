import { Body, Get, Param, Put } from '@nestjs/common';

import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import {
  SettingsPath,
  SettingsResponse,
  toSettingsResponse,
  UpdateSettingsRequest,
} from './tracked-link-settings.dto';

interface Settings {
  get(caller: Caller, id: number): Promise<TrackedLinkEntity>;
  update(caller: Caller, id: number, request: UpdateSettingsRequest): Promise<TrackedLinkEntity>;
}

/** The console's settings of one kind of tracked link. Subclasses bring the path and the access rule. */
export function settingsConsoleController(operation: 'Link' | 'Campaign') {
  const noun = operation.toLowerCase();

  abstract class SettingsConsoleController {
    constructor(readonly settings: Settings) {}

    @Get()
    @ApiEndpoint({
      operationId: `get${operation}Settings`,
      summary: `Read the settings of a ${noun}`,
      description: `Click de-duplication and ad page of one ${noun}.`,
      response: { type: SettingsResponse, description: 'The settings' },
    })
    async get(@Caller() caller: Caller, @Param() path: SettingsPath): Promise<SettingsResponse> {
      return toSettingsResponse(await this.settings.get(caller, path.id));
    }

    @Put()
    @ApiEndpoint({
      operationId: `update${operation}Settings`,
      summary: `Change the settings of a ${noun}`,
      description:
        "Only supplied parts change. The de-duplication window goes up to the plan's cap: FREE 60, PRO 1,440, " +
        'ENTERPRISE 10,080 minutes.',
      response: { type: SettingsResponse, description: 'The new settings' },
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
