import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../access/audit/audit-log';
import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { Caller } from '../../access/caller';
import { randomBase62 } from '../../common/base62';
import { NotFound } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { type Tx, Transactions } from '../../infrastructure/database/transactions';
import { isReservedWord } from '../domains/reserved-words';
import type { Link } from './link.entity';
import { LinkDirectory } from './link-directory';
import { plainFieldsOf, suppliedFields, utmOfNew, utmOfNewDestination } from './link-fields';
import { LinkRules } from './link-rules';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';
import { AliasTaken } from './links.errors';
import { LinksRepository, type NewLink } from './links.repository';

const CODE_LENGTH = 7;
/** Of 62^7 codes; a second try is rare, a tenth means that something else is wrong. */
const MAX_TRIES = 10;

/** Creates, changes and deletes short links (doc 1 §4). */
@Injectable()
export class LinksService {
  constructor(
    private readonly tx: Transactions,
    private readonly links: LinksRepository,
    private readonly rules: LinkRules,
    private readonly directory: LinkDirectory,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, AliasTaken */
  async create(caller: Caller, request: CreateLinkRequest): Promise<Link> {
    const { organizationId } = caller;
    this.rules.checkAlias(request.customAlias);
    await this.rules.checkDestinations(request);
    const expiresAt = this.rules.expiryOf(request.expirationDate);
    const domainId = await this.rules.domainIdOf(organizationId, request.customDomainId);
    await this.rules.checkApps(organizationId, request);
    const now = this.clock.date();
    const draft: NewLink = {
      organizationId,
      domainId,
      code: request.customAlias ?? '',
      isAlias: Boolean(request.customAlias),
      originalUrl: request.url,
      ...plainFieldsOf(request),
      ...utmOfNew(request),
      showAdPage: request.showAdPage ?? false,
      deduplicationWindowMinutes: null,
      expiresAt,
      createdBy: caller.userId,
      createdAt: now,
      updatedAt: now,
    };
    return draft.isAlias ? this.createAlias(caller, draft) : this.createGenerated(caller, draft);
  }

  /** @throws NotFound, DestinationNotAllowed, ValidationFailed, AppNotUsable */
  async update(caller: Caller, id: number, request: UpdateLinkRequest): Promise<Link> {
    await this.rules.checkDestinations(request);
    const expiresAt = this.rules.expiryOf(request.expirationDate);
    await this.rules.checkApps(caller.organizationId, request);
    const supplied = {
      ...suppliedFields(request),
      ...(request.expirationDate !== undefined && { expiresAt }),
    };
    return this.change(caller, id, (link) => ({ ...supplied, ...utmOfNewDestination(link, supplied) }));
  }

  /**
   * Changes fields of a link, tells every process and the audit log; nothing happens when they already are so.
   * @throws NotFound
   */
  async change(caller: Caller, id: number, fieldsOf: (link: Link) => Partial<Link>): Promise<Link> {
    return this.tx.run(async (tx) => {
      const link = await this.lock(tx, caller, id);
      const fields = fieldsOf(link);
      const changes = changesBetween<Link>(link, fields);
      if (Object.keys(changes).length === 0) return link;
      const changed = { ...fields, updatedAt: this.clock.date() };
      await this.links.update(tx, link.id, changed);
      await this.record(tx, caller, 'update', id, changes);
      this.directory.changed(tx, [link]);
      return Object.assign(link, changed);
    });
  }

  /** Soft: the code stops answering everywhere within a second, and stays taken. @throws NotFound */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.tx.run(async (tx) => {
      const link = await this.lock(tx, caller, id);
      await this.links.update(tx, link.id, { deletedAt: this.clock.date() });
      await this.record(tx, caller, 'delete', id);
      this.directory.changed(tx, [link]);
    });
  }

  private record(
    tx: Tx,
    caller: Caller,
    verb: 'update' | 'delete',
    resourceId: number,
    changes?: AuditChanges,
  ): Promise<void> {
    const entry = { action: `link.${verb}`, resourceType: 'link', resourceId };
    return this.audit.record(tx, caller, changes ? { ...entry, changes } : entry);
  }

  private async lock(tx: Tx, caller: Caller, id: number): Promise<Link> {
    const link = await this.links.findForUpdate(tx, caller.organizationId, id);
    if (!link) throw new NotFound('Link');
    return link;
  }

  /** Processes may remember that nothing was there, so they are told. */
  private createAlias(caller: Caller, draft: NewLink): Promise<Link> {
    return this.tx.run(async (tx) => {
      const link =
        (await this.insert(caller, draft)) ??
        ((await this.links.release(tx, draft)) ? await this.insert(caller, draft) : null);
      if (!link) throw new AliasTaken(draft.code);
      this.directory.changed(tx, [link]);
      return link;
    });
  }

  /** Nobody can have asked for the code before, so there is nobody to tell, and one statement does it all. */
  private async createGenerated(caller: Caller, draft: NewLink): Promise<Link> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const code = randomBase62(CODE_LENGTH);
      const link = isReservedWord(code) ? null : await this.insert(caller, { ...draft, code });
      if (link) return link;
    }
    throw new Error(`No free code found in ${MAX_TRIES} tries`);
  }

  private insert(caller: Caller, link: NewLink): Promise<Link | null> {
    const { code, originalUrl } = link;
    const entry = {
      action: 'link.create',
      resourceType: 'link',
      changes: changesBetween({}, { code, originalUrl }),
    };
    return this.links.insert(link, this.audit.valuesOf(caller, entry));
  }
}
