import { INT64, INTEGER, listOf, Field } from '../../../common/http/api-field';
import { Bool } from '../../../common/validation/atoms';
import { IdList, TextList } from '../../../common/validation/lists';
import { MAX_TAG_LENGTH, MAX_TAGS, Tags } from '../fields/tags';
import { ItemErrorResponse } from './bulk.dto';

const optional = true;

export class BulkChangeRequest {
  @IdList({ min: 1, max: 1000, of: 'link', description: 'Ids of those to change', example: [42, 43] })
  ids!: number[];

  @Bool({ description: 'Whether they answer', example: true, optional })
  enabled?: boolean | null;

  @Bool({ description: 'Whether lists leave them out', example: true, optional })
  archived?: boolean | null;

  @Tags({
    description: 'Tags to add; one with more than 20 tags after that fails',
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

class BulkChangeResult {
  @Field('Id', 42, INT64)
  id!: number;

  @Field('Result', 'ok', { enum: ['ok', 'failed'] })
  status!: 'ok' | 'failed';

  @Field('The error that a single change would get; null unless it failed', undefined, {
    type: ItemErrorResponse,
    nullable: true,
  })
  error!: ItemErrorResponse | null;
}

export class BulkChangeResponse {
  @Field('How many are now as requested', 1, INTEGER)
  ok!: number;

  @Field('How many failed', 0, INTEGER)
  failed!: number;

  @Field('One result per id, in the order of the request', undefined, listOf(BulkChangeResult))
  results!: BulkChangeResult[];
}
