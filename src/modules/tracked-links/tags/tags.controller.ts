import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ListTagsQuery, TagsResponse } from './tags.dto';
import { TagsQuery } from './tags.query';

@ServiceController('tags', 'Short links')
@Access({ key: 'service', scope: 'links' })
export class TagsController {
  constructor(private readonly tags: TagsQuery) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listTags',
    summary: 'List tags',
    description: 'The tags of short links and campaigns, the most frequent first.',
    response: { type: TagsResponse, description: 'The tags' },
  })
  list(@Caller() caller: Caller, @Query() query: ListTagsQuery): Promise<TagsResponse> {
    return this.tags.run(caller, query);
  }
}
