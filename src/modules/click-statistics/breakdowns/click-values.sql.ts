import { TRACKED_LINK_KIND } from '../../clicks/click';
import {
  type Breakdown,
  DEFAULT_DOMAIN_VALUE,
  isStored,
  NONE,
  STORED,
  type StoredBreakdown,
  type ValueFilter,
} from './breakdowns';

/** Collects the parameters of a statement that is composed of parts. */
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

const kindIs = (kind: keyof typeof TRACKED_LINK_KIND) => `c.kind = ${TRACKED_LINK_KIND[kind]}`;
const LINK = `LEFT JOIN links l ON ${kindIs('link')} AND l.id = c.tracked_link_id AND l.organization_id = c.organization_id`;
// Written with the expressions of an index, so that the index is read instead of the links.
const onDomain = (alias: string) =>
  `${alias}.id = c.tracked_link_id AND ${alias}.organization_id = c.organization_id AND ${alias}.domain_id <> 0`;
const DOMAIN = `
  LEFT JOIN links l ON ${kindIs('link')} AND ${onDomain('l')}
  LEFT JOIN campaigns g ON ${kindIs('campaign')} AND ${onDomain('g')}
  LEFT JOIN custom_domains d ON d.id = coalesce(l.domain_id, g.domain_id)`;

interface ValueSql {
  /** SQL for the value of the click `c`, or null; an array for tags. */
  value: string;
  /** Joins that the value needs. */
  joins: string;
  /** SQL for the value's displayed name, given the column `value`. */
  name: string;
}

/** SQL for the value of a click (docs/concepts/statistics.md#clicks-by-dimension). */
export function valueSql(breakdown: Breakdown): ValueSql {
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
        value: 'l.tag_keys',
        joins: LINK,
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
    tag: [
      `${kindIs('link')} AND ${tagged(organization, listed)}`,
      `NOT (${kindIs('link')} AND ${ids('links', `tag_keys <> '{}'`)})`,
    ],
    domain: [
      `${kindIs('link')} AND ${ids('links', onDomain)} OR ${kindIs('campaign')} AND ${ids('campaigns', onDomain)}`,
      'false',
    ],
  };
  const [some, none] = conditions[breakdown];
  return values.includes(NONE) ? `(${some} OR ${none})` : `(${some})`;
}

/** SQL condition that the click `c` is on a link with one of these tags, read from the indexes of tags. */
function tagged(organization: string, tags: string): string {
  const links = (condition: string) =>
    `SELECT id FROM links WHERE organization_id = ${organization} AND ${condition} AND tag_keys && ${tags}::text[]`;
  return `c.tracked_link_id IN (${links(`tag_keys <> '{}' AND cardinality(tag_keys) <= 8`)}
                          UNION ALL ${links('cardinality(tag_keys) > 8')})`;
}
