import { Field, listOf } from '../../common/http/api-field';
import { UncheckedList } from '../../common/validation/lists';
import { BulkCounts, BulkItemResult } from '../tracked-links/bulk/bulk.dto';
import { CreateLinkRequest } from './links.dto';
import { ShortUrlResponse } from './short-url.dto';

export class BulkCreateLinksRequest {
  @UncheckedList(() => CreateLinkRequest, {
    min: 1,
    max: 1000,
    description: 'Links to create: each as in `POST /urls`, and each validated individually',
  })
  items!: unknown[];
}

export class BulkLinkResult extends BulkItemResult {
  @Field('The short link; null if the item failed', undefined, { type: ShortUrlResponse, nullable: true })
  url!: ShortUrlResponse | null;
}

export class BulkCreateLinksResponse extends BulkCounts {
  @Field('One result per item, in order', undefined, listOf(BulkLinkResult))
  results!: BulkLinkResult[];
}
