import { api } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { OTHER } from '../filters';
import { valueName } from '../names';
import { plotTexts } from '../texts';
import type { Dimension, Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';
import { MOST_GROUPS, type Scope, useClicks } from './click-query';

/** Dimensions whose values are ids or names of the organization's resources. */
export const NAMED: readonly Dimension[] = ['link', 'campaign', 'domain', 'app'];
/** Maximum number of search results. */
const FOUND = 20;

interface Asked {
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
  dimension: Dimension;
  search: string;
}

interface Value {
  key: string;
  name: string;
}

/** Values of a dimension in the clicks of the range, and search results among the organization's resources. */
export function useValues({ dimension, search, ...page }: Asked): Value[] {
  const p = useTexts(plotTexts);
  const params = { query: { size: FOUND, ...(search !== '' && { search }) } };
  const only = (of: Dimension) => ({ enabled: dimension === of });
  const links = api.useQuery('get', '/urls', { params }, only('link'));
  const campaigns = api.useQuery('get', '/campaigns', { params }, only('campaign'));
  const apps = api.useQuery('get', '/mobile-apps', { params }, only('app'));
  const domains = api.useQuery('get', '/custom-domains', { params }, only('domain'));
  const found: Partial<Record<Dimension, Value[] | undefined>> = {
    link: links.data?.content.map(({ id, title, link }) => ({
      key: String(id),
      name: title ?? link.replace(/^https?:\/\//, ''),
    })),
    campaign: campaigns.data?.content.map(({ id, name }) => ({ key: String(id), name })),
    app: apps.data?.content.map(({ id, appName }) => ({ key: String(id), name: appName })),
    domain: domains.data?.content.map(({ domainName }) => ({ key: domainName, name: domainName })),
  };
  const clicked = useClicks({
    ...page,
    groupBy: dimension,
    limit: MOST_GROUPS,
    compare: false,
    enabled: dimension !== 'link' && dimension !== 'campaign',
  });
  const groups = clicked.data?.groupBy === dimension ? clicked.data.groups : [];
  const values = groups
    .filter(({ key }) => key !== OTHER)
    .map(({ key, name }) => ({ key, name: valueName(dimension, key, name, p) }));
  const known = new Set(values.map(({ key }) => key));
  return [...values, ...(found[dimension] ?? []).filter(({ key }) => !known.has(key))];
}
