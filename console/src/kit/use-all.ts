import { useEffect, useMemo } from 'react';
import { api, PAGED, type Schemas } from '../api/client';
import { isApiError, isPassing } from '../api/errors';
import { common } from '../texts/common';
import { textOf } from '../texts/texts';
import { errorText, showProblem } from './toasts';

const PAGES = { params: { query: { size: 100 } } };

/** A list by `api.useInfiniteQuery`. */
interface Pages<Item> {
  data: { pages: readonly { content: Item[] }[] } | undefined;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** The items of a list whose pages are all loaded, one after another. */
export function useAll<Item>(list: Pages<Item>): Item[] {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  useMissing(error);
  const isMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isMore) void fetchNextPage();
  }, [isMore, fetchNextPage]);
  return useMemo(() => data?.pages.flatMap(({ content }) => content) ?? [], [data]);
}

/** Says that choices of a form or filter are missing because their list could not be loaded. */
export function useMissing(error: unknown): void {
  useEffect(() => {
    if (!error || isPassing(error)) return;
    // The page itself reports a refusal, or does not offer the field.
    if (isApiError(error) && error.status === 403) return;
    showProblem(textOf(common, 'missing', { error: errorText(error) }));
  }, [error]);
}

export function useAllApps(): Schemas['AppResponse'][] {
  return useAll(api.useInfiniteQuery('get', '/mobile-apps', PAGES, PAGED));
}

/** @param enabled false for callers who may not list users; the list is empty then */
export function useAllUsers(enabled = true): Schemas['UserResponse'][] {
  return useAll(api.useInfiniteQuery('get', '/users', PAGES, { ...PAGED, enabled }));
}
