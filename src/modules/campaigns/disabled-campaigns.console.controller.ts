import { Body, Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { DisabledPath, DisabledResponse, DisableRequest } from '../../access/organizations/disabled.dto';
import { ApiFailures } from '../../common/errors/api-failures';
import { CampaignsService } from './campaigns.service';

@ApiTags('Console: campaigns')
@Controller('api/v1/console/organizations/:orgId/campaigns/:id/disabled')
@Access({ key: 'console', only: 'platform' })
export class DisabledCampaignsConsoleController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Put()
  @ApiOperation({
    operationId: 'disableCampaign',
    summary: 'Disable a campaign',
    description:
      'It answers 410 within a second, and nothing is counted. Its owner sees the reason, can not enable it, and can not take ' +
      'its alias again. Put again, the reason is replaced. Platform token only.',
  })
  @ApiOkResponse({ type: DisabledResponse, description: 'It is disabled' })
  @ApiFailures(400, 404)
  async disable(
    @Caller() caller: Caller,
    @Param() { id }: DisabledPath,
    @Body() { reason }: DisableRequest,
  ): Promise<DisabledResponse> {
    await this.campaigns.disable(caller, id, reason);
    return { id, disabledReason: reason };
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'enableCampaign',
    summary: 'Enable a campaign again',
    description: 'One that is not disabled stays as it is. Platform token only.',
  })
  @ApiNoContentResponse({ description: 'It is enabled' })
  @ApiFailures(400, 404)
  async enable(@Caller() caller: Caller, @Param() { id }: DisabledPath): Promise<void> {
    await this.campaigns.disable(caller, id, null);
  }
}
