import { type AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import type { Clock } from '../../common/time/clock';
import type { Database, Tx } from '../../infrastructure/database/database';
import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import type { TrackedLinkKind } from '../clicks/click';
import { CodeDomains } from './code-domains';
import { type CodeMove, moveCode } from './former-codes/code-move';
import { type OgFetches, ogOfChange } from './open-graph/og-fetches';
import { auditedChanges, auditedCreation } from './tracked-link-audit';
import { DEFAULT_DOMAIN_ID, type PublishedCodes, type TrackedLinkEntity } from './tracked-link.entity';
import type { TrackedLinkEvents } from './tracked-link-events';
import { newCode } from './tracked-link-rules';
import { AliasTaken, ExternalIdTaken } from './tracked-links.errors';
import type { NewTrackedLink, TrackedLinksRepository } from './tracked-links.repository';

/** Of 62^7 codes, collisions are rare; ten in a row mean that something else is wrong. */
export const MAX_TRIES = 10;

interface Services {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly fetches: OgFetches;
  readonly events: TrackedLinkEvents;
  announce(tx: Tx, kind: TrackedLinkKind, trackedLinks: readonly PublishedCodes[]): void;
  fill(kind: TrackedLinkKind, trackedLinks: readonly PublishedCodes[], tx?: Tx): Promise<void>;
}

/** Creates, changes and deletes links or campaigns, with audit entry, event and invalidation. */
export class ChangesOf<T extends TrackedLinkEntity> {
  constructor(
    private readonly services: Services,
    private readonly repository: TrackedLinksRepository<T>,
  ) {}

  /** Inserts a draft in `tx`, generating a code if it has no alias. @throws AliasTaken, ExternalIdTaken */
  create(caller: Caller, draft: NewTrackedLink<T>, tx?: Tx): Promise<T> {
    return draft.isAlias ? this.createAlias(caller, draft, tx) : this.createGenerated(caller, draft, tx);
  }

  /**
   * Updates fields, with audit entry, event and invalidation, unless nothing changes.
   * @param verb of the action in the audit log
   * @param enclosing transaction to join
   * @throws NotFound, ExternalIdTaken, AliasTaken
   */
  async change(
    caller: Caller,
    id: number,
    fieldsOf: (trackedLink: T, tx: Tx) => Partial<T> | Promise<Partial<T>>,
    verb = 'update',
    enclosing?: Tx,
  ): Promise<T> {
    return this.services.database.write(async (tx) => {
      const trackedLink = await this.repository.lock(tx, caller.organizationId, id);
      const supplied = await fieldsOf(trackedLink, tx);
      const og = ogOfChange(trackedLink, supplied);
      const fields = { ...supplied, ...og.fields } as Partial<T>;
      const { ogAuto, isAlias: _, formerCodes: __, ...changes } = changesBetween<T>(trackedLink, fields);
      const isVisible = Object.keys(changes).length > 0;
      if (!ogAuto && !isVisible) return trackedLink;
      const now = this.services.clock.date();
      const changed = { ...fields, updatedAt: now };
      const { kind } = this.repository;
      await this.update(tx, trackedLink, changed);
      if (og.isDue) await this.services.fetches.queue(tx, kind, trackedLink, now);
      await this.services.audit.record(tx, caller, {
        action: `${kind}.${verb}`,
        resourceType: kind,
        resourceId: id,
        changes: auditedChanges(changes),
      });
      const { domainId, code, formerCodes } = trackedLink;
      const updated = Object.assign(trackedLink, changed);
      if (isVisible) await this.services.events.add(tx, kind, 'updated', [updated]);
      // The old row is included, because a released code is neither in the updated row nor in its former codes.
      this.services.announce(tx, kind, [{ domainId, code, formerCodes }, updated]);
      return updated;
    }, enclosing);
  }

  /**
   * The fields that give a locked link or campaign another code, for `change` to store.
   * @throws ReservedAlias, TOO_MANY_FORMER_ALIASES
   */
  moveCode(tx: Tx, trackedLink: T, move: CodeMove): Promise<Partial<TrackedLinkEntity>> {
    return moveCode(tx, this.repository, trackedLink, move, this.services.clock.date());
  }

  /**
   * Soft-deletes the link or campaign in `enclosing`: the code stops working within a second, and stays taken. @throws
   * NotFound
   */
  async remove(caller: Caller, id: number, enclosing?: Tx): Promise<void> {
    await this.services.database.write(async (tx) => {
      const trackedLink = await this.repository.lock(tx, caller.organizationId, id);
      await this.repository.update(tx, trackedLink, { deletedAt: this.services.clock.date() });
      const { kind } = this.repository;
      await this.services.audit.record(tx, caller, {
        action: `${kind}.delete`,
        resourceType: kind,
        resourceId: id,
      });
      await this.services.events.add(tx, kind, 'deleted', [trackedLink]);
      this.services.announce(tx, kind, [trackedLink]);
    }, enclosing);
  }

  /** Invalidates caches, because the absence of the alias may be cached. */
  private createAlias(caller: Caller, draft: NewTrackedLink<T>, enclosing?: Tx): Promise<T> {
    return this.services.database.write(async (tx) => {
      const domains = await CodeDomains.lock(tx, [draft]);
      const trackedLink =
        (await this.insert(caller, draft, domains, tx)) ??
        (await this.insertReleased(caller, draft, domains, tx));
      await this.services.events.add(tx, this.repository.kind, 'created', [trackedLink]);
      this.services.announce(tx, this.repository.kind, [trackedLink]);
      return trackedLink;
    }, enclosing);
  }

  /** Inserts a draft whose alias belongs to a deleted row. @throws ExternalIdTaken, AliasTaken */
  private async insertReleased(
    caller: Caller,
    draft: NewTrackedLink<T>,
    domains: CodeDomains,
    tx: Tx,
  ): Promise<T> {
    await this.checkExternalId(draft, tx);
    const released = await this.repository.releaseMany(tx, [draft], domains);
    const trackedLink = released.size > 0 ? await this.insert(caller, draft, domains, tx) : null;
    if (!trackedLink) throw new AliasTaken(this.repository.kind, draft.code);
    return trackedLink;
  }

  /** @throws ExternalIdTaken */
  private async checkExternalId(draft: NewTrackedLink<T>, tx?: Tx): Promise<void> {
    const taken = await this.repository.takenExternalIds([draft], tx);
    if (taken.size > 0) throw new ExternalIdTaken(this.repository.kind);
  }

  /** @throws ExternalIdTaken, AliasTaken */
  private async update(tx: Tx, trackedLink: T, fields: Partial<T>): Promise<void> {
    const { code } = fields;
    // The address is locked before the row, as in insertions, to avoid deadlocks.
    if (code !== undefined && !(await this.repository.takeCode(tx, trackedLink, code)))
      throw new AliasTaken(this.repository.kind, code);
    try {
      await this.repository.update(tx, trackedLink, fields);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === undefined) throw error;
      if (constraint.endsWith('_external_id_key')) throw new ExternalIdTaken(this.repository.kind);
      throw new AliasTaken(this.repository.kind, code ?? trackedLink.code);
    }
  }

  /** Needs no transaction, unless it sends an event or the domain could change meanwhile. */
  private async createGenerated(caller: Caller, draft: NewTrackedLink<T>, enclosing?: Tx): Promise<T> {
    const { kind } = this.repository;
    const isAlone = !enclosing && draft.domainId === DEFAULT_DOMAIN_ID;
    if (isAlone && !(await this.services.events.wanted(kind, 'created', caller.organizationId))) {
      const trackedLink = await this.insertGenerated(caller, draft, CodeDomains.default);
      await this.services.fill(kind, [trackedLink]);
      return trackedLink;
    }
    return this.services.database.write(async (tx) => {
      const domains = await CodeDomains.lock(tx, [draft]);
      const trackedLink = await this.insertGenerated(caller, draft, domains, tx);
      await this.services.events.add(tx, kind, 'created', [trackedLink]);
      await this.services.fill(kind, [trackedLink], tx);
      return trackedLink;
    }, enclosing);
  }

  private async insertGenerated(
    caller: Caller,
    draft: NewTrackedLink<T>,
    domains: CodeDomains,
    tx?: Tx,
  ): Promise<T> {
    const domain = domains.find(draft.domainId);
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const trackedLink = await this.insert(caller, { ...draft, code: newCode(domain) }, domains, tx);
      if (trackedLink) return trackedLink;
      await this.checkExternalId(draft, tx);
    }
    throw new Error(`No free code found in ${MAX_TRIES} tries`);
  }

  private insert(
    caller: Caller,
    trackedLink: NewTrackedLink<T>,
    domains: CodeDomains,
    tx?: Tx,
  ): Promise<T | null> {
    const { repository } = this;
    const entry = {
      action: `${repository.kind}.create`,
      resourceType: repository.kind,
      changes: changesBetween({}, auditedCreation(repository.kind, trackedLink)),
    };
    return repository.insert(trackedLink, this.services.audit.valuesOf(caller, entry), domains, tx);
  }
}
