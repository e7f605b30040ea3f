import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import { TrackedLinkChanges, type TrackedLinkStore } from '../tracked-links/tracked-link-changes';
import { checkLasting, checkPlace, utmOfUpdate } from '../tracked-links/fields/tracked-link-fields';
import type { Link } from './link.entity';
import { LinkCache } from './link-cache';
import { LinkDrafts, auditableChanges } from './link-drafts';
import { LinkLimit } from './link-limit';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';
import { LinksRepository } from './links.repository';

/** Creates, changes and deletes short links (docs/concepts/links.md). */
@Injectable()
export class LinksService {
  private readonly store: TrackedLinkStore<Link>;

  constructor(
    rows: LinksRepository,
    directory: LinkCache,
    private readonly drafts: LinkDrafts,
    private readonly changes: TrackedLinkChanges,
    private readonly limit: LinkLimit,
  ) {
    this.store = { rows, directory, auditable: auditableChanges };
  }

  /**
   * @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, AliasTaken,
   * LimitReached
   */
  async create(caller: Caller, request: CreateLinkRequest): Promise<Link> {
    const draft = await this.drafts.ofNew(caller, request);
    await this.limit.check(caller);
    return this.changes.create(this.store, caller, draft);
  }

  /** @throws NotFound, DestinationNotAllowed, ValidationFailed, AppNotUsable */
  async update(caller: Caller, id: number, request: UpdateLinkRequest): Promise<Link> {
    const supplied = await this.drafts.ofUpdate(caller, request);
    return this.change(caller, id, (link) => {
      checkUnchanged(link, request);
      return { ...supplied, ...utmOfUpdate(link, supplied) };
    });
  }

  /** @throws NotFound */
  change(caller: Caller, id: number, fieldsOf: (link: Link) => Partial<Link>): Promise<Link> {
    return this.changes.change(this.store, caller, id, fieldsOf);
  }

  /** @param disabledReason null: enables it again. @throws NotFound */
  disable(caller: Caller, id: number, disabledReason: string | null): Promise<Link> {
    const verb = disabledReason === null ? 'enable' : 'disable';
    return this.changes.change(this.store, caller, id, () => ({ disabledReason }), verb);
  }

  /** Soft: the code stops answering everywhere within a second, and stays taken. @throws NotFound */
  remove(caller: Caller, id: number): Promise<void> {
    return this.changes.remove(this.store, caller, id);
  }
}

/** @throws ValidationFailed naming a field that cannot be changed, or not under that name */
function checkUnchanged(link: Link, request: UpdateLinkRequest): void {
  checkPlace(link, 'customAlias', request);
  const { url, originalUrl, expiresAt } = request;
  if (url !== originalUrl) checkLasting('url', url ?? undefined, link.originalUrl, ' here: send originalUrl');
  const expiry = expiresAt && toDateTime(parseDateTime(expiresAt));
  checkLasting('expiresAt', expiry, toDateTime(link.expiresAt), ' here: send expirationDate');
}
