import type { paths } from '../../api/schema.gen';
import { listOrganizationShortUrls_archived, listOrganizationShortUrls_health } from '../../api/values.gen';
import { endOfDay, isDay, startOfDay } from '../../kit/local-time';
import { isBoolean, isId, oneOf, sortedBy } from '../../kit/view';

export type ListQuery = NonNullable<paths['/urls']['get']['parameters']['query']>;

/** State of the list in the URL, named as the API's parameters; `createdAfter` and the like are days. */
export const LIST_VIEW = {
  keyword: '',
  enabled: '',
  archived: '',
  expired: '',
  health: '',
  tags: '',
  customDomainId: '',
  appId: '',
  utmCampaign: '',
  createdBy: '',
  showAdPage: '',
  createdAfter: '',
  createdBefore: '',
  expiresAfter: '',
  expiresBefore: '',
  sort: 'createdAt,desc',
};

const CHECKS = {
  enabled: isBoolean,
  archived: oneOf('true', 'all'),
  expired: isBoolean,
  health: oneOf(...listOrganizationShortUrls_health),
  customDomainId: (value: string) => value === 'default' || isId(value),
  appId: isId,
  createdBy: isId,
  showAdPage: isBoolean,
  createdAfter: isDay,
  createdBefore: isDay,
  expiresAfter: isDay,
  expiresBefore: isDay,
};
const SORTS = ['createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias', 'name'];

/** Checks of the query parameters. */
export const ALLOWED = {
  link: { ...CHECKS, sort: sortedBy(...SORTS, 'title') },
  campaign: { ...CHECKS, sort: sortedBy(...SORTS) },
};

export type ListView = typeof LIST_VIEW;
export type ChangeView = (change: Partial<ListView>) => void;

export const NO_FILTERS: Partial<ListView> = Object.fromEntries(
  Object.entries(LIST_VIEW).filter(([key]) => key !== 'sort'),
);

/** Filters behind the button "Filters"; the search field is separate. */
export function filtersOf(view: ListView): (keyof ListView)[] {
  return (Object.keys(LIST_VIEW) as (keyof ListView)[]).filter(
    (key) => key !== 'sort' && key !== 'keyword' && view[key] !== '',
  );
}

/** Search and filters, for the name of the exported file. */
export function detailsOf(view: ListView): string {
  const filters = filtersOf(view).map(
    (key) => `${key}=${key === 'tags' ? tagsOf(view).join(' ') : view[key]}`,
  );
  return [view.keyword, ...filters].filter(Boolean).join(', ');
}

export function tagsOf({ tags }: Pick<ListView, 'tags'>): string[] {
  return tags === '' ? [] : tags.split(',').map(decodeURIComponent);
}

export function tagsText(tags: readonly string[]): string {
  return tags.map(encodeURIComponent).join(',');
}

export function listQuery(view: ListView): ListQuery {
  const { keyword, customDomainId, utmCampaign, sort } = view;
  const tag = tagsOf(view);
  return defined({
    search: keyword || undefined,
    customDomainId: customDomainId || undefined,
    utmCampaign: utmCampaign || undefined,
    enabled: boolean(view.enabled),
    expired: boolean(view.expired),
    showAdPage: boolean(view.showAdPage),
    archived: listOrganizationShortUrls_archived.find((value) => value === view.archived),
    health: listOrganizationShortUrls_health.find((value) => value === view.health),
    tag: tag.length > 0 ? tag : undefined,
    appId: id(view.appId),
    createdBy: id(view.createdBy),
    createdAfter: startOfDay(view.createdAfter),
    createdBefore: endOfDay(view.createdBefore),
    expiresAfter: startOfDay(view.expiresAfter),
    expiresBefore: endOfDay(view.expiresBefore),
    sort,
  });
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}

function boolean(value: string): boolean | undefined {
  return value === '' ? undefined : value === 'true';
}

function id(value: string): number | undefined {
  return /^[1-9]\d*$/.test(value) ? Number(value) : undefined;
}
