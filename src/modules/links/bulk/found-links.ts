import { DomainError } from '../../../common/errors/domain-error';
import type { Link } from '../link.entity';
import type { NewLink } from '../link-drafts';
import type { CountedLink } from '../links.repository';

/** The existing link that an item with `findIfExists` has found. */
export interface FoundLink {
  found: CountedLink;
}

type Outcome = Link | FoundLink | DomainError;

/** Whether an item, not yet validated, has `findIfExists`. */
export function asksForExisting(item: unknown): boolean {
  return (item as { findIfExists?: unknown } | null | undefined)?.findIfExists === true;
}

/**
 * Creates the drafts for which no link was found. Of equal drafts, alias included, those with `findIfExists` get the
 * link of the first.
 * @param sought drafts with `findIfExists`
 * @param found existing links of some of them
 */
export async function createMissing(
  drafts: readonly (NewLink | DomainError)[],
  sought: ReadonlySet<NewLink>,
  found: ReadonlyMap<NewLink, CountedLink>,
  create: (missing: (NewLink | DomainError)[]) => Promise<(Link | DomainError)[]>,
): Promise<Outcome[]> {
  const missing: (NewLink | DomainError)[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (draft: NewLink | DomainError): number => {
    if (draft instanceof DomainError) return missing.push(draft) - 1;
    const key = settingsOf(draft);
    const first = sought.has(draft) ? indexes.get(key) : undefined;
    if (first !== undefined) return first;
    const index = missing.push(draft) - 1;
    if (!indexes.has(key)) indexes.set(key, index);
    return index;
  };
  const known = drafts.map((draft): FoundLink | number => {
    const link = draft instanceof DomainError ? undefined : found.get(draft);
    return link ? { found: link } : indexOf(draft);
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
function settingsOf(draft: NewLink): string {
  const tagKeys = draft.tagKeys.toSorted();
  return JSON.stringify({ ...draft, tags: null, tagKeys, createdAt: null, updatedAt: null });
}

function withoutClicks(link: Link): CountedLink {
  return Object.assign({}, link, { clickCount: 0, health: null });
}
