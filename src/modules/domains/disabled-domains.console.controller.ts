import { Body, Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { DisabledPath, DisabledResponse, DisableRequest } from '../../access/organizations/disabled.dto';
import { ApiFailures } from '../../common/errors/api-failures';
import { CustomDomainsService } from './custom-domains.service';

@ApiTags('Console: custom domains')
@Controller('api/v1/console/organizations/:orgId/custom-domains/:id/disabled')
@Access({ key: 'console', only: 'platform' })
export class DisabledDomainsConsoleController {
  constructor(private readonly domains: CustomDomainsService) {}

  @Put()
  @ApiOperation({
    operationId: 'disableCustomDomain',
    summary: 'Disable a custom domain',
    description:
      'Every link on it answers 410 within a second, the check before a certificate refuses it, and new links can not be ' +
      'made on it. Its owner can not enable it, by deleting and adding it again neither. Platform token only.',
  })
  @ApiOkResponse({ type: DisabledResponse, description: 'It is disabled' })
  @ApiFailures(400, 404)
  async disable(
    @Caller() caller: Caller,
    @Param() { id }: DisabledPath,
    @Body() { reason }: DisableRequest,
  ): Promise<DisabledResponse> {
    await this.domains.disable(caller, id, reason);
    return { id, disabledReason: reason };
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'enableCustomDomain',
    summary: 'Enable a custom domain again',
    description: 'One that is not disabled stays as it is. Platform token only.',
  })
  @ApiNoContentResponse({ description: 'It is enabled' })
  @ApiFailures(400, 404)
  async enable(@Caller() caller: Caller, @Param() { id }: DisabledPath): Promise<void> {
    await this.domains.enable(caller, id);
  }
}
