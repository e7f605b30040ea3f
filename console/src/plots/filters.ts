import type { Dimension } from './types';

/** Values of dimensions, as the API takes them: any of one dimension, all dimensions at once. */
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
/** Values of one dimension that the API takes. */
export const MAX_VALUES = 20;

/** The rest of a list of groups, which is no value. */
export const OTHER = '(other)';

/** A group's key as a filter; `!` and a backslash at its start have a meaning there. */
export function literalOf(key: string): string {
  return /^[!\\]/.test(key) ? `\\${key}` : key;
}

export function keyOf(value: string): string {
  return value.startsWith('\\') ? value.slice(1) : value;
}

/** Filters in an address are one text: `country=KR&country=DE`. Dimensions that there are not are left out. */
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

/** Each value with its dimension. */
export function entriesOf(filters: Filters): [Dimension, string][] {
  return DIMENSIONS.flatMap((dimension) =>
    (filters[dimension] ?? []).map((value): [Dimension, string] => [dimension, value]),
  );
}

/** Adds a value to a dimension, or removes it; null if that would exceed what the API takes. */
export function toggled(filters: Filters, dimension: Dimension, value: string): Filters | null {
  const before = filters[dimension] ?? [];
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return after.length > MAX_VALUES ? null : { ...filters, [dimension]: after };
}
