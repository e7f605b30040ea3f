import { ApiProperty } from '@nestjs/swagger';
import type { DomainError } from '../../../common/errors/domain-error';
import { FieldErrorResponse } from '../../../common/errors/error-response.dto';
import { UncheckedList } from '../../../common/validation/lists';
import { CreateLinkRequest } from '../links.dto';
import { ShortUrlResponse } from '../short-url.dto';

export class BulkCreateLinksRequest {
  @UncheckedList(() => CreateLinkRequest, {
    min: 1,
    max: 1000,
    description: 'What to make: each as in `POST /urls`, and each checked alone',
  })
  items!: unknown[];
}

/** Why one item of many was not made. */
export class ItemErrorResponse {
  @ApiProperty({ description: 'Stable code, as of the single call', example: 'ALIAS_TAKEN' })
  code!: string;

  @ApiProperty({ description: 'In words', example: 'The alias "spring" is already taken on this domain' })
  message!: string;

  @ApiProperty({
    type: FieldErrorResponse,
    isArray: true,
    description: 'The fields that are wrong; empty when it is not a matter of one',
  })
  details!: FieldErrorResponse[];
}

export class BulkLinkResult {
  @ApiProperty({ type: 'integer', description: 'Place of the item in the request, 0-based', example: 0 })
  index!: number;

  @ApiProperty({ enum: ['created', 'failed'], description: 'What became of it', example: 'created' })
  status!: 'created' | 'failed';

  @ApiProperty({ type: ShortUrlResponse, nullable: true, description: 'The short link; null when it failed' })
  url!: ShortUrlResponse | null;

  @ApiProperty({ type: ItemErrorResponse, nullable: true, description: 'Why not; null when it was created' })
  error!: ItemErrorResponse | null;
}

export class BulkCreateLinksResponse {
  @ApiProperty({ type: 'integer', description: 'Links made', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Items that came to nothing', example: 0 })
  failed!: number;

  @ApiProperty({ type: BulkLinkResult, isArray: true, description: 'One for each item, in order' })
  results!: BulkLinkResult[];
}

export function toItemError({ code, message, extras }: DomainError): ItemErrorResponse {
  return { code, message, details: extras.details ?? [] };
}

/** @param outcomes the short link, or why there is none, of each item */
export function toBulkResponse(
  outcomes: readonly (ShortUrlResponse | DomainError)[],
): BulkCreateLinksResponse {
  const results = outcomes.map((outcome, index): BulkLinkResult =>
    outcome instanceof Error
      ? { index, status: 'failed', url: null, error: toItemError(outcome) }
      : { index, status: 'created', url: outcome, error: null },
  );
  const created = results.filter(({ status }) => status === 'created').length;
  return { created, failed: results.length - created, results };
}
