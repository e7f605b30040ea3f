import { Body, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { BulkBody } from '../../../common/http/body-rules';
import { LinkBatches } from './link-batches';
import { BulkCreateLinksRequest, BulkCreateLinksResponse, toBulkResponse } from './links-bulk.dto';
import { LinksService } from '../links.service';

@ApiTags('Short links')
@ServiceController('urls/bulk')
@Access({ key: 'service', scope: 'links' })
export class LinksBulkController {
  constructor(
    private readonly batches: LinkBatches,
    private readonly links: LinksService,
  ) {}

  @Post()
  @BulkBody()
  @ApiEndpoint({
    operationId: 'createShortUrls',
    summary: 'Create many short links',
    description:
      'Creates up to 1000 short links by the rules of the single call, in one transaction. Invalid items fail ' +
      'individually: the status is 200, and the response has the result of each item. If an alias occurs twice in the ' +
      'request, the first item gets it. Items may have `findIfExists`; of items that are equal, alias included, the first ' +
      'creates the link and the others find it. A request may use at most 20 different passwords, and its body at most 5 MiB. ' +
      "Items beyond the plan's limit fail with LIMIT_REACHED; if the limit is reached already, so does the call.",
    response: { type: BulkCreateLinksResponse, description: 'The result of each item' },
    errors: ['LIMIT_REACHED'],
  })
  async create(
    @Caller() caller: Caller,
    @Body() body: BulkCreateLinksRequest,
  ): Promise<BulkCreateLinksResponse> {
    return toBulkResponse(
      await this.links.toResponses(caller, await this.batches.create(caller, body.items)),
    );
  }
}
