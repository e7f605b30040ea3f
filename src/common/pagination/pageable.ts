import { ApiProperty } from '@nestjs/swagger';
import { atom, type AtomOptions, textProblem } from '../validation/atom';
import type { PageQuery } from './page';

class SortState {
  @ApiProperty({ description: 'Whether there is an order', example: true })
  sorted!: boolean;

  @ApiProperty({ description: 'Whether there is none', example: false })
  unsorted!: boolean;

  @ApiProperty({ description: 'Whether there is none', example: false })
  empty!: boolean;
}

/** What was asked for, as a Spring-style page repeats it (docs/concepts/conventions.md#paged-lists). */
export class Pageable {
  @ApiProperty({ type: 'integer', description: 'Page that was asked for, 0-based', example: 0 })
  pageNumber!: number;

  @ApiProperty({ type: 'integer', description: 'Page size that was asked for', example: 20 })
  pageSize!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Items before the page', example: 0 })
  offset!: number;

  @ApiProperty({ type: SortState, description: 'Whether the items are in an order' })
  sort!: SortState;

  @ApiProperty({ description: 'Whether the answer is one page of a list', example: true })
  paged!: boolean;

  @ApiProperty({ description: 'Whether the answer is the whole list', example: false })
  unpaged!: boolean;
}

/** Every list of the service is paged and in an order. */
export function pageableOf({ page, size }: PageQuery): Pageable {
  const sort = { sorted: true, unsorted: false, empty: false };
  return { pageNumber: page, pageSize: size, offset: page * size, sort, paged: true, unpaged: false };
}

const SORT = /^([A-Za-z]+)(?:,(asc|desc))?$/i;

/** `field,direction` over some fields; the direction may be left out, and is `asc` then, as with Spring. */
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

/** The parts of what `SortBy` has checked. */
export function parseSort(sort: string): [field: string, direction: 'ASC' | 'DESC'] {
  const [, field = '', direction] = SORT.exec(sort) ?? [];
  return [field, direction?.toLowerCase() === 'desc' ? 'DESC' : 'ASC'];
}
