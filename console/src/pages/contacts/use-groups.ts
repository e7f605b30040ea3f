import { useEffect } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';

export type ContactGroup = Schemas['GroupResponse'];

export function useGroups(): ContactGroup[] {
  const list = api.useInfiniteQuery('get', '/messaging/groups', { params: { query: { size: 100 } } }, PAGED);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return list.data?.pages.flatMap(({ content }) => content) ?? [];
}
