import { Body, Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { DisabledPath, DisabledResponse, DisableRequest } from '../../access/organizations/disabled.dto';
import { ApiFailures } from '../../common/errors/api-failures';
import { LinksService } from './links.service';

@ApiTags('Console: links')
@Controller('api/v1/console/organizations/:orgId/links/:id/disabled')
@Access({ key: 'console', only: 'platform' })
export class DisabledLinksConsoleController {
  constructor(private readonly links: LinksService) {}

  @Put()
  @ApiOperation({
    operationId: 'disableLink',
    summary: 'Disable a link',
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
    await this.links.disable(caller, id, reason);
    return { id, disabledReason: reason };
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'enableLink',
    summary: 'Enable a link again',
    description: 'One that is not disabled stays as it is. Platform token only.',
  })
  @ApiNoContentResponse({ description: 'It is enabled' })
  @ApiFailures(400, 404)
  async enable(@Caller() caller: Caller, @Param() { id }: DisabledPath): Promise<void> {
    await this.links.disable(caller, id, null);
  }
}
