import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import {
  type Breakdown,
  DEFAULT_DOMAIN_VALUE,
  isStored,
  NONE,
  STORED,
  type StoredBreakdown,
  type ValueFilter,
} from './breakdowns';

export class Parameters {
  readonly values: unknown[] = [];

  /** @returns the placeholder, such as `$3` */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * Array positions of values that every click has, and of some that not every click has, as ClickEnricher writes them.
 */
const POSITIONS: Partial<Record<StoredBreakdown, number>> = {
  country: 1,
  browser: 2,
  os: 3,
  device: 4,
  referrer: 5,
};
const LATER_POSITIONS = Array.from({ length: 10 }, (_, i) => i + 6);

/**
 * SQL for the text after a prefix in the dimensions of the click `c`, or null. Known positions are tried first, because
 * a subquery per click costs several times as much.
 */
function storedValue(breakdown: StoredBreakdown): string {
  const prefix = `${STORED[breakdown].prefix}:`;
  const text = (value: string) => `nullif(substr(${value}, ${prefix.length + 1}), '')`;
  const position = POSITIONS[breakdown];
  const positions = position === undefined ? LATER_POSITIONS : [position];
  const cases = positions.map(
    (at) => `WHEN starts_with(c.dimensions[${at}], '${prefix}') THEN ${text(`c.dimensions[${at}]`)}`,
  );
  const searched = `(SELECT ${text('d')} FROM unnest(c.dimensions) AS d WHERE starts_with(d, '${prefix}') LIMIT 1)`;
  const written = `cardinality(c.dimensions) <= ${LATER_POSITIONS.at(-1)} AND starts_with(c.dimensions[5], 'referrer:')`;
  const none = position === undefined ? [`WHEN cardinality(c.dimensions) = 5 THEN NULL`] : [];
  return `CASE ${[...none, ...cases].join(' ')} WHEN ${written} THEN NULL ELSE ${searched} END`;
}

const kindIs = (kind: TrackedLinkKind) => `c.kind = ${TRACKED_LINK_KIND[kind]}`;
/** Joins the link `l` or the campaign `g` of the click `c`. */
const target = (conditionOf: (alias: string) => string = () => '') => {
  const isOfClick = (alias: string) =>
    `${alias}.id = c.tracked_link_id AND ${alias}.organization_id = c.organization_id ${conditionOf(alias)}`;
  return `
  LEFT JOIN links l ON ${kindIs('link')} AND ${isOfClick('l')}
  LEFT JOIN campaigns g ON ${kindIs('campaign')} AND ${isOfClick('g')}`;
};
// Written with the expressions of an index, so that the index is read instead of the links.
const DOMAIN = `
  ${target((alias) => `AND ${alias}.domain_id <> 0`)}
  LEFT JOIN custom_domains d ON d.id = coalesce(l.domain_id, g.domain_id)`;

/** SQL for a number that no other link or campaign has: links are even, campaigns odd. */
export function targetNumber(id: string, isCampaign: string): string {
  return `(2 * ${id} + (${isCampaign})::int)`;
}

export const TARGET = targetNumber('c.tracked_link_id', kindIs('campaign'));

interface ValueSql {
  /** SQL for the value of the click `c`, or null; an array for tags. */
  value: string;
  joins: string;
  /** SQL for the value's displayed name, given the column `value`. */
  name: string;
}

/** SQL for the value of a click (docs/concepts/statistics.md#clicks-by-dimension), or for its target's number. */
export function valueSql(breakdown: Breakdown | 'target'): ValueSql {
  if (breakdown === 'target') return { value: TARGET, joins: '', name: 'value::text' };
  if (isStored(breakdown)) {
    const { missing } = STORED[breakdown];
    return { value: storedValue(breakdown), joins: '', name: `coalesce(value, '${missing}')` };
  }
  const name = `coalesce(value::text, '${NONE}')`;
  switch (breakdown) {
    case 'link':
    case 'campaign':
      return { value: `CASE WHEN ${kindIs(breakdown)} THEN c.tracked_link_id END`, joins: '', name };
    case 'app':
      return { value: 'c.app_id', joins: '', name };
    case 'domain':
      return { value: `coalesce(d.domain_name, '${DEFAULT_DOMAIN_VALUE}')`, joins: DOMAIN, name };
    case 'tag':
      return {
        value: 'coalesce(l.tag_keys, g.tag_keys)',
        joins: target(),
        name: `unnest(CASE WHEN cardinality(value) > 0 THEN value ELSE ARRAY['${NONE}'] END)`,
      };
  }
}

/** SQL conditions of filters on the click `c`. @param organization placeholder of its id */
export function filterSql(
  filters: readonly ValueFilter[],
  parameters: Parameters,
  organization: string,
): string[] {
  return filters.flatMap(({ breakdown, included, excluded }) => {
    const has = (values: readonly string[]) => hasValue(breakdown, values, parameters, organization);
    return [
      ...(included.length > 0 ? [`(${has(included)})`] : []),
      ...(excluded.length > 0 ? [`NOT coalesce(${has(excluded)}, false)`] : []),
    ];
  });
}

/** SQL condition that the click has one of these values; may be null instead of false. */
function hasValue(
  breakdown: Breakdown,
  values: readonly string[],
  parameters: Parameters,
  organization: string,
): string {
  if (isStored(breakdown)) {
    const { prefix, missing } = STORED[breakdown];
    if (values.includes(missing)) {
      return `coalesce(${storedValue(breakdown)}, '${missing}') = ANY(${parameters.add(values)}::text[])`;
    }
    return `c.dimensions && ${parameters.add(values.map((value) => `${prefix}:${value}`))}::text[]`;
  }
  const listed = parameters.add(values.filter((value) => value !== NONE));
  const ids = (table: string, condition: string) =>
    `c.tracked_link_id IN (SELECT id FROM ${table} WHERE organization_id = ${organization} AND ${condition})`;
  const named = `SELECT id FROM custom_domains WHERE organization_id = ${organization} AND domain_name = ANY(${listed}::text[])`;
  const onDomain = values.includes(DEFAULT_DOMAIN_VALUE)
    ? `(domain_id IN (${named}) OR domain_id = 0)`
    : `domain_id <> 0 AND domain_id IN (${named})`;
  const conditions: Record<typeof breakdown, [some: string, none: string]> = {
    link: [`${kindIs('link')} AND c.tracked_link_id = ANY(${listed}::bigint[])`, `NOT ${kindIs('link')}`],
    campaign: [
      `${kindIs('campaign')} AND c.tracked_link_id = ANY(${listed}::bigint[])`,
      `NOT ${kindIs('campaign')}`,
    ],
    app: [`c.app_id = ANY(${listed}::bigint[])`, 'c.app_id IS NULL'],
    tag: [tagged(organization, `tag_keys && ${listed}::text[]`), `NOT ${tagged(organization, 'true')}`],
    domain: [
      `${kindIs('link')} AND ${ids('links', onDomain)} OR ${kindIs('campaign')} AND ${ids('campaigns', onDomain)}`,
      'false',
    ],
  };
  const [some, none] = conditions[breakdown];
  return values.includes(NONE) ? `(${some} OR ${none})` : `(${some})`;
}

/** SQL condition that the click `c` is on a link or campaign with tags that meet the condition. */
function tagged(organization: string, condition: string): string {
  const rows = taggedRows((kind) => `${TRACKED_LINK_KIND[kind]}::smallint, id`, organization, condition);
  return `(c.kind, c.tracked_link_id) IN (${rows})`;
}

const TABLES = { link: 'links', campaign: 'campaigns' } as const satisfies Record<TrackedLinkKind, string>;
// Two indexes, because an index entry with all tags of a link could exceed the maximum size.
const TAGGED = [`tag_keys <> '{}' AND cardinality(tag_keys) <= 8`, 'cardinality(tag_keys) > 8'];

/** SQL query for columns of links and campaigns with tags, read from the indexes of tags. */
export function taggedRows(
  columnsOf: (kind: TrackedLinkKind) => string,
  organization: string,
  condition = 'true',
): string {
  const kinds = Object.keys(TABLES) as TrackedLinkKind[];
  const rows = (kind: TrackedLinkKind, indexed: string) =>
    `SELECT ${columnsOf(kind)} FROM ${TABLES[kind]} WHERE organization_id = ${organization} AND ${indexed} AND ${condition}`;
  return kinds.flatMap((kind) => TAGGED.map((indexed) => rows(kind, indexed))).join(' UNION ALL ');
}
