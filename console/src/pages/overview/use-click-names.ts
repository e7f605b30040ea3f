import { useMemo } from 'react';
import { api } from '../../api/client';
import { dayIn } from '../../plots/range';
import type { ClickAnalytics } from '../../plots/types';
import type { LiveClick } from './use-live-clicks';

/** The most that the API gives. */
const GROUPS = 100;
const REFRESH_MS = 60_000;
const UNKNOWN_REFRESH_MS = 3_000;

type Names = ReadonlyMap<string, string>;

export interface ClickNames {
  readonly links: Names;
  readonly campaigns: Names;
}

/**
 * Names of links and campaigns by id: those with the most clicks today, in two calls however many clicks come; others have
 * only their id.
 */
export function useClickNames(clicks: readonly LiveClick[]): ClickNames {
  const links = useNames(
    'link',
    clicks.map(({ urlId }) => urlId),
  );
  const campaigns = useNames(
    'campaign',
    clicks.map(({ campaignId }) => campaignId),
  );
  return { links, campaigns };
}

function useNames(groupBy: 'link' | 'campaign', ids: readonly (number | null)[]): Names {
  const { timeZone } = api.useSuspenseQuery('get', '/').data;
  const today = dayIn(timeZone, new Date());
  const given = ids.some((id) => id !== null);
  const { data } = api.useQuery(
    'get',
    '/analytics/clicks',
    { params: { query: { startDate: today, endDate: today, groupBy, limit: GROUPS } } },
    {
      enabled: given,
      refetchInterval: ({ state }) => (knowsAll(state.data, ids) ? REFRESH_MS : UNKNOWN_REFRESH_MS),
    },
  );
  const groups = data?.groups;
  return useMemo(() => new Map((groups ?? []).map(({ key, name }) => [key, name])), [groups]);
}

/** Whether each has a name, or there are too many to have one. */
function knowsAll(data: ClickAnalytics | undefined, ids: readonly (number | null)[]): boolean {
  if (!data) return false;
  const known = new Set(data.groups.map(({ key }) => key));
  return data.groups.length > GROUPS || ids.every((id) => id === null || known.has(String(id)));
}
