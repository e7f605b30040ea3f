import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ContactFeed } from './contact-feed';
import { ContactFeedQuery, ContactFeedResponse } from './contact-feed.dto';

@ApiTags('Contacts')
@Controller('api/v1/service/messaging/contacts/changes')
@Access({ key: 'service', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactFeedController {
  constructor(private readonly feed: ContactFeed) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listContactChanges',
    summary: 'List contact changes',
    description:
      'Contacts that were created, changed or deleted after a cursor, oldest change first; each contact ' +
      'appears once, at its latest change. A client that continues with nextCursor misses no change, ' +
      'even with concurrent writes.',
    response: { type: ContactFeedResponse, description: 'Changes, and the next cursor' },
  })
  list(@Caller() { organizationId }: Caller, @Query() query: ContactFeedQuery): Promise<ContactFeedResponse> {
    return this.feed.read(organizationId, query);
  }
}
