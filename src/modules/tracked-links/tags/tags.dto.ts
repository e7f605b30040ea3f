import { INTEGER, listOf, Field } from '../../../common/http/api-field';
import { QueryInt, Text } from '../../../common/validation/atoms';
import { MAX_TAG_LENGTH } from '../fields/tags';

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
  @Field('Tag, in its most frequent spelling', 'Spring')
  tag!: string;

  @Field('Links with the tag, archived ones included', 12, INTEGER)
  links!: number;

  @Field('Campaigns with the tag, archived ones included', 3, INTEGER)
  campaigns!: number;
}

export class TagsResponse {
  @Field('Tags, those of the most links and campaigns first', undefined, listOf(TagResponse))
  tags!: TagResponse[];
}
