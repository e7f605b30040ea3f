import { INTEGER, listOf, Field } from '../../../common/http/api-field';
import type { DomainError } from '../../../common/errors/domain-error';
import { FieldErrorResponse } from '../../../common/http/error-response.dto';
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
  @Field('Stable error code, as returned by the single call', 'ALIAS_TAKEN')
  code!: string;

  @Field('Error message', 'The alias "spring" is already taken on this domain')
  message!: string;

  @Field('The invalid fields; empty when the error concerns none', undefined, listOf(FieldErrorResponse))
  details!: FieldErrorResponse[];
}

export class BulkLinkResult {
  @Field('Index of the item in the request, from 0', 0, INTEGER)
  index!: number;

  @Field('Result; `found` with `findIfExists` only', 'created', { enum: ['created', 'found', 'failed'] })
  status!: 'created' | 'found' | 'failed';

  @Field('The short link; null if the item failed', undefined, { type: ShortUrlResponse, nullable: true })
  url!: ShortUrlResponse | null;

  @Field('The error; null unless the item failed', undefined, { type: ItemErrorResponse, nullable: true })
  error!: ItemErrorResponse | null;
}

export class BulkCreateLinksResponse {
  @Field('Links created', 1, INTEGER)
  created!: number;

  @Field('Links that existed, with `findIfExists`', 0, INTEGER)
  found!: number;

  @Field('Items that failed', 0, INTEGER)
  failed!: number;

  @Field('One result per item, in order', undefined, listOf(BulkLinkResult))
  results!: BulkLinkResult[];
}

export function toItemError({ code, message, extras }: DomainError): ItemErrorResponse {
  return { code, message, details: extras.details ?? [] };
}

/** @param outcomes for each item the new link, the existing one, or the error */
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
