import { api, PAGED } from '../../api/client';
import { useMay } from '../../api/may';

/** Segments to choose from: the first 100; none without the permission. */
export function useSegments() {
  const params = { query: { size: 100 } };
  const enabled = useMay('listConsoleSegments');
  const list = api.useInfiniteQuery('get', '/segments', { params }, { ...PAGED, enabled });
  return list.data?.pages.flatMap(({ content }) => content) ?? [];
}
