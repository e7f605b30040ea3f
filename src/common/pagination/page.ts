import { type Type } from '@nestjs/common';
import { INT64, INTEGER, Field } from '../http/api-field';
import { QueryInt } from '../validation/atoms';
import { OnlyKnownNames } from '../validation/known-names';

/** Query of a paged list: page from 0, 1 to 100 items per page (docs/concepts/conventions.md#paged-lists). */
@OnlyKnownNames()
export class PageQuery {
  @QueryInt({ min: 0, max: 10_000_000, default: 0, description: 'Page, 0-based', example: 0 })
  page: number = 0;

  @QueryInt({ min: 1, max: 100, default: 20, description: 'Items per page', example: 20 })
  size: number = 20;
}

/** A page of a list (docs/concepts/conventions.md#paged-lists). */
export class Page<T> {
  content!: T[];

  @Field('Current page, 0-based', 0, INTEGER)
  page!: number;

  @Field('Page size', 20, INTEGER)
  size!: number;

  @Field('Total items', 1, INT64)
  totalElements!: number;

  @Field('Total pages', 1, INTEGER)
  totalPages!: number;

  @Field('Whether this is the first page', true)
  first!: boolean;

  @Field('Whether this is the last page', true)
  last!: boolean;

  static of<T>(content: T[], totalElements: number, { page, size }: PageQuery): Page<T> {
    const totalPages = Math.ceil(totalElements / size);
    const first = page === 0;
    const last = page >= totalPages - 1;
    return Object.assign(new Page<T>(), { content, page, size, totalElements, totalPages, first, last });
  }
}

export function pageOf<T>(item: Type<T>, name: string): Type<Page<T>> {
  class PageOfItem extends Page<T> {
    @Field('Items on the page', undefined, { type: item, isArray: true })
    declare content: T[];
  }
  Object.defineProperty(PageOfItem, 'name', { value: name });
  return PageOfItem;
}
