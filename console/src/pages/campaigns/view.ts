import type { paths } from '../../api/schema.gen';
import { listOrganizationCampaigns_archived, listOrganizationCampaigns_health } from '../../api/values.gen';

type ListQuery = NonNullable<paths['/campaigns']['get']['parameters']['query']>;

/** What the address of the list says, by the names of the API's parameters; `createdAfter` and the like are days. */
export const LIST_VIEW = {
  search: '',
  enabled: '',
  archived: '',
  expired: '',
  health: '',
  customDomainId: '',
  appId: '',
  utmCampaign: '',
  createdBy: '',
  createdAfter: '',
  createdBefore: '',
  expiresAfter: '',
  expiresBefore: '',
  sort: 'createdAt,desc',
};

export type ListView = typeof LIST_VIEW;
type Filter = Exclude<keyof ListView, 'sort' | 'search'>;
export type ChangeView = (change: Partial<ListView>) => void;

export const NO_FILTERS: Partial<ListView> = Object.fromEntries(
  Object.entries(LIST_VIEW).filter(([key]) => key !== 'sort'),
);

/** Filters that stand behind the button "Filters"; the search field has its own place. */
export function filtersOf(view: ListView): Filter[] {
  return (Object.keys(NO_FILTERS) as (keyof ListView)[]).filter(
    (key): key is Filter => key !== 'sort' && key !== 'search' && view[key] !== '',
  );
}

export function listQuery(view: ListView): ListQuery {
  const archived = listOrganizationCampaigns_archived.find((value) => value === view.archived);
  const health = listOrganizationCampaigns_health.find((value) => value === view.health);
  return {
    sort: view.sort,
    ...(view.search && { search: view.search }),
    ...(view.customDomainId && { customDomainId: view.customDomainId }),
    ...(view.utmCampaign && { utmCampaign: view.utmCampaign }),
    ...(view.enabled && { enabled: view.enabled === 'true' }),
    ...(view.expired && { expired: view.expired === 'true' }),
    ...(archived && { archived }),
    ...(health && { health }),
    ...idOf('appId', view.appId),
    ...idOf('createdBy', view.createdBy),
    ...timeOf('createdAfter', view.createdAfter, '00:00:00'),
    ...timeOf('createdBefore', view.createdBefore, '23:59:59.999'),
    ...timeOf('expiresAfter', view.expiresAfter, '00:00:00'),
    ...timeOf('expiresBefore', view.expiresBefore, '23:59:59.999'),
  };
}

function idOf<Key extends string>(key: Key, value: string): Partial<Record<Key, number>> {
  return /^[1-9]\d*$/.test(value) ? ({ [key]: Number(value) } as Record<Key, number>) : {};
}

/** Days are those of the browser's time zone, in which the list shows times. */
function timeOf<Key extends string>(key: Key, day: string, time: string): Partial<Record<Key, string>> {
  const at = new Date(`${day}T${time}`);
  return Number.isNaN(at.getTime()) ? {} : ({ [key]: at.toISOString() } as Record<Key, string>);
}
