import { ApiProperty } from '@nestjs/swagger';
import { atom, type AtomOptions, textProblem } from '../validation/atom';
import type { PageQuery } from './page';

class SortState {
  @ApiProperty({ description: 'Whether the list is sorted', example: true })
  sorted!: boolean;

  @ApiProperty({ description: 'Whether the list is unsorted', example: false })
  unsorted!: boolean;

  @ApiProperty({ description: 'Whether there are no sort criteria', example: false })
  empty!: boolean;
}

/** The requested page, which a Spring-style page repeats (docs/concepts/conventions.md#paged-lists). */
export class Pageable {
  @ApiProperty({ type: 'integer', description: 'Requested page, 0-based', example: 0 })
  pageNumber!: number;

  @ApiProperty({ type: 'integer', description: 'Requested page size', example: 20 })
  pageSize!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Items before the page', example: 0 })
  offset!: number;

  @ApiProperty({ type: SortState, description: 'Sort order of the items' })
  sort!: SortState;

  @ApiProperty({ description: 'Whether the response is a page of a list', example: true })
  paged!: boolean;

  @ApiProperty({ description: 'Whether the response is the whole list', example: false })
  unpaged!: boolean;
}

/** Every list of the service is paged and sorted. */
export function pageableOf({ page, size }: PageQuery): Pageable {
  const sort = { sorted: true, unsorted: false, empty: false };
  return { pageNumber: page, pageSize: size, offset: page * size, sort, paged: true, unpaged: false };
}

const SORT = /^([A-Za-z]+)(?:,(asc|desc))?$/i;

/** A sort parameter `field,direction`, limited to these fields; the direction defaults to `asc`. */
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

/** Splits a value validated by `SortBy`. */
export function parseSort(sort: string): [field: string, direction: 'ASC' | 'DESC'] {
  const [, field = '', direction] = SORT.exec(sort) ?? [];
  return [field, direction?.toLowerCase() === 'desc' ? 'DESC' : 'ASC'];
}
