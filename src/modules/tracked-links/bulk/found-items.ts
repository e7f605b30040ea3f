import { DomainError } from '../../../common/errors/domain-error';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { Counted, NewTrackedLink } from '../tracked-links.repository';
import { withoutClicks } from '../tracked-links.service';

/** The existing link or campaign that an item with `findIfExists` has found. */
export interface Found<T extends TrackedLinkEntity> {
  found: Counted<T>;
}

/** Whether an item, not yet validated, has `findIfExists`. */
export function asksForExisting(item: unknown): boolean {
  return (item as { findIfExists?: unknown } | null | undefined)?.findIfExists === true;
}

/**
 * Creates the drafts for which none was found. Of equal drafts, alias included, those with `findIfExists` get the one
 * of the first.
 * @param sought drafts with `findIfExists`
 * @param found existing ones of some of them
 */
export async function createMissing<T extends TrackedLinkEntity>(
  drafts: readonly (NewTrackedLink<T> | DomainError)[],
  sought: ReadonlySet<NewTrackedLink<T>>,
  found: ReadonlyMap<NewTrackedLink<T>, Counted<T>>,
  create: (missing: (NewTrackedLink<T> | DomainError)[]) => Promise<(T | DomainError)[]>,
): Promise<(T | Found<T> | DomainError)[]> {
  const missing: (NewTrackedLink<T> | DomainError)[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (draft: NewTrackedLink<T> | DomainError): number => {
    if (draft instanceof DomainError) return missing.push(draft) - 1;
    const key = settingsOf(draft);
    const first = sought.has(draft) ? indexes.get(key) : undefined;
    if (first !== undefined) return first;
    const index = missing.push(draft) - 1;
    if (!indexes.has(key)) indexes.set(key, index);
    return index;
  };
  const known = drafts.map((draft): Found<T> | number => {
    const existing = draft instanceof DomainError ? undefined : found.get(draft);
    return existing ? { found: existing } : indexOf(draft);
  });
  const created = await create(missing);
  return known.map((each, i) => {
    if (typeof each !== 'number') return each;
    const outcome = created[each];
    if (!outcome) throw new Error('No result for a draft');
    const isFirst = missing[each] === drafts[i];
    return isFirst || outcome instanceof DomainError ? outcome : { found: withoutClicks(outcome) };
  });
}

/** A key that is equal for drafts with equal settings and alias. */
function settingsOf<T extends TrackedLinkEntity>(draft: NewTrackedLink<T>): string {
  const tagKeys = draft.tagKeys.toSorted();
  return JSON.stringify({ ...draft, tags: null, tagKeys, createdAt: null, updatedAt: null });
}
