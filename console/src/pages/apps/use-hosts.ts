import { api } from '../../api/client';

export function useHosts(id: number): readonly string[] {
  const files = api.useQuery('get', '/mobile-apps/{id}/associations', { params: { path: { id } } });
  return files.data?.hosts.map(({ host }) => host) ?? [];
}
