import { api, PAGED, type Schemas } from '../../api/client';
import { useAll } from '../../kit/use-all';

export type ContactGroup = Schemas['GroupResponse'];

export function useGroups(): ContactGroup[] {
  return useAll(
    api.useInfiniteQuery('get', '/messaging/groups', { params: { query: { size: 100 } } }, PAGED),
  );
}
