import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import type { TrackedLinkEntity } from './tracked-link.entity';
import { TrackedLinkEvents } from './tracked-link-events';
import { MAX_TRIES, newCode, TrackedLinkChanges } from './tracked-link-changes';
import { keyOf, type NewTrackedLink, type TrackedLinksRepository } from './tracked-links.repository';
import { AliasTaken } from './tracked-links.errors';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** Creates many links or campaigns in a few statements, by the rules of single ones. */
@Injectable()
export class TrackedLinkBatches {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: TrackedLinkChanges,
    private readonly events: TrackedLinkEvents,
  ) {}

  /**
   * Uses the draft's code if it has one, whether alias or restored, and generates one otherwise.
   * @returns for each draft the stored entity, or the error; the first draft with a code gets it
   */
  create<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    caller: Caller,
    drafts: readonly NewTrackedLink<T>[],
  ): Promise<(T | AliasTaken)[]> {
    return this.database.write(async (tx) => {
      const chosen = new Set<string>();
      const firsts = drafts.filter((draft) => {
        if (!isCodeChosen(draft)) return true;
        const repeated = chosen.has(keyOf(draft));
        chosen.add(keyOf(draft));
        return !repeated;
      });
      const created = await this.insertAll(repository, tx, firsts, chosen);
      await this.audit.recordMany(
        tx,
        caller,
        [...created.values()].map((trackedLink) => creation(repository, trackedLink)),
      );
      await this.events.add(tx, repository.kind, 'created', [...created.values()]);
      // The absence of a chosen code may be cached.
      const coded = firsts.flatMap((draft) => (isCodeChosen(draft) ? (created.get(draft) ?? []) : []));
      if (coded.length > 0) this.changes.announce(tx, repository.kind, coded);
      return drafts.map((draft) => created.get(draft) ?? taken(draft));
    });
  }

  /**
   * Dry run of `create`.
   * @param earlier keys already claimed in the same request; those of these drafts are added
   * @returns for each draft the error, or null
   */
  async check<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    drafts: readonly NewTrackedLink<T>[],
    earlier: Set<string>,
  ): Promise<(AliasTaken | null)[]> {
    const unavailable = await repository.takenOf(drafts.filter(isCodeChosen));
    return drafts.map((draft) => {
      if (!isCodeChosen(draft)) return null;
      const key = keyOf(draft);
      if (unavailable.has(key) || earlier.has(key)) return taken(draft);
      earlier.add(key);
      return null;
    });
  }

  private async insertAll<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    tx: Tx,
    drafts: readonly NewTrackedLink<T>[],
    chosen: ReadonlySet<string>,
  ): Promise<Map<NewTrackedLink<T>, T>> {
    const created = new Map<NewTrackedLink<T>, T>();
    let pending = drafts;
    for (let attempt = 0; attempt < MAX_TRIES && pending.length > 0; attempt++) {
      const byKey = new Map<string, NewTrackedLink<T>>();
      for (const draft of pending)
        byKey.set(isCodeChosen(draft) ? keyOf(draft) : freeKey(draft, chosen, byKey), draft);
      const coded = [...byKey].map(([key, draft]) => ({ ...draft, code: key.slice(key.indexOf('/') + 1) }));
      for (const trackedLink of await repository.insertMany(tx, coded, chosen)) {
        const draft = byKey.get(keyOf(trackedLink));
        if (draft) created.set(draft, trackedLink);
      }
      const refused = pending.filter((draft) => !created.has(draft));
      const released = await repository.releaseMany(
        tx,
        attempt === 0 ? refused.filter(({ isAlias }) => isAlias) : [],
      );
      pending = refused.filter((draft) => !isCodeChosen(draft) || released.has(keyOf(draft)));
    }
    if (pending.some((draft) => !isCodeChosen(draft)))
      throw new Error(`No free codes found in ${MAX_TRIES} tries`);
    return created;
  }
}

function taken({ code, isAlias }: { code: string; isAlias: boolean }): AliasTaken {
  return new AliasTaken(code, isAlias ? 'alias' : 'code');
}

/** Whether the code is an alias or restored from an export; otherwise it is yet to be generated. */
function isCodeChosen(draft: { code: string }): boolean {
  return draft.code !== '';
}

/** A new code that is unique in this batch. */
function freeKey<T extends TrackedLinkEntity>(
  draft: NewTrackedLink<T>,
  chosen: ReadonlySet<string>,
  generated: ReadonlyMap<string, unknown>,
): string {
  for (;;) {
    const key = keyOf({ domainId: draft.domainId, code: newCode() });
    if (!chosen.has(key) && !generated.has(key)) return key;
  }
}

function creation<T extends TrackedLinkEntity>(
  { kind }: TrackedLinksRepository<T>,
  { id, code, originalUrl }: T,
) {
  return {
    action: `${kind}.create`,
    resourceType: kind,
    resourceId: id,
    changes: changesBetween({}, { code, originalUrl }),
  };
}
