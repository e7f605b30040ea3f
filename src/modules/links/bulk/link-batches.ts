import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { DomainError } from '../../../common/errors/domain-error';
import { checkedRequest } from '../../../common/validation/request.pipe';
import type { Tx } from '../../../infrastructure/database/tx';
import { ExistingTrackedLinks } from '../../tracked-links/find-if-exists/existing-tracked-links';
import { TrackedLinkBatches } from '../../tracked-links/tracked-link-batches';
import type { Link } from '../link.entity';
import { LinkDrafts, LinkRequestCache, type NewLink } from '../link-drafts';
import { CreateLinkRequest } from '../links.dto';
import { LinkLimit, type LinkRoom } from '../link-limit';
import { LinksRepository } from '../links.repository';
import { asksForExisting, createMissing, type FoundLink } from './found-links';

/** Items validated per turn of the event loop, so that a batch does not delay redirects. */
const SLICE = 20;

/** Creates the links of a bulk request by the rules for single links; invalid items fail individually. */
@Injectable()
export class LinkBatches {
  constructor(
    private readonly repository: LinksRepository,
    private readonly limit: LinkLimit,
    private readonly drafts: LinkDrafts,
    private readonly batches: TrackedLinkBatches,
    private readonly existing: ExistingTrackedLinks,
  ) {}

  /**
   * @param items bodies of POST /urls, not yet validated
   * @returns for each item the new link, the one found by `findIfExists`, or an error
   * @throws LimitReached if the limit is reached and no item has `findIfExists`
   */
  async create(caller: Caller, items: readonly unknown[]): Promise<(Link | FoundLink | DomainError)[]> {
    if (!items.some(asksForExisting)) await this.limit.check(caller);
    const lookups = new LinkRequestCache();
    const sought = new Set<NewLink>();
    const drafts = await draftsOf(items, async (item) => {
      const request = await checkedRequest(CreateLinkRequest, item, 'item');
      const draft = await this.drafts.ofNew(caller, request, lookups);
      if (request.findIfExists) sought.add(draft);
      return draft;
    });
    if (sought.size === 0) return this.createFromDrafts(caller, drafts);
    return this.existing.exclusively(this.repository, caller.organizationId, async (tx) => {
      const found = await this.existing.find(this.repository, [...sought], tx);
      return createMissing(drafts, sought, found, (missing) => this.createFromDrafts(caller, missing, tx));
    });
  }

  /** @returns for each draft the link or the error; errors among the drafts keep their position */
  async createFromDrafts(
    caller: Caller,
    drafts: readonly (NewLink | DomainError)[],
    tx?: Tx,
  ): Promise<(Link | DomainError)[]> {
    return this.limit.within(
      caller,
      async (room, joined) => {
        const limited = limitedTo(room, drafts);
        const valid = limited.filter((draft): draft is NewLink => !(draft instanceof DomainError));
        const outcomes = await this.batches.create(this.repository, caller, valid, joined);
        const results = new Map(valid.map((draft, i) => [draft, outcomes[i]]));
        return limited.map((draft) =>
          draft instanceof DomainError ? draft : (results.get(draft) ?? lost()),
        );
      },
      tx,
    );
  }

  /**
   * Dry run of `createFromDrafts`.
   * @param earlier claims and number of links accepted so far in the same request, to which this call adds
   */
  async check(
    caller: Caller,
    drafts: readonly (NewLink | DomainError)[],
    earlier: { claims: Set<string>; links: number },
  ): Promise<(NewLink | DomainError)[]> {
    const { count, refusal } = await this.limit.room(caller);
    const limited = limitedTo({ count: count - earlier.links, refusal }, drafts);
    const valid = limited.filter((draft): draft is NewLink => !(draft instanceof DomainError));
    const problems = await this.batches.check(this.repository, valid, earlier.claims);
    const refused = new Map(valid.map((draft, i) => [draft, problems[i] ?? null]));
    const outcomes = limited.map((draft) =>
      draft instanceof DomainError ? draft : (refused.get(draft) ?? draft),
    );
    earlier.links += outcomes.filter((outcome) => !(outcome instanceof DomainError)).length;
    return outcomes;
  }
}

/** Replaces drafts beyond the limit with the limit's error. */
function limitedTo(
  { count, refusal }: LinkRoom,
  drafts: readonly (NewLink | DomainError)[],
): (NewLink | DomainError)[] {
  let room = count;
  return drafts.map((draft) => (draft instanceof DomainError || room-- > 0 ? draft : refusal));
}

/** The draft or the error of each item. */
export async function draftsOf<T>(
  items: readonly T[],
  draftOf: (item: T) => Promise<NewLink>,
): Promise<(NewLink | DomainError)[]> {
  const drafts: (NewLink | DomainError)[] = [];
  for (const item of items) {
    try {
      drafts.push(await draftOf(item));
    } catch (error) {
      if (!(error instanceof DomainError) || error.status >= 500) throw error;
      drafts.push(error);
    }
    if (drafts.length % SLICE === 0) await nextTurn();
  }
  return drafts;
}

function lost(): never {
  throw new Error('No result for a draft');
}
