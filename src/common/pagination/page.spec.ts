import { Page, pageOf } from './page';
import { SpringPage, springPageOf } from './spring-page';

describe.each([
  { page: 0, size: 20, total: 0, totalPages: 0, first: true, last: true },
  { page: 0, size: 20, total: 20, totalPages: 1, first: true, last: true },
  { page: 0, size: 20, total: 21, totalPages: 2, first: true, last: false },
  { page: 1, size: 20, total: 21, totalPages: 2, first: false, last: true },
  { page: 1, size: 10, total: 100, totalPages: 10, first: false, last: false },
  { page: 9, size: 20, total: 21, totalPages: 2, first: false, last: true },
])('page $page of $total items by $size', ({ page, size, total, totalPages, first, last }) => {
  it('is the paging wrapper of docs/concepts/conventions.md#paged-lists', () => {
    const content = ['item'];
    expect(Page.of(content, total, { page, size })).toEqual({
      content,
      page,
      size,
      totalElements: total,
      totalPages,
      first,
      last,
    });
  });

  it('is the Spring-style page of the app and domain lists', () => {
    const content = ['item'];
    expect(SpringPage.of(content, total, { page, size })).toEqual({
      content,
      totalElements: total,
      totalPages,
      size,
      number: page,
      first,
      last,
    });
  });
});

it('gives the classes of the OpenAPI document the requested names', () => {
  class Item {}
  expect(pageOf(Item, 'ItemPage').name).toBe('ItemPage');
  expect(springPageOf(Item, 'ItemSpringPage').name).toBe('ItemSpringPage');
});
