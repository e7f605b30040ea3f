import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organizations/organizations.dto';
import { ApiFailures } from '../../common/errors/api-failures';
import { BulkBody } from '../../common/http/body-rules';
import { MessageSends } from './message-sends';
import { RecordMessageSendsRequest, RecordMessageSendsResponse, toMessageSend } from './message-sends.dto';

@ApiTags('Console: message sends')
@Access({ key: 'console', only: 'platform' })
@Controller('api/v1/console/organizations/:orgId/message-sends')
export class MessageSendsConsoleController {
  constructor(private readonly sends: MessageSends) {}

  @Post()
  @HttpCode(200)
  @BulkBody()
  @ApiOperation({
    operationId: 'recordMessageSends',
    summary: 'Record sent messages',
    description:
      'What billing usage adds up. A message id counts once, as it came first, however often it is sent; one bad item ' +
      'and nothing is recorded. Platform token only.',
  })
  @ApiOkResponse({ type: RecordMessageSendsResponse, description: 'They are recorded' })
  @ApiFailures(400, 404)
  async record(
    @Caller() { organizationId }: Caller,
    @Param() _path: OrganizationPath,
    @Body() { items }: RecordMessageSendsRequest,
  ): Promise<RecordMessageSendsResponse> {
    const accepted = await this.sends.record(organizationId, items.map(toMessageSend));
    return { accepted, duplicated: items.length - accepted };
  }
}
