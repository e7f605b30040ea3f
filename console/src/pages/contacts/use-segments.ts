import { api, PAGED } from '../../api/client';
import { useMay } from '../../api/may';

/** The first 100 segments, to choose from; none without the permission. */
export function useSegments() {
  const params = { query: { size: 100 } };
  const enabled = useMay('listOrganizationSegments');
  const list = api.useInfiniteQuery('get', '/segments', { params }, { ...PAGED, enabled });
  return list.data?.pages.flatMap(({ content }) => content) ?? [];
}
