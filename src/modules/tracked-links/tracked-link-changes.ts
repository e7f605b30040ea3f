import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import type { TrackedLinkKind } from '../clicks/click';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import { type CodeMove, moveCode } from './former-codes/code-move';
import { OgFetches, ogOfChange } from './open-graph/og-fetches';
import type { PublishedCodes, AuditedRepository } from './audited-repository';
import { type Owned, TrackedLinkEvents } from './tracked-link-events';
import { keyOf, type NewTrackedLink } from './tracked-links.repository';
import { newCode } from './tracked-link-rules';
import { AliasTaken, ExternalIdTaken } from './tracked-links.errors';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { Database } from '../../infrastructure/database/database';
import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import type { Tx } from '../../infrastructure/database/tx';

/** Of 62^7 codes, collisions are rare; ten in a row mean that something else is wrong. */
export const MAX_TRIES = 10;

/** Creates, changes and deletes links and campaigns, with audit entry, event and invalidation. */
@Injectable()
export class TrackedLinkChanges {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly fetches: OgFetches,
    private readonly bus: InvalidationBus,
    private readonly events: TrackedLinkEvents,
  ) {}

  /** Inserts a draft in `tx`, generating a code if it has no alias. @throws AliasTaken, ExternalIdTaken */
  create<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
    tx?: Tx,
  ): Promise<T> {
    return draft.isAlias
      ? this.createAlias(audited, caller, draft, tx)
      : this.createGenerated(audited, caller, draft, tx);
  }

  /**
   * Updates fields, with audit entry, event and invalidation, unless nothing changes.
   * @param verb of the action in the audit log
   * @param enclosing transaction to join
   * @throws NotFound, ExternalIdTaken, AliasTaken
   */
  async change<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    id: number,
    fieldsOf: (trackedLink: T, tx: Tx) => Partial<T> | Promise<Partial<T>>,
    verb = 'update',
    enclosing?: Tx,
  ): Promise<T> {
    return this.database.write(async (tx) => {
      const trackedLink = await audited.repository.lock(tx, caller.organizationId, id);
      const supplied = await fieldsOf(trackedLink, tx);
      const og = ogOfChange(trackedLink, supplied);
      const fields = { ...supplied, ...og.fields } as Partial<T>;
      const { ogAuto, isAlias: _, formerCodes: __, ...changes } = changesBetween<T>(trackedLink, fields);
      const isVisible = Object.keys(changes).length > 0;
      if (!ogAuto && !isVisible) return trackedLink;
      const now = this.clock.date();
      const changed = { ...fields, updatedAt: now };
      const { kind } = audited.repository;
      await this.update(audited, tx, trackedLink, changed);
      if (og.isDue) await this.fetches.queue(tx, kind, trackedLink, now);
      await this.audit.record(tx, caller, {
        action: `${kind}.${verb}`,
        resourceType: kind,
        resourceId: id,
        changes: audited.auditedChanges?.(changes) ?? changes,
      });
      const { domainId, code, formerCodes } = trackedLink;
      const updated = Object.assign(trackedLink, changed);
      if (isVisible) await this.events.add(tx, kind, 'updated', [updated]);
      // The old row is included, because a released code is neither in the updated row nor in its former codes.
      this.announce(tx, kind, [{ domainId, code, formerCodes }, updated]);
      return updated;
    }, enclosing);
  }

  /**
   * The fields that give a locked link or campaign another code, for `change` to store.
   * @throws ReservedAlias, TooManyFormerAliases
   */
  moveCode<T extends TrackedLinkEntity>(
    tx: Tx,
    { repository }: AuditedRepository<T>,
    trackedLink: T,
    move: CodeMove,
  ): Promise<Partial<TrackedLinkEntity>> {
    return moveCode(tx, repository, trackedLink, move, this.clock.date());
  }

  /**
   * Soft-deletes the link or campaign in `enclosing`: the code stops working within a second, and stays taken. @throws
   * NotFound
   */
  async remove<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    id: number,
    enclosing?: Tx,
  ): Promise<void> {
    await this.database.write(async (tx) => {
      const trackedLink = await audited.repository.lock(tx, caller.organizationId, id);
      await audited.repository.update(tx, trackedLink, { deletedAt: this.clock.date() });
      const { kind } = audited.repository;
      await this.audit.record(tx, caller, { action: `${kind}.delete`, resourceType: kind, resourceId: id });
      await this.events.add(tx, kind, 'deleted', [trackedLink]);
      this.announce(tx, kind, [trackedLink]);
    }, enclosing);
  }

  /** Stores events and invalidates caches. Call it in the transaction of every update. */
  async changed(
    tx: Tx,
    kind: TrackedLinkKind,
    trackedLinks: readonly (PublishedCodes & Owned)[],
  ): Promise<void> {
    if (trackedLinks.length === 0) return;
    await this.events.add(tx, kind, 'updated', trackedLinks);
    this.announce(tx, kind, trackedLinks);
  }

  /**
   * Invalidates the caches of every process after the commit. Call it in the transaction of every deletion, and of
   * every creation with a chosen code, whose absence may be cached.
   */
  announce(tx: Tx, kind: TrackedLinkKind, trackedLinks: readonly PublishedCodes[]): void {
    const { table } = TRACKED_LINK_TABLES[kind];
    const keys = trackedLinks.flatMap(({ domainId, code, formerCodes }) =>
      [code, ...formerCodes].map((each) => keyOf({ domainId, code: each })),
    );
    tx.afterCommit(() => this.bus.publish(table, [...new Set(keys)]));
  }

  /**
   * Loads new rows into the caches after the commit. Generated codes need no invalidation, because nobody can have
   * requested them.
   */
  async fill(
    kind: TrackedLinkKind,
    trackedLinks: readonly PublishedCodes[],
    tx = this.database.current,
  ): Promise<void> {
    const fill = () => this.bus.fill(TRACKED_LINK_TABLES[kind].table, trackedLinks.map(keyOf));
    if (tx) tx.afterCommit(fill);
    else await fill();
  }

  /** Invalidates caches, because the absence of the alias may be cached. */
  private createAlias<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
    enclosing?: Tx,
  ): Promise<T> {
    return this.database.write(async (tx) => {
      const trackedLink =
        (await this.insert(audited, caller, draft, tx)) ??
        (await this.insertReleased(audited, caller, draft, tx));
      await this.events.add(tx, audited.repository.kind, 'created', [trackedLink]);
      this.announce(tx, audited.repository.kind, [trackedLink]);
      return trackedLink;
    }, enclosing);
  }

  /** Inserts a draft whose alias belongs to a deleted row. @throws ExternalIdTaken, AliasTaken */
  private async insertReleased<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
    tx: Tx,
  ): Promise<T> {
    await this.checkExternalId(audited, draft, tx);
    const released = await audited.repository.releaseMany(tx, [draft]);
    const trackedLink = released.size > 0 ? await this.insert(audited, caller, draft, tx) : null;
    if (!trackedLink) throw new AliasTaken(audited.repository.kind, draft.code);
    return trackedLink;
  }

  /** @throws ExternalIdTaken */
  private async checkExternalId<T extends TrackedLinkEntity>(
    { repository }: AuditedRepository<T>,
    draft: NewTrackedLink<T>,
    tx?: Tx,
  ): Promise<void> {
    const taken = await repository.takenExternalIds([draft], tx);
    if (taken.size > 0) throw new ExternalIdTaken(repository.kind);
  }

  /** @throws ExternalIdTaken, AliasTaken */
  private async update<T extends TrackedLinkEntity>(
    { repository }: AuditedRepository<T>,
    tx: Tx,
    trackedLink: T,
    fields: Partial<T>,
  ): Promise<void> {
    const { code } = fields;
    // The address is locked before the row, as in insertions, to avoid deadlocks.
    if (code !== undefined && !(await repository.takeCode(tx, trackedLink, code)))
      throw new AliasTaken(repository.kind, code);
    try {
      await repository.update(tx, trackedLink, fields);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === undefined) throw error;
      if (constraint.endsWith('_external_id_key')) throw new ExternalIdTaken(repository.kind);
      throw new AliasTaken(repository.kind, code ?? trackedLink.code);
    }
  }

  /** Needs no transaction, unless it sends an event. */
  private async createGenerated<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
    enclosing?: Tx,
  ): Promise<T> {
    const { kind } = audited.repository;
    if (!enclosing && !(await this.events.wanted(kind, 'created', caller.organizationId))) {
      const trackedLink = await this.insertGenerated(audited, caller, draft);
      await this.fill(kind, [trackedLink]);
      return trackedLink;
    }
    return this.database.write(async (tx) => {
      const trackedLink = await this.insertGenerated(audited, caller, draft, tx);
      await this.events.add(tx, kind, 'created', [trackedLink]);
      await this.fill(kind, [trackedLink], tx);
      return trackedLink;
    }, enclosing);
  }

  private async insertGenerated<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
    tx?: Tx,
  ): Promise<T> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const trackedLink = await this.insert(audited, caller, { ...draft, code: newCode() }, tx);
      if (trackedLink) return trackedLink;
      await this.checkExternalId(audited, draft, tx);
    }
    throw new Error(`No free code found in ${MAX_TRIES} tries`);
  }

  private insert<T extends TrackedLinkEntity>(
    audited: AuditedRepository<T>,
    caller: Caller,
    trackedLink: NewTrackedLink<T>,
    tx?: Tx,
  ): Promise<T | null> {
    const { repository } = audited;
    const { code, originalUrl } = trackedLink;
    const entry = {
      action: `${repository.kind}.create`,
      resourceType: repository.kind,
      changes: changesBetween({}, audited.auditedFields?.(trackedLink) ?? { code, originalUrl }),
    };
    return repository.insert(trackedLink, this.audit.valuesOf(caller, entry), tx);
  }
}
