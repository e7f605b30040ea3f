import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organizations/organizations.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { BulkBody } from '../../common/http/body-rules';
import { MessageSends } from './message-sends';
import { RecordMessageSendsRequest, RecordMessageSendsResponse, toMessageSend } from './message-sends.dto';

@ApiTags('Console: message sends')
@Access({ key: 'console', only: 'platform' })
@Controller('api/v1/console/organizations/:orgId/message-sends')
export class MessageSendsConsoleController {
  constructor(private readonly sends: MessageSends) {}

  @Post()
  @BulkBody()
  @ApiEndpoint({
    operationId: 'recordMessageSends',
    summary: 'Record sent messages',
    description:
      'What billing usage adds up. A message id counts once, as it came first, however often it is sent; one bad item ' +
      'and nothing is recorded. Platform token only.',
    response: { type: RecordMessageSendsResponse, description: 'They are recorded' },
  })
  async record(
    @Caller() { organizationId }: Caller,
    @Param() _path: OrganizationPath,
    @Body() { items }: RecordMessageSendsRequest,
  ): Promise<RecordMessageSendsResponse> {
    const accepted = await this.sends.record(organizationId, items.map(toMessageSend));
    return { accepted, duplicated: items.length - accepted };
  }
}
