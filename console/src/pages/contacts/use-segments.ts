import { api } from '../../api/client';
import { useMay } from '../../api/may';

/** Segments to choose from: the first 100 by name; none without the permission. */
export function useSegments() {
  const query = { size: 100 };
  const list = api.useQuery(
    'get',
    '/segments',
    { params: { query } },
    { enabled: useMay('listOrganizationSegments') },
  );
  return list.data?.content ?? [];
}
