import { useEffect, useMemo } from 'react';
import { api, PAGED, type Schemas } from './client';

const PAGES = { params: { query: { size: 100 } } };

/** A list by `api.useInfiniteQuery`. */
interface Pages<Item> {
  data: { pages: readonly { content: Item[] }[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** The items of a list whose pages are all loaded, one after another. */
export function useAll<Item>(list: Pages<Item>): Item[] {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const isMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isMore) void fetchNextPage();
  }, [isMore, fetchNextPage]);
  return useMemo(() => data?.pages.flatMap(({ content }) => content) ?? [], [data]);
}

export function useAllApps(): Schemas['AppResponse'][] {
  return useAll(api.useInfiniteQuery('get', '/mobile-apps', PAGES, PAGED));
}

/** @param enabled false for callers who may not list users; the list is empty then */
export function useAllUsers(enabled = true): Schemas['UserResponse'][] {
  return useAll(api.useInfiniteQuery('get', '/users', PAGES, { ...PAGED, enabled }));
}
