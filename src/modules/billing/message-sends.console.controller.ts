import { Body, Param, Post } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { BulkBody } from '../../common/http/body-rules';
import { MessageSends } from './message-sends';
import { RecordMessageSendsRequest, RecordMessageSendsResponse } from './message-sends.dto';
import { ConsoleController } from '../../access/service-controller';

@Access({ key: 'console', role: 'PLATFORM' })
@ConsoleController('message-sends', 'Console: message sends')
export class MessageSendsConsoleController {
  constructor(private readonly sends: MessageSends) {}

  @Post()
  @BulkBody()
  @ApiEndpoint({
    operationId: 'recordMessageSends',
    summary: 'Record sent messages',
    description:
      'Records messages for the billing usage. A message id counts once, as first sent; if one item is ' +
      'invalid, nothing is recorded. Platform token only.',
    response: { type: RecordMessageSendsResponse, description: 'The result' },
  })
  async record(
    @Caller() { organizationId }: Caller,
    @Param() _path: OrganizationPath,
    @Body() { items }: RecordMessageSendsRequest,
  ): Promise<RecordMessageSendsResponse> {
    const accepted = await this.sends.record(organizationId, items);
    return { accepted, duplicated: items.length - accepted };
  }
}
