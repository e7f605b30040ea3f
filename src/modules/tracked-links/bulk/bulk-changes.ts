import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { DomainError } from '../../../common/errors/domain-error';
import { ValidationFailed } from '../../../common/errors/errors';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { toItemError } from './bulk.dto';
import type { ChangesOf } from '../changes-of';
import { MAX_TAGS, tagKey, tagsOf } from '../fields/tags';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { BulkChangeRequest, BulkChangeResponse } from './changes.dto';

/** Rows per transaction; few, so that visits of limited links do not wait long for them. */
const SLICE = 100;

/** Changes many links or campaigns by the rules for single ones; each fails individually. */
@Injectable()
export class BulkChanges {
  constructor(private readonly database: Database) {}

  /** @throws ValidationFailed if the request has no change, or a deletion and another change */
  async run<T extends TrackedLinkEntity>(
    changes: ChangesOf<T>,
    caller: Caller,
    { ids, ...request }: BulkChangeRequest,
  ): Promise<BulkChangeResponse> {
    checkOneChange(request);
    const errors = new Map<number, DomainError>();
    // Sorted to avoid deadlocks.
    const sorted = [...new Set(ids)].toSorted((a, b) => a - b);
    for (let from = 0; from < sorted.length; from += SLICE) {
      await this.database.write(async (tx) => {
        for (const id of sorted.slice(from, from + SLICE)) {
          const error = await change(changes, tx, caller, id, request);
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
}

/** @returns the error of a row that cannot be changed, after which the transaction is still usable */
async function change<T extends TrackedLinkEntity>(
  changes: ChangesOf<T>,
  tx: Tx,
  caller: Caller,
  id: number,
  request: Change,
): Promise<DomainError | null> {
  try {
    if (request.delete) await changes.remove(caller, id, tx);
    else await changes.change(caller, id, (row) => fieldsOf(row, request) as Partial<T>, 'update', tx);
    return null;
  } catch (error) {
    if (error instanceof DomainError && error.status < 500) return error;
    throw error;
  }
}

type Change = Omit<BulkChangeRequest, 'ids'>;

/** Changes other than a deletion. */
const FIELDS = ['enabled', 'archived', 'addTags', 'removeTags'] as const;

function checkOneChange(request: Change): void {
  const changed = FIELDS.filter((field) => (request[field] ?? null) !== null);
  if (request.delete && changed.length > 0) {
    throw ValidationFailed.field('delete', `cannot be combined with ${changed.join(', ')}`);
  }
  if (!request.delete && changed.length === 0) {
    throw ValidationFailed.field('ids', `must be given with ${FIELDS.join(', ')} or delete`);
  }
}

/** @throws ValidationFailed if it would have too many tags */
function fieldsOf(
  row: TrackedLinkEntity,
  { enabled, archived, addTags, removeTags }: Change,
): Partial<TrackedLinkEntity> {
  const removed = new Set((removeTags ?? []).map(tagKey));
  const left = row.tags.filter((tag) => !removed.has(tagKey(tag)));
  const tagged = tagsOf([...left, ...(addTags ?? [])]);
  if (tagged.tags.length > MAX_TAGS) {
    throw ValidationFailed.field('addTags', `must leave it with at most ${MAX_TAGS} tags`);
  }
  return { ...(enabled != null && { enabled }), ...(archived != null && { archived }), ...tagged };
}
