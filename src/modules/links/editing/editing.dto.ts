import { ApiProperty } from '@nestjs/swagger';
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
  @ApiProperty({ description: 'Tag, in the spelling that most links have', example: 'Spring' })
  tag!: string;

  @ApiProperty({ type: 'integer', description: 'Links with the tag, archived ones included', example: 12 })
  links!: number;
}

export class TagsResponse {
  @ApiProperty({ type: TagResponse, isArray: true, description: 'Tags, those of the most links first' })
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
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the link', example: 42 })
  id!: number;

  @ApiProperty({ enum: ['ok', 'failed'], description: 'Result', example: 'ok' })
  status!: 'ok' | 'failed';

  @ApiProperty({
    type: ItemErrorResponse,
    nullable: true,
    description: 'The error that a single change would get; null unless it failed',
  })
  error!: ItemErrorResponse | null;
}

export class ChangeLinksResponse {
  @ApiProperty({ type: 'integer', description: 'Links that are now as requested', example: 1 })
  ok!: number;

  @ApiProperty({ type: 'integer', description: 'Links that failed', example: 0 })
  failed!: number;

  @ApiProperty({
    type: ChangedLinkResult,
    isArray: true,
    description: 'One result per link, in the order of the request',
  })
  results!: ChangedLinkResult[];
}
