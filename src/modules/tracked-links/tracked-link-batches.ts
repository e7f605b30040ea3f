import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { DomainError } from '../../common/errors/domain-error';
import type { TrackedLinkKind } from '../clicks/click';
import { CodeDomains } from './code-domains';
import type { TrackedLinkEntity } from './tracked-link.entity';
import { auditedCreation } from './tracked-link-audit';
import { TrackedLinkEvents } from './tracked-link-events';
import { MAX_TRIES } from './changes-of';
import { TrackedLinkChanges } from './tracked-link-changes';
import { newCode } from './tracked-link-rules';
import type { NewTrackedLink, TrackedLinksRepository } from './tracked-links.repository';
import { TrackedLinkBulkRows } from './tracked-link-bulk-rows';
import { AliasTaken, ExternalIdTaken } from './tracked-links.errors';
import { Database, type Tx } from '../../infrastructure/database/database';

/** Creates many links or campaigns in few statements, by the rules for single ones. */
@Injectable()
export class TrackedLinkBatches {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: TrackedLinkChanges,
    private readonly events: TrackedLinkEvents,
  ) {}

  /**
   * Uses the draft's code if it has one, which is an alias or a restored code, and generates one otherwise.
   * @param enclosing transaction to join
   * @returns for each draft the stored entity, or the error; of drafts with the same code or external id, the first
   * gets it
   */
  create<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    caller: Caller,
    drafts: readonly NewTrackedLink<T>[],
    enclosing?: Tx,
  ): Promise<(T | DomainError)[]> {
    return this.database.write(async (tx) => {
      const claimed = new Set<string>();
      const domains = await CodeDomains.lock(tx, drafts);
      const externalIds = await repository.takenExternalIds(drafts, tx);
      const unavailable = new Set([...externalIds].map(externalKey));
      const refusals = drafts.map((draft) => claim(repository.kind, draft, domains, claimed, unavailable));
      const firsts = drafts.filter((_, i) => refusals[i] === null);
      const outcomes = await this.insertAll(repository, tx, firsts, claimed, domains);
      const created = firsts.flatMap((draft) => {
        const outcome = outcomes.get(draft);
        return outcome instanceof DomainError || !outcome ? [] : [{ draft, trackedLink: outcome }];
      });
      await this.audit.recordMany(
        tx,
        caller,
        created.map(({ trackedLink }) => creation(repository, trackedLink)),
      );
      await this.events.add(
        tx,
        repository.kind,
        'created',
        created.map(({ trackedLink }) => trackedLink),
      );
      // Chosen codes must be invalidated, because their absence may be cached.
      const [coded, generated] = [true, false].map((isChosen) =>
        created.filter(({ draft }) => isCodeChosen(draft) === isChosen).map(({ trackedLink }) => trackedLink),
      );
      if (coded?.length) this.changes.announce(tx, repository.kind, coded);
      if (generated?.length) await this.changes.fill(repository.kind, generated, tx);
      return drafts.map(
        (draft, i) => refusals[i] ?? outcomes.get(draft) ?? codeTaken(repository.kind, draft),
      );
    }, enclosing);
  }

  /**
   * Dry run of `create`.
   * @param earlier claims of drafts in the same request, to which those of these drafts are added
   * @returns for each draft the error, or null
   */
  async check<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    drafts: readonly Claims[],
    earlier: Set<string>,
  ): Promise<(DomainError | null)[]> {
    const chosen = drafts.filter(isCodeChosen);
    const domains = await CodeDomains.read(this.database, chosen);
    const codes = await new TrackedLinkBulkRows(repository).taken(this.database, chosen, domains);
    const externalIds = await repository.takenExternalIds(drafts);
    const unavailable = new Set([...codes, ...[...externalIds].map(externalKey)]);
    return drafts.map((draft) => claim(repository.kind, draft, domains, earlier, unavailable));
  }

  /** @returns the stored entity or the error of each draft, except those whose code is taken */
  private async insertAll<T extends TrackedLinkEntity>(
    repository: TrackedLinksRepository<T>,
    tx: Tx,
    drafts: readonly NewTrackedLink<T>[],
    claimed: ReadonlySet<string>,
    domains: CodeDomains,
  ): Promise<Map<NewTrackedLink<T>, T | DomainError>> {
    const rows = new TrackedLinkBulkRows(repository);
    const outcomes = new Map<NewTrackedLink<T>, T | DomainError>();
    let pending = drafts;
    let mayRelease = true;
    for (let attempt = 0; attempt < MAX_TRIES && pending.length > 0; attempt++) {
      const byKey = new Map<string, NewTrackedLink<T>>();
      const coded = pending.map((draft) => {
        const one = isCodeChosen(draft) ? draft : withFreeCode(draft, domains, claimed, byKey);
        byKey.set(domains.keyOf(one), draft);
        return one;
      });
      const stored = await rows.insert(tx, coded, claimed, domains);
      for (const trackedLink of stored) {
        const draft = byKey.get(domains.keyOf(trackedLink));
        if (draft) outcomes.set(draft, trackedLink);
      }
      const refused = pending.filter((draft) => !outcomes.has(draft));
      const taken = await repository.takenExternalIds(refused, tx);
      for (const draft of refused) {
        if (draft.externalId !== null && taken.has(draft.externalId))
          outcomes.set(draft, new ExternalIdTaken(repository.kind));
      }
      const left = refused.filter((draft) => !outcomes.has(draft));
      const released = await repository.releaseMany(
        tx,
        mayRelease ? left.filter(({ isAlias }) => isAlias) : [],
        domains,
      );
      mayRelease = false;
      pending = left.filter((draft) => !isCodeChosen(draft) || released.has(domains.keyOf(draft)));
    }
    if (pending.some((draft) => !isCodeChosen(draft)))
      throw new Error(`No free codes found in ${MAX_TRIES} tries`);
    return outcomes;
  }
}

type Draft = NewTrackedLink<TrackedLinkEntity>;

/** The fields of a draft that must be unique. */
type Claims = Pick<Draft, 'organizationId' | 'domainId' | 'code' | 'isAlias' | 'externalId'>;

/**
 * Claims the unique values of a draft: its external id, and its code if it is chosen.
 * @param claimed keys that are already claimed, to which those of the draft are added
 * @returns the error if a key is claimed or unavailable, in which case the draft claims nothing
 */
function claim(
  kind: TrackedLinkKind,
  draft: Claims,
  domains: CodeDomains,
  claimed: Set<string>,
  unavailable: ReadonlySet<string>,
): DomainError | null {
  const isTaken = (key: string) => claimed.has(key) || unavailable.has(key);
  const external = draft.externalId === null ? null : externalKey(draft.externalId);
  if (external !== null && isTaken(external)) return new ExternalIdTaken(kind);
  const code = isCodeChosen(draft) ? domains.keyOf(draft) : null;
  if (code !== null && isTaken(code)) return codeTaken(kind, draft);
  for (const key of [external, code]) if (key !== null) claimed.add(key);
  return null;
}

/** Key of an external id, different from those of codes, which start with a number. */
function externalKey(externalId: string): string {
  return `external/${externalId}`;
}

function codeTaken(kind: TrackedLinkKind, { code, isAlias }: { code: string; isAlias: boolean }): AliasTaken {
  return new AliasTaken(kind, code, isAlias);
}

/** Whether the code is an alias or restored from an export; otherwise it has yet to be generated. */
function isCodeChosen(draft: { code: string }): boolean {
  return draft.code !== '';
}

/** The draft with a new code that is unique in this batch. */
function withFreeCode<T extends TrackedLinkEntity>(
  draft: NewTrackedLink<T>,
  domains: CodeDomains,
  claimed: ReadonlySet<string>,
  generated: ReadonlyMap<string, unknown>,
): NewTrackedLink<T> {
  for (;;) {
    const coded = { ...draft, code: newCode(domains.find(draft.domainId)) };
    const key = domains.keyOf(coded);
    if (!claimed.has(key) && !generated.has(key)) return coded;
  }
}

function creation<T extends TrackedLinkEntity>({ kind }: TrackedLinksRepository<T>, trackedLink: T) {
  return {
    action: `${kind}.create`,
    resourceType: kind,
    resourceId: trackedLink.id,
    changes: changesBetween({}, auditedCreation(kind, trackedLink)),
  };
}
