import { Injectable } from '@nestjs/common';
import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { randomBase62 } from '../../common/base62';
import { Clock } from '../../common/time/clock';
import { isReservedWord } from '../domains/reserved-words';
import type { TrackedLinkKind } from '../clicks/click';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from './tracked-link.entity';
import { OgFetches, ogOfChange } from './open-graph/og-fetches';
import { type Owned, TrackedLinkEvents } from './tracked-link-events';
import {
  type Coded,
  keyOf,
  type NewTrackedLink,
  type TrackedLinksRepository,
} from './tracked-links.repository';
import { AliasTaken } from './tracked-links.errors';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

const CODE_LENGTH = 7;
/** Collisions among 62^7 codes are rare; ten in a row mean that something else is wrong. */
export const MAX_TRIES = 10;

/** A random code that is not a reserved word. */
export function newCode(): string {
  for (;;) {
    const code = randomBase62(CODE_LENGTH);
    if (!isReservedWord(code)) return code;
  }
}

/** The repository of one kind, and what the audit log records. */
export interface TrackedLinkStore<T extends TrackedLinkEntity> {
  repository: TrackedLinksRepository<T>;
  /** Removes secrets from changes. Default: records all changes. */
  auditedChanges?(changes: AuditChanges): AuditChanges;
  /** Fields recorded on creation. Default: code and destination. */
  auditedFields?(trackedLink: NewTrackedLink<T>): object;
}

/** Creates, changes and deletes links and campaigns, each with its audit entry, event and invalidation. */
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

  /** Inserts a draft, generating a code if it has no alias. @throws AliasTaken */
  create<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
  ): Promise<T> {
    return draft.isAlias
      ? this.createAlias(store, caller, draft)
      : this.createGenerated(store, caller, draft);
  }

  /**
   * Updates fields, with audit entry, event and invalidation; does nothing when they are unchanged.
   * @param verb of the action in the audit log
   * @throws NotFound
   */
  async change<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    id: number,
    fieldsOf: (trackedLink: T) => Partial<T>,
    verb = 'update',
  ): Promise<T> {
    return this.database.write(async (tx) => {
      const trackedLink = await store.repository.lock(tx, caller.organizationId, id);
      const supplied = fieldsOf(trackedLink);
      const og = ogOfChange(trackedLink, supplied);
      const fields = { ...supplied, ...og.fields } as Partial<T>;
      const { ogAuto, ...changes } = changesBetween<T>(trackedLink, fields);
      const isVisible = Object.keys(changes).length > 0;
      if (!ogAuto && !isVisible) return trackedLink;
      const now = this.clock.date();
      const changed = { ...fields, updatedAt: now };
      const { kind } = store.repository;
      await store.repository.update(tx, trackedLink.id, changed);
      if (og.isDue) await this.fetches.queue(tx, kind, trackedLink, now);
      await this.audit.record(tx, caller, {
        action: `${kind}.${verb}`,
        resourceType: kind,
        resourceId: id,
        changes: store.auditedChanges?.(changes) ?? changes,
      });
      if (isVisible) await this.changed(tx, kind, [trackedLink]);
      return Object.assign(trackedLink, changed);
    });
  }

  /** Soft-deletes: the code stops working within a second and stays taken. @throws NotFound */
  async remove<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    id: number,
  ): Promise<void> {
    await this.database.write(async (tx) => {
      const trackedLink = await store.repository.lock(tx, caller.organizationId, id);
      await store.repository.update(tx, trackedLink.id, { deletedAt: this.clock.date() });
      const { kind } = store.repository;
      await this.audit.record(tx, caller, { action: `${kind}.delete`, resourceType: kind, resourceId: id });
      await this.events.add(tx, kind, 'deleted', [trackedLink]);
      this.announce(tx, kind, [trackedLink]);
    });
  }

  /** Call it in the transaction of every update: it stores the events and invalidates caches. */
  async changed(tx: Tx, kind: TrackedLinkKind, trackedLinks: readonly (Coded & Owned)[]): Promise<void> {
    if (trackedLinks.length === 0) return;
    await this.events.add(tx, kind, 'updated', trackedLinks);
    this.announce(tx, kind, trackedLinks);
  }

  /**
   * Invalidates the caches of every process after commit. Call it in the transaction of every deletion, and of every
   * creation with a chosen code, whose absence may be cached.
   */
  announce(tx: Tx, kind: TrackedLinkKind, trackedLinks: readonly Coded[]): void {
    const { table } = TRACKED_LINK_TABLES[kind];
    tx.afterCommit(() => this.bus.publish(table, trackedLinks.map(keyOf)));
  }

  /** Invalidates caches, because the absence of the alias may be cached. */
  private createAlias<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
  ): Promise<T> {
    return this.database.write(async (tx) => {
      const trackedLink =
        (await this.insert(store, caller, draft, tx)) ??
        ((await store.repository.release(tx, draft)) ? await this.insert(store, caller, draft, tx) : null);
      if (!trackedLink) throw new AliasTaken(draft.code);
      await this.events.add(tx, store.repository.kind, 'created', [trackedLink]);
      this.announce(tx, store.repository.kind, [trackedLink]);
      return trackedLink;
    });
  }

  /** Needs no invalidation, because nobody can have requested the code, and no transaction unless it sends an event. */
  private async createGenerated<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
  ): Promise<T> {
    const { kind } = store.repository;
    if (!(await this.events.wanted(kind, 'created', caller.organizationId))) {
      return this.insertGenerated(store, caller, draft);
    }
    return this.database.write(async (tx) => {
      const trackedLink = await this.insertGenerated(store, caller, draft, tx);
      await this.events.add(tx, kind, 'created', [trackedLink]);
      return trackedLink;
    });
  }

  private async insertGenerated<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    draft: NewTrackedLink<T>,
    tx?: Tx,
  ): Promise<T> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const trackedLink = await this.insert(store, caller, { ...draft, code: newCode() }, tx);
      if (trackedLink) return trackedLink;
    }
    throw new Error(`No free code found in ${MAX_TRIES} tries`);
  }

  private insert<T extends TrackedLinkEntity>(
    store: TrackedLinkStore<T>,
    caller: Caller,
    trackedLink: NewTrackedLink<T>,
    tx?: Tx,
  ): Promise<T | null> {
    const { repository } = store;
    const { code, originalUrl } = trackedLink;
    const entry = {
      action: `${repository.kind}.create`,
      resourceType: repository.kind,
      changes: changesBetween({}, store.auditedFields?.(trackedLink) ?? { code, originalUrl }),
    };
    return repository.insert(trackedLink, this.audit.valuesOf(caller, entry), tx);
  }
}
