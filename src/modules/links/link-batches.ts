import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { DomainError } from '../../common/errors/domain-error';
import { checkedRequest } from '../../common/validation/request.pipe';
import { TargetBatches } from '../targets/target-batches';
import type { Link } from './link.entity';
import { LinkDirectory } from './link-directory';
import { LinkDrafts, LinkLookups, type NewLink } from './link-drafts';
import { CreateLinkRequest } from './links.dto';
import { LinksRepository } from './links.repository';

/** Items checked between two turns of the event loop: redirects of the same process do not wait for a batch. */
const SLICE = 20;

/** Makes many links of one request: by the rules of single ones, and a bad one fails alone. */
@Injectable()
export class LinkBatches {
  constructor(
    private readonly rows: LinksRepository,
    private readonly directory: LinkDirectory,
    private readonly drafts: LinkDrafts,
    private readonly batches: TargetBatches,
  ) {}

  /**
   * @param items bodies of POST /urls, unchecked
   * @param lookups shared by the batches of one request
   * @returns for each item the link, or why it was not made
   */
  async create(
    caller: Caller,
    items: readonly unknown[],
    lookups = new LinkLookups(),
  ): Promise<(Link | DomainError)[]> {
    const drafts: (NewLink | DomainError)[] = [];
    for (const item of items) {
      drafts.push(await this.draftOf(caller, item, lookups));
      if (drafts.length % SLICE === 0) await nextTurn();
    }
    const good = drafts.filter((draft): draft is NewLink => !(draft instanceof DomainError));
    const made = await this.batches.create<Link>(
      { rows: this.rows, directory: this.directory },
      caller,
      good,
    );
    const results = new Map(good.map((draft, i) => [draft, made[i]]));
    return drafts.map((draft) => (draft instanceof DomainError ? draft : (results.get(draft) ?? lost())));
  }

  private async draftOf(caller: Caller, item: unknown, lookups: LinkLookups): Promise<NewLink | DomainError> {
    try {
      return await this.drafts.ofNew(caller, await checkedRequest(CreateLinkRequest, item, 'item'), lookups);
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) return error;
      throw error;
    }
  }
}

function lost(): never {
  throw new Error('A draft came to nothing');
}
