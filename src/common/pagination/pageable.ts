import { INT64, INTEGER, Field } from '../http/api-field';
import { atom, type AtomOptions, textProblem } from '../validation/atom';
import type { PageQuery } from './page';

class SortState {
  @Field('Whether the list is sorted', true)
  sorted!: boolean;

  @Field('Whether the list is unsorted', false)
  unsorted!: boolean;

  @Field('Whether there are no sort criteria', false)
  empty!: boolean;
}

/** The requested page, as part of a Spring-style page (docs/concepts/conventions.md#paged-lists). */
export class Pageable {
  @Field('Requested page, 0-based', 0, INTEGER)
  pageNumber!: number;

  @Field('Requested page size', 20, INTEGER)
  pageSize!: number;

  @Field('Items before the page', 0, INT64)
  offset!: number;

  @Field('Sort order of the items', undefined, { type: SortState })
  sort!: SortState;

  @Field('Whether the response is a page of a list', true)
  paged!: boolean;

  @Field('Whether the response is the whole list', false)
  unpaged!: boolean;
}

/** The `Pageable` of a query, paged and sorted as every list of the service is. */
export function pageableOf({ page, size }: PageQuery): Pageable {
  const sort = { sorted: true, unsorted: false, empty: false };
  return { pageNumber: page, pageSize: size, offset: page * size, sort, paged: true, unpaged: false };
}

const SORT = /^([A-Za-z]+)(?:,(asc|desc))?$/i;

/** A sort parameter `field,direction` with one of these fields; the direction defaults to `asc`. */
export function SortBy(fields: readonly string[], options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    const problem = textProblem(value);
    if (problem) return problem;
    const [, field = ''] = SORT.exec(value as string) ?? [];
    return fields.includes(field)
      ? null
      : `must be <field>,asc or <field>,desc with one of ${fields.join(', ')}`;
  };
  return atom('sortBy', check, { type: String, maxLength: 50 }, options);
}

/** Splits a value that `SortBy` has validated. */
export function parseSort(sort: string): [field: string, direction: 'ASC' | 'DESC'] {
  const [, field = '', direction] = SORT.exec(sort) ?? [];
  return [field, direction?.toLowerCase() === 'desc' ? 'DESC' : 'ASC'];
}
