import { useDebouncedValue } from '@mantine/hooks';
import { api } from '../../../api/client';
import { useMay } from '../../../api/may';

const SETTLED_MS = 500;
/** Maximum number of characters of a title. */
const LONGEST = 200;

/** The title of the destination's page; empty until it is known. */
export function useOwnTitle(url: string): string {
  const may = useMay('previewLink');
  const [settled] = useDebouncedValue(url.trim(), SETTLED_MS);
  const readable = may && /^https?:\/\//i.test(settled) && URL.parse(settled) !== null;
  const { data } = api.useQuery(
    'get',
    '/link-preview',
    { params: { query: { url: settled } } },
    { enabled: readable, staleTime: Infinity, retry: false },
  );
  return readable && settled === url.trim() ? (data?.title ?? '').trim().slice(0, LONGEST) : '';
}
