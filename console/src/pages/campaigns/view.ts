import type { paths } from '../../api/schema.gen';
import { listOrganizationCampaigns_archived, listOrganizationCampaigns_health } from '../../api/values.gen';
import { endOfDay, isDay, startOfDay } from '../../kit/local-time';
import { isBoolean, isId, oneOf, sortedBy } from '../../kit/view';

type ListQuery = NonNullable<paths['/campaigns']['get']['parameters']['query']>;

/** State of the list in the URL, named as the API's parameters; `createdAfter` and the like are days. */
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

/** Checks of the query parameters. */
export const ALLOWED = {
  enabled: isBoolean,
  archived: oneOf('true', 'all'),
  expired: isBoolean,
  health: oneOf(...listOrganizationCampaigns_health),
  customDomainId: (value: string) => value === 'default' || isId(value),
  appId: isId,
  createdBy: isId,
  createdAfter: isDay,
  createdBefore: isDay,
  expiresAfter: isDay,
  expiresBefore: isDay,
  sort: sortedBy('createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias', 'name'),
};

export type ListView = typeof LIST_VIEW;
type Filter = Exclude<keyof ListView, 'sort' | 'search'>;
export type ChangeView = (change: Partial<ListView>) => void;

export const NO_FILTERS: Partial<ListView> = Object.fromEntries(
  Object.entries(LIST_VIEW).filter(([key]) => key !== 'sort'),
);

/** Filters behind the button "Filters"; the search field is separate. */
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
    ...timeOf('createdAfter', startOfDay(view.createdAfter)),
    ...timeOf('createdBefore', endOfDay(view.createdBefore)),
    ...timeOf('expiresAfter', startOfDay(view.expiresAfter)),
    ...timeOf('expiresBefore', endOfDay(view.expiresBefore)),
  };
}

function idOf<Key extends string>(key: Key, value: string): Partial<Record<Key, number>> {
  return /^[1-9]\d*$/.test(value) ? ({ [key]: Number(value) } as Record<Key, number>) : {};
}

function timeOf<Key extends string>(key: Key, time: string | undefined): Partial<Record<Key, string>> {
  return time === undefined ? {} : ({ [key]: time } as Record<Key, string>);
}
