import { INTEGER, listOf, Field } from '../../../common/http/api-field';
import type { DomainError } from '../../../common/errors/domain-error';
import { FieldErrorResponse } from '../../../common/http/error-response.dto';

export class ItemErrorResponse {
  @Field('Stable error code, as returned by the single call', 'ALIAS_TAKEN')
  code!: string;

  @Field('Error message', 'The alias "spring" is already taken on this domain')
  message!: string;

  @Field('The invalid fields; empty when the error concerns none', undefined, listOf(FieldErrorResponse))
  details!: FieldErrorResponse[];
}

/** The result of an item; subclasses add what was created or found. */
export class BulkItemResult {
  @Field('Index of the item in the request, from 0', 0, INTEGER)
  index!: number;

  @Field('Result; `found` with `findIfExists` only', 'created', { enum: ['created', 'found', 'failed'] })
  status!: 'created' | 'found' | 'failed';

  @Field('The error; null unless the item failed', undefined, { type: ItemErrorResponse, nullable: true })
  error!: ItemErrorResponse | null;
}

/** The counts of a bulk creation; subclasses add the results. */
export class BulkCounts {
  @Field('Items created', 1, INTEGER)
  created!: number;

  @Field('Items that existed, with `findIfExists`', 0, INTEGER)
  found!: number;

  @Field('Items that failed', 0, INTEGER)
  failed!: number;
}

export function toItemError({ code, message, extras }: DomainError): ItemErrorResponse {
  return { code, message, details: extras.details ?? [] };
}

/**
 * @param outcomes for each item the new one, the existing one, or the error
 * @param name field of a result with what was created or found
 */
export function toBulkResponse<N extends string, R extends object>(
  outcomes: readonly (R | { found: R } | DomainError)[],
  name: N,
): BulkCounts & { results: (BulkItemResult & Record<N, R | null>)[] } {
  const results = outcomes.map((outcome, index) => {
    if (outcome instanceof Error) return result(index, 'failed', null, toItemError(outcome));
    return 'found' in outcome ? result(index, 'found', outcome.found) : result(index, 'created', outcome);
  });
  function result(
    index: number,
    status: BulkItemResult['status'],
    item: R | null,
    error: ItemErrorResponse | null = null,
  ) {
    return { index, status, ...({ [name]: item } as Record<N, R | null>), error };
  }
  const countOf = (wanted: BulkItemResult['status']) =>
    results.filter(({ status }) => status === wanted).length;
  return { created: countOf('created'), found: countOf('found'), failed: countOf('failed'), results };
}
