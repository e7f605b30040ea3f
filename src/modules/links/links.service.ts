import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Page } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import type { Tx } from '../../infrastructure/database/tx';
import type { TrackedLinkContext } from '../tracked-links/fields/tracked-link.dto';
import {
  checkDomain,
  checkLasting,
  checkTimes,
  utmOfUpdate,
} from '../tracked-links/fields/tracked-link-fields';
import { ExistingTrackedLinks } from '../tracked-links/find-if-exists/existing-tracked-links';
import { TrackedLinkChanges } from '../tracked-links/tracked-link-changes';
import type { ChangesOf } from '../tracked-links/changes-of';
import { TrackedLinkPlaces } from '../tracked-links/tracked-link-places';
import type { Link } from './link.entity';
import { auditedChanges, LinkDrafts, type NewLink } from './link-drafts';
import { LinkLimit } from './link-limit';
import { LinkListQuery } from './link-list.query';
import type { CreateLinkRequest, ListLinksQuery, UpdateLinkRequest } from './links.dto';
import { type CountedLink, LinksRepository } from './links.repository';
import { type ShortUrlResponse, toShortUrlResponse } from './short-url.dto';

/** See docs/concepts/links.md. */
@Injectable()
export class LinksService {
  private readonly changes: ChangesOf<Link>;

  constructor(
    private readonly repository: LinksRepository,
    private readonly limit: LinkLimit,
    private readonly drafts: LinkDrafts,
    changes: TrackedLinkChanges,
    private readonly places: TrackedLinkPlaces,
    private readonly listQuery: LinkListQuery,
    private readonly existing: ExistingTrackedLinks,
  ) {
    this.changes = changes.of({ repository, auditedChanges });
  }

  /**
   * @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, AliasTaken,
   * LimitReached
   */
  async create(caller: Caller, request: CreateLinkRequest): Promise<ShortUrlResponse> {
    const draft = await this.drafts.ofNew(caller, request);
    return this.toResponse(await this.createWithin(caller, draft), { clickCount: 0 });
  }

  /** Finds a link with the same settings, or creates one. @throws as `create` */
  async findOrCreate(
    caller: Caller,
    request: CreateLinkRequest,
  ): Promise<{ isNew: boolean; link: ShortUrlResponse }> {
    const draft = await this.drafts.ofNew(caller, request);
    const outcome = await this.existing.findOrCreate(this.repository, draft, (tx) =>
      this.createWithin(caller, draft, tx),
    );
    if ('found' in outcome)
      return { isNew: false, link: await this.toResponse(outcome.found, outcome.found) };
    return { isNew: true, link: await this.toResponse(outcome.created, { clickCount: 0 }) };
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number, tx?: Tx): Promise<ShortUrlResponse> {
    const link = await this.repository.get(organizationId, id, tx);
    return this.toResponse(link, link);
  }

  async list({ organizationId }: Caller, query: ListLinksQuery): Promise<Page<ShortUrlResponse>> {
    const { links, total } = await this.listQuery.run(organizationId, query);
    const placeOf = await this.places.findMany(organizationId, links);
    const content = links.map((link) =>
      toShortUrlResponse(link, { ...placeOf(link), clickCount: link.clickCount, health: link.health }),
    );
    return Page.of(content, total, query);
  }

  /**
   * @throws NotFound, DestinationNotAllowed, ValidationFailed, AppNotUsable, ReservedAlias, AliasTaken,
   * TooManyFormerAliases, ExternalIdTaken
   */
  async update(caller: Caller, id: number, request: UpdateLinkRequest): Promise<ShortUrlResponse> {
    const supplied = await this.drafts.ofUpdate(caller, request);
    const { customAlias: alias, releaseOld } = request;
    await this.changes.change(caller, id, async (present, tx) => {
      checkUnchanged(present, request);
      checkTimes(request, supplied, present);
      const move = { field: 'customAlias', alias, releaseOld } as const;
      return {
        ...supplied,
        ...utmOfUpdate(present, supplied),
        ...(await this.changes.moveCode(tx, present, move)),
      };
    });
    return this.get(caller, id);
  }

  /** @throws NotFound */
  change(caller: Caller, id: number, fieldsOf: (link: Link) => Partial<Link>): Promise<Link> {
    return this.changes.change(caller, id, fieldsOf);
  }

  /**
   * @param disabledReason null enables the link again
   * @throws NotFound
   */
  disable(caller: Caller, id: number, disabledReason: string | null): Promise<Link> {
    const verb = disabledReason === null ? 'enable' : 'disable';
    return this.changes.change(caller, id, () => ({ disabledReason }), verb);
  }

  /** Soft-deletes the link: its code stops working within a second, and stays taken. @throws NotFound */
  remove(caller: Caller, id: number): Promise<void> {
    return this.changes.remove(caller, id);
  }

  /** Responses for links of one organization; errors among them keep their position. */
  async toResponses<E extends Error>(
    { organizationId }: Caller,
    outcomes: readonly (Link | { found: CountedLink } | E)[],
  ): Promise<(ShortUrlResponse | { found: ShortUrlResponse } | E)[]> {
    const links = outcomes.flatMap((each) =>
      each instanceof Error ? [] : 'found' in each ? each.found : each,
    );
    const placeOf = await this.places.findMany(organizationId, links);
    return outcomes.map((each) => {
      if (each instanceof Error) return each;
      if (!('found' in each)) return toShortUrlResponse(each, { ...placeOf(each), clickCount: 0 });
      const { found } = each;
      const { clickCount, health } = found;
      return { found: toShortUrlResponse(found, { ...placeOf(found), clickCount, health }) };
    });
  }

  /** @throws LimitReached, AliasTaken, ExternalIdTaken */
  private createWithin(caller: Caller, draft: NewLink, enclosing?: Tx): Promise<Link> {
    return this.limit.within(
      caller,
      ({ count, refusal }, tx) => {
        if (count === 0) throw refusal;
        return this.changes.create(caller, draft, tx);
      },
      enclosing,
    );
  }

  private async toResponse(
    link: Link,
    { clickCount, health }: Pick<TrackedLinkContext, 'clickCount' | 'health'>,
  ): Promise<ShortUrlResponse> {
    return toShortUrlResponse(link, { ...(await this.places.find(link)), clickCount, health });
  }
}

/** @throws ValidationFailed naming a field that cannot be changed, or that has another name in updates */
function checkUnchanged(link: Link, request: UpdateLinkRequest): void {
  checkDomain(link, request);
  const { url, originalUrl, expiresAt } = request;
  if (url !== originalUrl) checkLasting('url', url ?? undefined, link.originalUrl, ' here: send originalUrl');
  const expiry = expiresAt && toDateTime(parseDateTime(expiresAt));
  checkLasting('expiresAt', expiry, toDateTime(link.expiresAt), ' here: send expirationDate');
}
