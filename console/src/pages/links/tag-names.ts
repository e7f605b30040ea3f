import { api } from '../../api/client';

const NONE: string[] = [];
const MANY = 1000;

/** Tags of the organization's links, to choose from. */
export function useTagNames(): string[] {
  const { data } = api.useQuery('get', '/tags', { params: { query: { limit: MANY } } });
  return data?.tags.map(({ tag }) => tag) ?? NONE;
}
