import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { TargetChanges, type TargetStore } from '../targets/target-changes';
import { plainFieldsOf, suppliedFields, utmOfNew, utmOfNewDestination } from '../targets/target-fields';
import { TargetRules } from '../targets/target-rules';
import type { Link } from './link.entity';
import { LinkDirectory } from './link-directory';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';
import { LinksRepository } from './links.repository';

/** Creates, changes and deletes short links (doc 1 §4). */
@Injectable()
export class LinksService {
  private readonly store: TargetStore<Link>;

  constructor(
    rows: LinksRepository,
    directory: LinkDirectory,
    private readonly rules: TargetRules,
    private readonly changes: TargetChanges,
    private readonly clock: Clock,
  ) {
    this.store = { rows, directory };
  }

  /** @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, AliasTaken */
  async create(caller: Caller, request: CreateLinkRequest): Promise<Link> {
    const { organizationId } = caller;
    this.rules.checkAlias('customAlias', request.customAlias);
    await this.rules.checkDestinations(request);
    const expiresAt = this.rules.expiryOf('expirationDate', request.expirationDate);
    const domainId = await this.rules.domainIdOf(organizationId, request.customDomainId);
    await this.rules.checkApps(organizationId, request);
    const now = this.clock.date();
    return this.changes.create(this.store, caller, {
      organizationId,
      domainId,
      code: request.customAlias ?? '',
      isAlias: Boolean(request.customAlias),
      originalUrl: request.url,
      ...plainFieldsOf(request),
      ...utmOfNew(request, request.url),
      showAdPage: request.showAdPage ?? false,
      deduplicationWindowMinutes: null,
      expiresAt,
      createdBy: caller.userId,
      createdAt: now,
      updatedAt: now,
    });
  }

  /** @throws NotFound, DestinationNotAllowed, ValidationFailed, AppNotUsable */
  async update(caller: Caller, id: number, request: UpdateLinkRequest): Promise<Link> {
    await this.rules.checkDestinations(request);
    const expiresAt = this.rules.expiryOf('expirationDate', request.expirationDate);
    await this.rules.checkApps(caller.organizationId, request);
    const supplied = {
      ...suppliedFields(request),
      ...(request.expirationDate !== undefined && { expiresAt }),
    };
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
