import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ContactFeed } from './contact-feed';
import { ContactFeedQuery, ContactFeedResponse } from './contact-feed.dto';

@ServiceController('messaging/contacts/changes', 'Contacts')
@Access({ key: 'service', scope: 'contacts', addOn: 'MESSAGING', allowListedIpOnly: true })
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
