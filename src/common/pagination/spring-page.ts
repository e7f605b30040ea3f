import { type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from './page';

/**
 * The Spring-style page that the app list and the custom-domain list return (docs/concepts/conventions.md#paged-lists).
 */
export class SpringPage<T> {
  content!: T[];

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Total items', example: 1 })
  totalElements!: number;

  @ApiProperty({ type: 'integer', description: 'Total pages', example: 1 })
  totalPages!: number;

  @ApiProperty({ type: 'integer', description: 'Page size', example: 20 })
  size!: number;

  @ApiProperty({ type: 'integer', description: 'Current page, 0-based', example: 0 })
  number!: number;

  @ApiProperty({ description: 'Whether this is the first page', example: true })
  first!: boolean;

  @ApiProperty({ description: 'Whether this is the last page', example: true })
  last!: boolean;

  static of<T>(content: T[], totalElements: number, { page, size }: PageQuery): SpringPage<T> {
    const totalPages = Math.ceil(totalElements / size);
    const first = page === 0;
    const last = page >= totalPages - 1;
    const fields = { content, totalElements, totalPages, size, number: page, first, last };
    return Object.assign(new SpringPage<T>(), fields);
  }
}

/** An OpenAPI class: the Spring-style page of a response class. */
export function springPageOf<T>(item: Type<T>, name: string): Type<SpringPage<T>> {
  class SpringPageOfItem extends SpringPage<T> {
    @ApiProperty({ type: item, isArray: true, description: 'Items on the page' })
    declare content: T[];
  }
  Object.defineProperty(SpringPageOfItem, 'name', { value: name });
  return SpringPageOfItem;
}
