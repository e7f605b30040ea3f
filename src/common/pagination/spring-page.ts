import { type Type } from '@nestjs/common';
import { INT64, INTEGER, Field } from '../http/api-field';
import type { PageQuery } from './page';

/** A Spring-style page, as lists of apps and of custom domains return it (docs/concepts/conventions.md#paged-lists). */
export class SpringPage<T> {
  content!: T[];

  @Field('Total items', 1, INT64)
  totalElements!: number;

  @Field('Total pages', 1, INTEGER)
  totalPages!: number;

  @Field('Page size', 20, INTEGER)
  size!: number;

  @Field('Current page, 0-based', 0, INTEGER)
  number!: number;

  @Field('Whether this is the first page', true)
  first!: boolean;

  @Field('Whether this is the last page', true)
  last!: boolean;

  static of<T>(content: T[], totalElements: number, { page, size }: PageQuery): SpringPage<T> {
    const totalPages = Math.ceil(totalElements / size);
    const first = page === 0;
    const last = page >= totalPages - 1;
    const fields = { content, totalElements, totalPages, size, number: page, first, last };
    return Object.assign(new SpringPage<T>(), fields);
  }
}

export function springPageOf<T>(item: Type<T>, name: string): Type<SpringPage<T>> {
  class SpringPageOfItem extends SpringPage<T> {
    @Field('Items on the page', undefined, { type: item, isArray: true })
    declare content: T[];
  }
  Object.defineProperty(SpringPageOfItem, 'name', { value: name });
  return SpringPageOfItem;
}
