import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { DomainError } from '../../../common/errors/domain-error';
import { ValidationFailed } from '../../../common/errors/errors';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';
import type { ChangesOf } from '../../tracked-links/changes-of';
import { TrackedLinkChanges } from '../../tracked-links/tracked-link-changes';
import { toItemError } from '../bulk/links-bulk.dto';
import type { Link } from '../link.entity';
import { auditedChanges, tagKey, tagsOf } from '../link-drafts';
import { MAX_TAGS } from '../links.dto';
import { LinksRepository } from '../links.repository';
import type { ChangeLinksRequest, ChangeLinksResponse } from './editing.dto';

/** Links per transaction; few, so that visits of limited links do not wait long for their rows. */
const SLICE = 100;

/** Changes many links by the rules for single links; links fail individually. */
@Injectable()
export class LinkChanges {
  private readonly changes: ChangesOf<Link>;

  constructor(
    private readonly database: Database,
    repository: LinksRepository,
    changes: TrackedLinkChanges,
  ) {
    this.changes = changes.of({ repository, auditedChanges });
  }

  /** @throws ValidationFailed if the request has no change, or a deletion and another change */
  async run(caller: Caller, { ids, ...request }: ChangeLinksRequest): Promise<ChangeLinksResponse> {
    checkOneChange(request);
    const errors = new Map<number, DomainError>();
    // Sorted to avoid deadlocks.
    const sorted = [...new Set(ids)].toSorted((a, b) => a - b);
    for (let from = 0; from < sorted.length; from += SLICE) {
      await this.database.write(async (tx) => {
        for (const id of sorted.slice(from, from + SLICE)) {
          const error = await this.change(tx, caller, id, request);
          if (error) errors.set(id, error);
        }
      });
    }
    const results = [...new Set(ids)].map((id) => {
      const error = errors.get(id);
      return {
        id,
        status: error ? ('failed' as const) : ('ok' as const),
        error: error ? toItemError(error) : null,
      };
    });
    return { ok: results.length - errors.size, failed: errors.size, results };
  }

  /** @returns the error of a link that cannot be changed, after which the transaction is still usable */
  private async change(tx: Tx, caller: Caller, id: number, request: LinkChange): Promise<DomainError | null> {
    try {
      if (request.delete) await this.changes.remove(caller, id, tx);
      else await this.changes.change(caller, id, (link) => fieldsOf(link, request), 'update', tx);
      return null;
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) return error;
      throw error;
    }
  }
}

type LinkChange = Omit<ChangeLinksRequest, 'ids'>;

/** Changes other than a deletion. */
const FIELDS = ['enabled', 'archived', 'addTags', 'removeTags'] as const;

function checkOneChange(request: LinkChange): void {
  const changed = FIELDS.filter((field) => (request[field] ?? null) !== null);
  if (request.delete && changed.length > 0) {
    throw ValidationFailed.field('delete', `cannot be combined with ${changed.join(', ')}`);
  }
  if (!request.delete && changed.length === 0) {
    throw ValidationFailed.field('ids', `must be given with ${FIELDS.join(', ')} or delete`);
  }
}

/** @throws ValidationFailed if the link would have too many tags */
function fieldsOf(link: Link, { enabled, archived, addTags, removeTags }: LinkChange): Partial<Link> {
  const removed = new Set((removeTags ?? []).map(tagKey));
  const left = link.tags.filter((tag) => !removed.has(tagKey(tag)));
  const tagged = tagsOf([...left, ...(addTags ?? [])]);
  if (tagged.tags.length > MAX_TAGS) {
    throw ValidationFailed.field('addTags', `must leave the link with at most ${MAX_TAGS} tags`);
  }
  return { ...(enabled != null && { enabled }), ...(archived != null && { archived }), ...tagged };
}
