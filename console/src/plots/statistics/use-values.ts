import { api } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { OTHER } from '../filters';
import { valueName } from '../names';
import { plotTexts } from '../texts';
import type { Dimension, Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';
import { MOST_GROUPS, type Scope, useClicks } from './click-query';

/** Dimensions whose values are ids or names of what the organization has. */
export const NAMED: readonly Dimension[] = ['link', 'campaign', 'domain', 'app'];
/** What a search gives at most. */
const FOUND = 20;

interface Asked {
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
  dimension: Dimension;
  search: string;
}

/** Values of a dimension that clicks of the range have; links and campaigns are searched among all. */
export function useValues({ dimension, search, ...page }: Asked): { key: string; name: string }[] {
  const p = useTexts(plotTexts);
  const query = { size: FOUND, ...(search !== '' && { search }) };
  const links = api.useQuery('get', '/urls', { params: { query } }, { enabled: dimension === 'link' });
  const campaigns = api.useQuery(
    'get',
    '/campaigns',
    { params: { query } },
    { enabled: dimension === 'campaign' },
  );
  const searched = dimension === 'link' || dimension === 'campaign';
  const groups = useClicks({
    ...page,
    groupBy: dimension,
    limit: MOST_GROUPS,
    compare: false,
    enabled: !searched,
  });
  if (dimension === 'link') {
    return (links.data?.content ?? []).map(({ id, title, link }) => ({
      key: String(id),
      name: title ?? link.replace(/^https?:\/\//, ''),
    }));
  }
  if (dimension === 'campaign') {
    return (campaigns.data?.content ?? []).map(({ id, name }) => ({ key: String(id), name }));
  }
  if (groups.data?.groupBy !== dimension) return [];
  return groups.data.groups
    .filter(({ key }) => key !== OTHER)
    .map(({ key, name }) => ({ key, name: valueName(dimension, key, name, p) }));
}
