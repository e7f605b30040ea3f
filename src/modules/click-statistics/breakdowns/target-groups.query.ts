import type { Tx } from '../../../infrastructure/database/tx';
import { NONE, type TargetBreakdown, type ValueFilter } from './breakdowns';

/** Links with the same set of tags. */
export interface TagGroup {
  tags: readonly string[];
  ids: readonly number[];
}

/** Links or campaigns that a filter selects; with `inverted`, all except these. */
export interface Selection {
  ids: ReadonlySet<number>;
  inverted: boolean;
}

const loaded = new WeakMap<Tx, Promise<TagGroup[]>>();

/** All links with tags, by set of tags; read once per transaction. */
export function tagGroups(tx: Tx, organizationId: number): Promise<TagGroup[]> {
  const groups = loaded.get(tx) ?? loadGroups(tx, organizationId);
  loaded.set(tx, groups);
  return groups;
}

async function loadGroups(tx: Tx, organizationId: number): Promise<TagGroup[]> {
  const rows = await tx.query<{ tags: string[]; ids: Buffer }>(TAGGED, [organizationId]);
  return rows.map(({ tags, ids }) => ({ tags, ids: idsOf(ids) }));
}

/** @param bytes ids of eight bytes each */
function idsOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 8 }, (_, i) => Number(bytes.readBigInt64BE(i * 8)));
}

/** The links or campaigns that a filter of links, campaigns or tags selects. */
export async function selectionOf(
  tx: Tx,
  organizationId: number,
  { included, excluded }: ValueFilter,
  dimension: TargetBreakdown,
): Promise<Selection> {
  if (dimension !== 'tag') {
    const asked = included.length > 0 ? included.filter((value) => !excluded.includes(value)) : excluded;
    const ids = asked.map((value) => (value === NONE ? 0 : Number(value)));
    return { ids: new Set(ids), inverted: included.length === 0 };
  }
  const has = (tags: readonly string[], some: readonly string[]) => some.some((tag) => tags.includes(tag));
  const matches = (tags: readonly string[]) =>
    (included.length === 0 || has(included, tags)) && !has(excluded, tags);
  // Links that are in no group have no tags.
  const inverted = matches([NONE]);
  const ids = new Set<number>();
  for (const group of await tagGroups(tx, organizationId)) {
    if (matches(group.tags) !== inverted) for (const id of group.ids) ids.add(id);
  }
  return { ids, inverted };
}

// Uses two indexes, because an index entry with all tags of a link could exceed the maximum size.
const tagged = (condition: string) => `
  SELECT tag_keys AS tags, string_agg(int8send(id), '') AS ids
    FROM links WHERE organization_id = $1 AND ${condition}
   GROUP BY tag_keys`;
const TAGGED = `
  ${tagged(`tag_keys <> '{}' AND cardinality(tag_keys) <= 8`)}
  UNION ALL ${tagged('cardinality(tag_keys) > 8')}`;
