import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { TargetChanges, type TargetStore } from '../targets/target-changes';
import { utmOfNewDestination } from '../targets/target-fields';
import type { Link } from './link.entity';
import { LinkDirectory } from './link-directory';
import { LinkDrafts } from './link-drafts';
import { auditableChanges } from './link-extras';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';
import { LinksRepository } from './links.repository';

/** Creates, changes and deletes short links (doc 1 §4). */
@Injectable()
export class LinksService {
  private readonly store: TargetStore<Link>;

  constructor(
    rows: LinksRepository,
    directory: LinkDirectory,
    private readonly drafts: LinkDrafts,
    private readonly changes: TargetChanges,
  ) {
    this.store = { rows, directory, auditable: auditableChanges };
  }

  /** @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, AliasTaken */
  async create(caller: Caller, request: CreateLinkRequest): Promise<Link> {
    return this.changes.create(this.store, caller, await this.drafts.ofNew(caller, request));
  }

  /** @throws NotFound, DestinationNotAllowed, ValidationFailed, AppNotUsable */
  async update(caller: Caller, id: number, request: UpdateLinkRequest): Promise<Link> {
    const supplied = await this.drafts.ofUpdate(caller, request);
    return this.change(caller, id, (link) => ({ ...supplied, ...utmOfNewDestination(link, supplied) }));
  }

  /** @throws NotFound */
  change(caller: Caller, id: number, fieldsOf: (link: Link) => Partial<Link>): Promise<Link> {
    return this.changes.change(this.store, caller, id, fieldsOf);
  }

  /** Soft: the code stops answering everywhere within a second, and stays taken. @throws NotFound */
  remove(caller: Caller, id: number): Promise<void> {
    return this.changes.remove(this.store, caller, id);
  }
}
