import { useQueries } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { nameOf } from '../links/link';
import { type Choice, useApps } from '../links/use-choices';

export type Filters = Pick<Schemas['WebhookResponse'], 'links' | 'campaigns' | 'tags' | 'apps'>;

/** What an endpoint filters by, with its name; with its number until that is loaded, or if it has been deleted. */
export function useFilterNames({
  links,
  campaigns,
  apps,
}: Filters): Record<'links' | 'campaigns' | 'apps', Choice[]> {
  const linkOf = useQueries({
    queries: links.map((id) => api.queryOptions('get', '/urls/{id}', { params: { path: { id } } })),
  });
  const campaignOf = useQueries({
    queries: campaigns.map((id) => api.queryOptions('get', '/campaigns/{id}', { params: { path: { id } } })),
  });
  const known = useApps();
  const choice = (id: number, name: string | undefined) => ({ value: String(id), label: name ?? `#${id}` });
  return {
    links: links.map((id, i) => {
      const link = linkOf[i]?.data;
      return choice(id, link && nameOf(link));
    }),
    campaigns: campaigns.map((id, i) => choice(id, campaignOf[i]?.data?.name)),
    apps: apps.map((id) => choice(id, known.find(({ value }) => value === String(id))?.label)),
  };
}
