import { NONE, type TargetBreakdown, type ValueFilter } from './breakdowns';
import { taggedRows, targetNumber } from './click-values.sql';
import type { Tx } from '../../../infrastructure/database/database';

/** Links and campaigns with the same set of tags, by their numbers (`targetNumber`). */
export interface TagGroup {
  tags: readonly string[];
  numbers: readonly number[];
}

/**
 * Links or campaigns that a filter selects; with `inverted`, all except these. A filter of tags selects numbers
 * (`targetNumber`).
 */
export interface Selection {
  ids: ReadonlySet<number>;
  inverted: boolean;
}

const loaded = new WeakMap<Tx, Promise<TagGroup[]>>();

/** All links and campaigns with tags, by set of tags; read once per transaction. */
export function tagGroups(tx: Tx, organizationId: number): Promise<TagGroup[]> {
  const groups = loaded.get(tx) ?? loadGroups(tx, organizationId);
  loaded.set(tx, groups);
  return groups;
}

async function loadGroups(tx: Tx, organizationId: number): Promise<TagGroup[]> {
  const rows = await tx.query<{ tags: string[]; numbers: Buffer }>(TAGGED, [organizationId]);
  return rows.map(({ tags, numbers }) => ({ tags, numbers: numbersOf(numbers) }));
}

/** @param bytes numbers of eight bytes each */
function numbersOf(bytes: Buffer): number[] {
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
  // What is in no group has no tags.
  const inverted = matches([NONE]);
  const ids = new Set<number>();
  for (const group of await tagGroups(tx, organizationId)) {
    if (matches(group.tags) !== inverted) for (const number of group.numbers) ids.add(number);
  }
  return { ids, inverted };
}

const TAGGED = `
  SELECT tags, string_agg(int8send(number), '') AS numbers
    FROM (${taggedRows((kind) => `tag_keys AS tags, ${targetNumber('id', String(kind === 'campaign'))} AS number`, '$1')}) AS tagged
   GROUP BY tags`;
