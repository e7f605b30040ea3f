import { api, PAGED } from '../../api/client';
import { useMay } from '../../api/may';
import { useAll } from '../../kit/use-all';

/** Segments to choose from; none without the permission. */
export function useSegments() {
  const params = { query: { size: 100 } };
  const enabled = useMay('listOrganizationSegments');
  return useAll(api.useInfiniteQuery('get', '/segments', { params }, { ...PAGED, enabled }));
}
