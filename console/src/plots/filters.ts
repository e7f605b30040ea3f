import type { Dimension } from './types';

/** Filters by dimension, as in the API: values of a dimension are joined by OR, dimensions by AND. */
export type Filters = Readonly<Partial<Record<Dimension, readonly string[]>>>;

export const DIMENSIONS: readonly Dimension[] = [
  'link',
  'campaign',
  'tag',
  'domain',
  'app',
  'channel',
  'variant',
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'bot',
];
/** Maximum number of values of a dimension in the API. */
export const MAX_VALUES = 20;

/** Key of the group of all values that are not listed. */
export const OTHER = '(other)';

/** A group's key as a filter value, in which `!` and a backslash at the start must be escaped. */
export function literalOf(key: string): string {
  return /^[!\\]/.test(key) ? `\\${key}` : key;
}

export function keyOf(value: string): string {
  return value.startsWith('\\') ? value.slice(1) : value;
}

/** Parses filters in a URL, such as `country=KR&country=DE`, ignoring unknown dimensions. */
export function readFilters(text: string): Filters {
  const given = new URLSearchParams(text);
  const filters: Partial<Record<Dimension, readonly string[]>> = {};
  for (const dimension of DIMENSIONS) {
    const values = [...new Set(given.getAll(dimension))].filter((value) => value !== '');
    if (values.length > 0) filters[dimension] = values;
  }
  return filters;
}

export function writeFilters(filters: Filters): string {
  return new URLSearchParams(entriesOf(filters)).toString();
}

export function entriesOf(filters: Filters): [Dimension, string][] {
  return DIMENSIONS.flatMap((dimension) =>
    (filters[dimension] ?? []).map((value): [Dimension, string] => [dimension, value]),
  );
}

/** Adds a value of a dimension, or removes it; null if that would exceed MAX_VALUES. */
export function toggled(filters: Filters, dimension: Dimension, value: string): Filters | null {
  const before = filters[dimension] ?? [];
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return after.length > MAX_VALUES ? null : { ...filters, [dimension]: after };
}
