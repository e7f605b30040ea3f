import * as fc from 'fast-check';

export type Kind = 'link' | 'campaign';

/** A link or campaign in the tests of lists. */
export interface ListedRow {
  id: number;
  code: string;
  /** Title of a link, name of a campaign. */
  title: string | null;
  destination: string;
  /** 0 for the default domain. */
  domainId: number;
  iosAppId: number | null;
  androidAppId: number | null;
  utmCampaign: string | null;
  tags: string[];
  showAdPage: boolean;
  enabled: boolean;
  archived: boolean;
  createdBy: number | null;
  createdAt: string;
  updatedAt: string;
  expiresAt: string | null;
  clicks: number;
  health: 'unknown' | 'healthy' | 'unhealthy';
}

/** Ids that rows refer to. */
export interface Places {
  domains: number[];
  iosApps: number[];
  androidApps: number[];
  users: number[];
}

/** Parameters of a list, all optional. */
export interface ListQuery {
  search?: string;
  archived?: 'true' | 'false' | 'all';
  enabled?: boolean;
  expired?: boolean;
  createdAfter?: string;
  createdBefore?: string;
  expiresAfter?: string;
  expiresBefore?: string;
  appId?: number;
  customDomainId?: string;
  utmCampaign?: string;
  createdBy?: number;
  health?: ListedRow['health'];
  showAdPage?: boolean;
  tag?: string[];
  sort?: string;
}

export const NOW = '2026-11-20T08:32:00.500Z';

/** Few distinct values, so that many rows tie; with milliseconds, which filters ignore. */
const TIMES = [
  '2026-11-18T23:59:59.900Z',
  '2026-11-19T00:00:00.000Z',
  '2026-11-20T08:32:00.500Z',
  '2026-11-20T08:32:00.501Z',
  '2026-12-31T23:59:59.000Z',
];
const MOMENTS = [
  '2026-11-19',
  '2026-11-18T23:59:59Z',
  '2026-11-20 08:32',
  '2026-12-31',
  '2026-11-20T08:32:01Z',
];
const TITLES = ['alpha', 'Beta', 'beta', 'GAMMA', 'Gamma'];
const TAGS = ['Spring', 'spring sale', 'news', 'Straße'];

export function rowsOf(kind: Kind, places: Places, count: number, seed: number): Omit<ListedRow, 'id'>[] {
  const maybe = <T>(values: readonly T[]) => fc.constantFrom(null, ...values);
  const row = fc.record({
    title: kind === 'link' ? maybe(TITLES) : fc.constantFrom(...TITLES),
    destination: fc.constantFrom('https://shop.example.com/one', 'https://shop.example.com/two'),
    domainId: fc.constantFrom(0, ...places.domains),
    iosAppId: maybe(places.iosApps),
    androidAppId: maybe(places.androidApps),
    utmCampaign: maybe(['spring', 'Spring', 'spring-sale']),
    tags: fc.subarray(TAGS),
    showAdPage: fc.boolean(),
    enabled: fc.boolean(),
    archived: fc.constantFrom(false, false, true),
    createdBy: maybe(places.users),
    createdAt: fc.constantFrom(...TIMES.slice(0, 3)),
    updatedAt: fc.constantFrom(...TIMES),
    expiresAt: maybe(TIMES),
    clicks: fc.nat(3),
    health: fc.constantFrom<ListedRow['health'][]>('unknown', 'healthy', 'unhealthy'),
    letter: fc.constantFrom('a', 'B', 'b', '-', '_', '7'),
  });
  return fc.sample(row, { numRuns: count, seed }).map(({ letter, ...rest }, n) => ({
    ...rest,
    code: `${letter}${(n * 7919) % 9973}${n % 2 ? 'x' : 'Y'}${count}`,
  }));
}

export const SORTS: Record<Kind, readonly string[]> = {
  link: ['createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias', 'title'],
  campaign: ['createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias', 'name'],
};

/** Every filter with some values, each of which matches some rows but not all. */
export function filtersOf(kind: Kind, places: Places): Record<string, ListQuery[keyof ListQuery][]> {
  return {
    search: ['beta', 'GAM', 'two'].filter((text) => (kind === 'link') === (text === 'two')),
    archived: ['true', 'false'],
    enabled: [true, false],
    expired: [true, false],
    createdAfter: MOMENTS.slice(0, 1).concat('2026-11-20'),
    createdBefore: MOMENTS.slice(0, 2),
    expiresAfter: MOMENTS,
    expiresBefore: MOMENTS,
    appId: [...places.iosApps, ...places.androidApps],
    customDomainId: ['default', ...places.domains.map(String)],
    utmCampaign: ['spring', 'Spring', 'spring-sale'],
    createdBy: places.users,
    health: ['unknown', 'healthy', 'unhealthy'],
    ...(kind === 'link' && {
      showAdPage: [true],
      tag: [['spring'], [' NEWS '], ['Spring', 'news'], ['straße', 'news', 'spring sale'], ['SPRING SALE']],
    }),
  };
}

export function queriesOf(kind: Kind, places: Places): fc.Arbitrary<ListQuery> {
  const filters = Object.entries(filtersOf(kind, places)).map(
    ([name, values]) =>
      [name, fc.constantFrom(...values, ...(name === 'archived' ? ['all' as const] : []))] as const,
  );
  // At most four filters, because many together match nothing.
  const some = fc
    .subarray(filters, { maxLength: 4 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)));
  const sort = fc.tuple(fc.constantFrom(...SORTS[kind]), fc.constantFrom('', ',asc', ',desc', ',DESC'));
  return fc
    .tuple(some, fc.option(sort, { nil: undefined }))
    .map(([filter, order]) => ({ ...filter, ...(order && { sort: order.join('') }) }));
}

/** The rows that a list must return, computed by filtering and sorting. */
export function expectedRows(kind: Kind, rows: readonly ListedRow[], query: ListQuery): ListedRow[] {
  const [field = '', direction = 'asc'] = (query.sort ?? 'createdAt,desc').split(',');
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  return rows
    .filter((row) => matches(kind, row, query))
    .sort((a, b) => {
      const [one, two] = [keyOf(a, field), keyOf(b, field)];
      if (one === two) return sign * (a.id - b.id);
      if (one === null || two === null) return one === null ? 1 : -1;
      return one < two ? -sign : sign;
    });
}

function keyOf(row: ListedRow, field: string): string | number | null {
  if (field === 'clickCount') return row.clicks;
  if (field === 'alias') return row.code.toLowerCase();
  if (field === 'title' || field === 'name') return row.title?.toLowerCase() ?? null;
  return row[field as 'createdAt' | 'updatedAt' | 'expiresAt'];
}

function matches(kind: Kind, row: ListedRow, query: ListQuery): boolean {
  const has = (text: string) => text.toLowerCase().includes(query.search?.toLowerCase() ?? '');
  const searched = kind === 'link' ? row.destination : (row.title ?? '');
  const tags = row.tags.map((tag) => tag.toLowerCase());
  const expired = row.expiresAt !== null && row.expiresAt <= NOW;
  const conditions: Record<keyof Omit<ListQuery, 'sort'>, () => boolean> = {
    search: () => has(searched) || has(row.code),
    archived: () => query.archived === 'all' || row.archived === (query.archived === 'true'),
    enabled: () => row.enabled === query.enabled,
    expired: () => expired === query.expired,
    createdAfter: () => secondOf(row.createdAt) >= secondOf(momentOf(query.createdAfter, 'T00:00:00Z')),
    createdBefore: () => secondOf(row.createdAt) <= secondOf(momentOf(query.createdBefore, 'T23:59:59Z')),
    expiresAfter: () =>
      row.expiresAt !== null &&
      secondOf(row.expiresAt) >= secondOf(momentOf(query.expiresAfter, 'T00:00:00Z')),
    expiresBefore: () =>
      row.expiresAt !== null &&
      secondOf(row.expiresAt) <= secondOf(momentOf(query.expiresBefore, 'T23:59:59Z')),
    appId: () => row.iosAppId === query.appId || row.androidAppId === query.appId,
    customDomainId: () =>
      row.domainId === (query.customDomainId === 'default' ? 0 : Number(query.customDomainId)),
    utmCampaign: () => row.utmCampaign === query.utmCampaign,
    createdBy: () => row.createdBy === query.createdBy,
    health: () => row.health === query.health,
    showAdPage: () => row.showAdPage,
    tag: () => (query.tag ?? []).every((tag) => tags.includes(tag.trim().toLowerCase())),
  };
  const given = { archived: 'false', ...query };
  return Object.entries(conditions).every(([name, holds]) => !(name in given) || holds());
}

function momentOf(text = '', time: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text)
    ? `${text}${time}`
    : text.includes(' ')
      ? `${text.replace(' ', 'T')}:00Z`
      : text;
}

function secondOf(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}
