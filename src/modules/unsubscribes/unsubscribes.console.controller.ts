import { Get, Param, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { Page } from '../../common/pagination/page';
import { UnsubscribeFeeds } from './feeds/unsubscribe-feeds';
import {
  NewestUnsubscribesQuery,
  type UnsubscribeItem,
  UnsubscribePage,
} from './feeds/unsubscribe-feeds.dto';
import { ConsoleController } from '../../access/service-controller';

@ConsoleController('unsubscribes', 'Console: unsubscribes')
@Access({ key: 'console', role: 'EDITOR' })
export class UnsubscribesConsoleController {
  constructor(private readonly feeds: UnsubscribeFeeds) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listNewestUnsubscribes',
    summary: 'List opt-outs, newest first',
    description:
      'Registered entries of a channel by when people opted out, the newest first. To follow the list, use the feeds.',
    response: { type: UnsubscribePage, description: 'A page of entries' },
  })
  newest(
    @Caller() { organizationId }: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: NewestUnsubscribesQuery,
  ): Promise<Page<UnsubscribeItem>> {
    return this.feeds.newest(organizationId, query);
  }
}
