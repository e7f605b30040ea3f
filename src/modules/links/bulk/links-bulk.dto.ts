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
    description: 'Links to create: each as in `POST /urls`, and each validated individually',
  })
  items!: unknown[];
}

export class ItemErrorResponse {
  @ApiProperty({ description: 'Stable error code, as returned by the single call', example: 'ALIAS_TAKEN' })
  code!: string;

  @ApiProperty({
    description: 'Error message',
    example: 'The alias "spring" is already taken on this domain',
  })
  message!: string;

  @ApiProperty({
    type: FieldErrorResponse,
    isArray: true,
    description: 'The invalid fields; empty when the error concerns none',
  })
  details!: FieldErrorResponse[];
}

export class BulkLinkResult {
  @ApiProperty({ type: 'integer', description: 'Index of the item in the request, from 0', example: 0 })
  index!: number;

  @ApiProperty({
    enum: ['created', 'found', 'failed'],
    description: 'Result; `found` with `findIfExists` only',
    example: 'created',
  })
  status!: 'created' | 'found' | 'failed';

  @ApiProperty({
    type: ShortUrlResponse,
    nullable: true,
    description: 'The short link; null if the item failed',
  })
  url!: ShortUrlResponse | null;

  @ApiProperty({
    type: ItemErrorResponse,
    nullable: true,
    description: 'The error; null unless the item failed',
  })
  error!: ItemErrorResponse | null;
}

export class BulkCreateLinksResponse {
  @ApiProperty({ type: 'integer', description: 'Links created', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Links that existed, with `findIfExists`', example: 0 })
  found!: number;

  @ApiProperty({ type: 'integer', description: 'Items that failed', example: 0 })
  failed!: number;

  @ApiProperty({ type: BulkLinkResult, isArray: true, description: 'One result per item, in order' })
  results!: BulkLinkResult[];
}

export function toItemError({ code, message, extras }: DomainError): ItemErrorResponse {
  return { code, message, details: extras.details ?? [] };
}

/** @param outcomes for each item the short link, the existing one, or the error */
export function toBulkResponse(
  outcomes: readonly (ShortUrlResponse | { found: ShortUrlResponse } | DomainError)[],
): BulkCreateLinksResponse {
  const results = outcomes.map((outcome, index): BulkLinkResult => {
    if (outcome instanceof Error) return { index, status: 'failed', url: null, error: toItemError(outcome) };
    if ('found' in outcome) return { index, status: 'found', url: outcome.found, error: null };
    return { index, status: 'created', url: outcome, error: null };
  });
  const countOf = (wanted: BulkLinkResult['status']) =>
    results.filter(({ status }) => status === wanted).length;
  return { created: countOf('created'), found: countOf('found'), failed: countOf('failed'), results };
}
