import type { Tx } from '../../../infrastructure/database/tx';
import { DEFAULT_DOMAIN, NONE, type TargetBreakdown, type ValueFilter } from './breakdowns';

export type Kind = 'link' | 'campaign';

/** Links or campaigns that share their values. */
export interface TargetGroup {
  kind: Kind;
  /** Tags, or one domain. */
  values: readonly string[];
  ids: readonly number[];
}

/** Links and campaigns that a filter selects: these, or with `inverted` all others. */
export interface Selection extends Record<Kind, ReadonlySet<number>> {
  inverted: boolean;
}

interface GroupRow {
  kind: Kind;
  values: string[];
  /** Ids in eight bytes each. */
  ids: Buffer;
}

/** Links with tags, or links and campaigns of custom domains, by their values. */
export async function targetGroups(
  tx: Tx,
  organizationId: number,
  dimension: 'tag' | 'domain',
): Promise<TargetGroup[]> {
  const rows = await tx.query<GroupRow>(dimension === 'tag' ? TAGGED : ON_DOMAINS, [organizationId]);
  return rows.map(({ kind, values, ids }) => ({ kind, values, ids: idsOf(ids) }));
}

function idsOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 8 }, (_, i) => Number(bytes.readBigInt64BE(i * 8)));
}

/** What a filter of links, campaigns, tags or domains selects. */
export async function selectionOf(
  tx: Tx,
  organizationId: number,
  { included, excluded }: ValueFilter,
  dimension: TargetBreakdown,
): Promise<Selection> {
  const none = new Set<number>();
  if (dimension === 'link' || dimension === 'campaign') {
    const asked = included.length > 0 ? included.filter((value) => !excluded.includes(value)) : excluded;
    const ids = new Set(asked.map((value) => (value === NONE ? 0 : Number(value))));
    return { link: none, campaign: none, [dimension]: ids, inverted: included.length === 0 };
  }
  const has = (values: readonly string[], some: readonly string[]) =>
    some.some((value) => values.includes(value));
  const matches = (values: readonly string[]) =>
    (included.length === 0 || has(included, values)) && !has(excluded, values);
  // Those in no group are without tags, or on the default domain.
  const inverted = matches([dimension === 'tag' ? NONE : DEFAULT_DOMAIN]);
  const selected = { link: new Set<number>(), campaign: new Set<number>() };
  for (const { kind, values, ids } of await targetGroups(tx, organizationId, dimension)) {
    if (matches(values) !== inverted) for (const id of ids) selected[kind].add(id);
  }
  return { ...selected, inverted };
}

const TAGGED = `
  SELECT 'link' AS kind, tag_keys AS values, string_agg(int8send(id), '') AS ids
    FROM links WHERE organization_id = $1 AND tag_keys <> '{}'
   GROUP BY tag_keys`;

const ON_DOMAINS = `
  SELECT kind, ARRAY[d.domain_name] AS values, string_agg(int8send(t.id), '') AS ids
    FROM (SELECT 'link' AS kind, id, domain_id FROM links WHERE organization_id = $1 AND domain_id <> 0
          UNION ALL
          SELECT 'campaign', id, domain_id FROM campaigns WHERE organization_id = $1 AND domain_id <> 0) AS t
    JOIN custom_domains d ON d.id = t.domain_id
   GROUP BY kind, d.domain_name`;
