import { Body, Get, Put } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { lockOrganization } from '../../../infrastructure/database/organization-lock';
import { Editable } from '../../../infrastructure/edits/editable.decorator';
import { QrSettingsResponse, toQrSettingsResponse, UpdateQrSettingsRequest } from './qr-settings.dto';
import { QrSettingsService } from './qr-settings.service';

@ServiceController('qr-settings', 'QR codes')
@Access({ key: 'service', scope: 'links' })
export class QrSettingsController {
  constructor(private readonly settings: QrSettingsService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getQrSettings',
    summary: 'Get the settings of QR codes',
    description: 'The logo and the presets that the QR codes of short links and campaigns can have.',
    response: { type: QrSettingsResponse, description: 'The settings' },
  })
  async get(@Caller() caller: Caller): Promise<QrSettingsResponse> {
    return toQrSettingsResponse(await this.settings.get(caller));
  }

  @Put()
  @Editable({
    lock: (tx, { caller }) => lockOrganization(tx, 'organization', Number(caller?.organizationId)),
  })
  @Access({ key: 'service', scope: 'links', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'updateQrSettings',
    summary: 'Update the settings of QR codes',
    description:
      'Only supplied fields change: `presets` replaces the whole list, and null removes the logo. QR codes ' +
      'that are drawn from then on have what is stored.',
    response: { type: QrSettingsResponse, description: 'The updated settings' },
  })
  async update(@Caller() caller: Caller, @Body() body: UpdateQrSettingsRequest): Promise<QrSettingsResponse> {
    return toQrSettingsResponse(await this.settings.update(caller, body));
  }
}
