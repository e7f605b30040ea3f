import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { DomainError } from '../../../common/errors/domain-error';
import { checkedRequest } from '../../../common/validation/request.pipe';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import { ExistingTrackedLinks } from '../find-if-exists/existing-tracked-links';
import { TrackedLinkBatches } from '../tracked-link-batches';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import { DraftCache } from '../tracked-link-drafts';
import type { NewTrackedLink } from '../tracked-links.repository';
import { type TrackedLinksService, withoutClicks } from '../tracked-links.service';
import { asksForExisting, createMissing, type Found } from './found-items';
import type { Tx } from '../../../infrastructure/database/database';
import type { Room } from '../../../access/limits/near-limit';

/** Items validated per turn of the event loop, so that a batch does not delay redirects. */
const SLICE = 20;

type Service<T extends TrackedLinkEntity, R extends TrackedLinkResponse> = TrackedLinksService<T, R>;
type Drafts<T extends TrackedLinkEntity> = readonly (NewTrackedLink<T> | DomainError)[];

/** Creates the links or campaigns of a request by the rules for single ones; invalid items fail individually. */
@Injectable()
export class BulkCreation {
  constructor(
    private readonly batches: TrackedLinkBatches,
    private readonly existing: ExistingTrackedLinks,
  ) {}

  /**
   * @param items bodies of the single call, not yet validated
   * @returns for each item the new one, the one found by `findIfExists`, or an error
   * @throws LimitReached if the limit is reached and no item has `findIfExists`
   */
  async create<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    service: Service<T, R>,
    caller: Caller,
    items: readonly unknown[],
  ): Promise<(R | { found: R } | DomainError)[]> {
    if (!items.some(asksForExisting)) await service.limit.check(caller);
    const lookups = new DraftCache();
    const sought = new Set<NewTrackedLink<T>>();
    const drafts = await draftsOf(items, async (item) => {
      const request = await checkedRequest(service.createRequest, item, 'item');
      const draft = await service.draftOf(caller, request, lookups);
      if (request.findIfExists) sought.add(draft);
      return draft;
    });
    if (sought.size === 0) return show(service, caller, await this.createFromDrafts(service, caller, drafts));
    const outcomes = await this.existing.exclusively(service.rows, caller.organizationId, async (tx) => {
      const found = await this.existing.find(service.rows, [...sought], tx);
      return createMissing(drafts, sought, found, (missing) =>
        this.createFromDrafts(service, caller, missing, tx),
      );
    });
    return show(service, caller, outcomes);
  }

  /** @returns for each draft the new row or the error; errors among the drafts keep their position */
  async createFromDrafts<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    service: Service<T, R>,
    caller: Caller,
    drafts: Drafts<T>,
    tx?: Tx,
  ): Promise<(T | DomainError)[]> {
    return service.limit.within(
      caller,
      async (room, joined) => {
        const limited = limitedTo(room, drafts);
        const valid = limited.filter((draft): draft is NewTrackedLink<T> => !(draft instanceof DomainError));
        const outcomes = await this.batches.create(service.rows, caller, valid, joined);
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
   * @param earlier claims and number of drafts accepted so far in the same request, to which this call adds
   */
  async check<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    service: Service<T, R>,
    caller: Caller,
    drafts: Drafts<T>,
    earlier: { claims: Set<string>; accepted: number },
  ): Promise<Drafts<T>> {
    const { count, refusal } = await service.limit.room(caller);
    const limited = limitedTo({ count: count - earlier.accepted, refusal }, drafts);
    const valid = limited.filter((draft): draft is NewTrackedLink<T> => !(draft instanceof DomainError));
    const problems = await this.batches.check(service.rows, valid, earlier.claims);
    const refused = new Map(valid.map((draft, i) => [draft, problems[i] ?? null]));
    const outcomes = limited.map((draft) =>
      draft instanceof DomainError ? draft : (refused.get(draft) ?? draft),
    );
    earlier.accepted += outcomes.filter((outcome) => !(outcome instanceof DomainError)).length;
    return outcomes;
  }
}

/** Responses for rows of one organization; errors among them keep their position. */
async function show<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
  service: Service<T, R>,
  { organizationId }: Caller,
  outcomes: readonly (T | Found<T> | DomainError)[],
): Promise<(R | { found: R } | DomainError)[]> {
  const rows = outcomes.flatMap((each) =>
    each instanceof DomainError ? [] : 'found' in each ? each.found : withoutClicks(each),
  );
  const shown = (await service.show(organizationId, rows)).values();
  return outcomes.map((each) => {
    if (each instanceof DomainError) return each;
    const response = shown.next().value ?? lost();
    return 'found' in each ? { found: response } : response;
  });
}

/** Replaces drafts beyond the limit with the limit's error. */
function limitedTo<T extends TrackedLinkEntity>({ count, refusal }: Room, drafts: Drafts<T>): Drafts<T> {
  let room = count;
  return drafts.map((draft) => (draft instanceof DomainError || room-- > 0 ? draft : refusal));
}

export async function draftsOf<I, D>(
  items: readonly I[],
  draftOf: (item: I) => Promise<D>,
): Promise<(D | DomainError)[]> {
  const drafts: (D | DomainError)[] = [];
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
