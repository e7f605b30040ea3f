import { useThrottledValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { client } from '../../api/client';
import { isApiError } from '../../api/errors';
import { unwrap } from '../../kit/form';
import { addressOf, nameOf } from './link';

/** Name and short URL of a link or campaign; null if it has been deleted. */
export interface Target {
  readonly name: string;
  readonly address: string;
}

interface Targeted {
  readonly urlId: number | null;
  readonly campaignId: number | null;
}

/** Minimum time between rounds of calls, however fast clicks arrive. */
const ROUND_MS = 2_000;
const TEN_MINUTES = 600_000;

/** Links and campaigns by id; undefined until loaded. */
export function useTargets(clicks: readonly Targeted[]): (click: Targeted) => Target | null | undefined {
  const wanted = useThrottledValue([...new Set(clicks.map(keyOf))].join(' '), ROUND_MS);
  const keys = wanted === '' ? [] : wanted.split(' ');
  const found = useQueries({
    queries: keys.map((key) => ({
      queryKey: ['target', key],
      queryFn: () => read(key),
      staleTime: TEN_MINUTES,
    })),
  });
  const targets = new Map(
    keys.map((key, at) => {
      const { data, error } = found[at] ?? {};
      return [key, data ?? (isApiError(error) ? null : undefined)];
    }),
  );
  return (click) => targets.get(keyOf(click));
}

function keyOf({ urlId, campaignId }: Targeted): string {
  return urlId === null ? `campaign/${campaignId}` : `link/${urlId}`;
}

async function read(key: string): Promise<Target> {
  const [kind, id] = key.split('/');
  const init = { params: { path: { id: Number(id) } } };
  if (kind === 'campaign') {
    const { name, link } = await unwrap(client.GET('/campaigns/{id}', init));
    return { name, address: addressOf({ link }) };
  }
  const link = await unwrap(client.GET('/urls/{id}', init));
  return { name: nameOf(link), address: addressOf(link) };
}
