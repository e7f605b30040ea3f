import { INT64, INTEGER, listOf, Field } from '../../../common/http/api-field';
import { Bool, QueryInt, Text } from '../../../common/validation/atoms';
import { IdList, TextList } from '../../../common/validation/lists';
import { MAX_TAG_LENGTH, MAX_TAGS, Tags } from '../links.dto';
import { ItemErrorResponse } from '../bulk/links-bulk.dto';

const optional = true;

export class ListTagsQuery {
  @Text({
    max: MAX_TAG_LENGTH,
    description: 'Only tags that begin with this, ignoring letter case',
    example: 'spr',
    optional,
  })
  q?: string;

  @QueryInt({ min: 1, max: 1000, description: 'Maximum number of tags', example: 100, default: 100 })
  limit: number = 100;
}

class TagResponse {
  @Field('Tag, in the spelling that most links have', 'Spring')
  tag!: string;

  @Field('Links with the tag, archived ones included', 12, INTEGER)
  links!: number;
}

export class TagsResponse {
  @Field('Tags, those of the most links first', undefined, listOf(TagResponse))
  tags!: TagResponse[];
}

export class ChangeLinksRequest {
  @IdList({ min: 1, max: 1000, of: 'link', description: 'Links to change', example: [42, 43] })
  ids!: number[];

  @Bool({ description: 'Whether they answer', example: true, optional })
  enabled?: boolean | null;

  @Bool({ description: 'Whether lists leave them out', example: true, optional })
  archived?: boolean | null;

  @Tags({
    description: 'Tags to add; a link with more than 20 tags after that fails',
    example: ['spring'],
    optional,
  })
  addTags?: string[] | null;

  @TextList({
    max: MAX_TAGS,
    length: MAX_TAG_LENGTH,
    description: 'Tags to remove before others are added, ignoring letter case',
    example: ['winter'],
    optional,
  })
  removeTags?: string[] | null;

  @Bool({ description: 'Whether to delete them; not together with other changes', example: false, optional })
  delete?: boolean | null;
}

class ChangedLinkResult {
  @Field('Id of the link', 42, INT64)
  id!: number;

  @Field('Result', 'ok', { enum: ['ok', 'failed'] })
  status!: 'ok' | 'failed';

  @Field('The error that a single change would get; null unless it failed', undefined, {
    type: ItemErrorResponse,
    nullable: true,
  })
  error!: ItemErrorResponse | null;
}

export class ChangeLinksResponse {
  @Field('Links that are now as requested', 1, INTEGER)
  ok!: number;

  @Field('Links that failed', 0, INTEGER)
  failed!: number;

  @Field('One result per link, in the order of the request', undefined, listOf(ChangedLinkResult))
  results!: ChangedLinkResult[];
}
