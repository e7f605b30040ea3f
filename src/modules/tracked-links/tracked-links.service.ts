import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Page, type PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import type { ChangesOf } from './changes-of';
import { FIELD_NAMES } from './fields/field-names';
import type { TrackedLinkResponse } from './fields/tracked-link.dto';
import { checkDomain, utmOfUpdate } from './fields/tracked-link-fields';
import { ExistingTrackedLinks } from './find-if-exists/existing-tracked-links';
import { TrackedLinkFilter } from './list/tracked-link-filter';
import type { TrackedLinkFilters } from './list/tracked-link-list.dto';
import { TrackedLinkListQuery } from './list/tracked-link-list.query';
import { TrackedLinkSearch } from './list/tracked-link-search';
import type { TrackedLinkEntity } from './tracked-link.entity';
import { TrackedLinkChanges } from './tracked-link-changes';
import { type DraftCache, type DraftRequest, TrackedLinkDrafts } from './tracked-link-drafts';
import { TrackedLinkEvents, type TrackedLinkView } from './tracked-link-events';
import type { TrackedLinkLimit } from './tracked-link-limit';
import { TrackedLinkPlaces } from './tracked-link-places';
import type { Counted, NewTrackedLink, TrackedLinksRepository } from './tracked-links.repository';
import type { Tx } from '../../infrastructure/database/database';

/** What the services of both kinds need. */
@Injectable()
export class TrackedLinkParts {
  constructor(
    readonly drafts: TrackedLinkDrafts,
    readonly changes: TrackedLinkChanges,
    readonly events: TrackedLinkEvents,
    readonly existing: ExistingTrackedLinks,
    readonly lists: TrackedLinkListQuery,
    readonly searches: TrackedLinkSearch,
    readonly places: TrackedLinkPlaces,
    readonly clock: Clock,
  ) {}
}

type UpdateRequest = DraftRequest & { releaseOld?: boolean | null };

/** Rows per statement of `all`. */
const BATCH = 500;

/**
 * Links or campaigns: one implementation with two faces, which differ in the names of some fields, in the limit and in
 * columns of their own (docs/concepts/links.md).
 */
export abstract class TrackedLinksService<
  T extends TrackedLinkEntity,
  R extends TrackedLinkResponse,
> implements TrackedLinkView<T> {
  readonly changes: ChangesOf<T>;
  readonly rows: TrackedLinksRepository<T>;
  readonly limit: TrackedLinkLimit;

  constructor(
    protected readonly parts: TrackedLinkParts,
    own: { rows: TrackedLinksRepository<T>; limit: TrackedLinkLimit },
  ) {
    this.rows = own.rows;
    this.limit = own.limit;
    this.changes = parts.changes.of(own.rows);
    parts.events.register(this);
  }

  /** The request class of a creation, for items of a bulk request. */
  abstract readonly createRequest: new () => DraftRequest;

  /** Responses for rows of one organization. @param tx shows the deletion of an app before it is committed */
  abstract show(organizationId: number, rows: readonly Counted<T>[], tx?: Tx): Promise<R[]>;

  /** The condition of a list; the search depends on the kind. */
  abstract filterOf(organizationId: number, query: TrackedLinkFilters): Promise<TrackedLinkFilter>;

  /** @throws as TrackedLinkDrafts.ofNew */
  async draftOf(caller: Caller, request: DraftRequest, cache?: DraftCache): Promise<NewTrackedLink<T>> {
    const draft = await this.parts.drafts.ofNew(caller, this.rows.kind, request, cache);
    return { ...draft, ...this.ownColumns(request, caller) } as NewTrackedLink<T>;
  }

  /**
   * @throws ReservedAlias, DESTINATION_NOT_ALLOWED, ValidationFailed, DomainNotUsable, APP_NOT_USABLE, AliasTaken,
   * LimitReached
   */
  async create(caller: Caller, request: DraftRequest): Promise<R> {
    return this.showOne(withoutClicks(await this.createWithin(caller, await this.draftOf(caller, request))));
  }

  /** Finds one with the same settings, or creates it. @throws as `create` */
  async findOrCreate(caller: Caller, request: DraftRequest): Promise<{ isNew: boolean; shown: R }> {
    const draft = await this.draftOf(caller, request);
    const outcome = await this.parts.existing.findOrCreate(this.rows, draft, (tx) =>
      this.createWithin(caller, draft, tx),
    );
    if ('found' in outcome) return { isNew: false, shown: await this.showOne(outcome.found) };
    return { isNew: true, shown: await this.showOne(withoutClicks(outcome.created)) };
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number, tx?: Tx): Promise<R> {
    return this.showOne(await this.rows.get(organizationId, id, tx));
  }

  async list({ organizationId }: Caller, query: TrackedLinkFilters & PageQuery): Promise<Page<R>> {
    const filter = await this.filterOf(organizationId, query);
    const { trackedLinks, total } = await this.parts.lists.run(this.rows, filter, query);
    return Page.of(await this.show(organizationId, trackedLinks), total, query);
  }

  /**
   * All matches, in batches. No connection is held between batches; those deleted meanwhile are omitted, and changed
   * ones keep their position.
   */
  async *all(organizationId: number, query: TrackedLinkFilters): AsyncGenerator<Counted<T>[]> {
    const ids = await this.ids(organizationId, query);
    for (let from = 0; from < ids.length; from += BATCH) {
      yield await this.parts.lists.byIds(this.rows, organizationId, [...ids.subarray(from, from + BATCH)]);
    }
  }

  /** The ids of all matches, in order. */
  async ids(organizationId: number, query: TrackedLinkFilters): Promise<Float64Array> {
    return this.parts.lists.ids(this.rows, await this.filterOf(organizationId, query), query.sort);
  }

  /**
   * @throws NotFound, DESTINATION_NOT_ALLOWED, ValidationFailed, APP_NOT_USABLE, ReservedAlias, AliasTaken,
   * TOO_MANY_FORMER_ALIASES, ExternalIdTaken
   */
  async update(caller: Caller, id: number, request: UpdateRequest): Promise<R> {
    const { kind } = this.rows;
    const fieldsFor = await this.parts.drafts.ofUpdate(caller, kind, request);
    const { alias: field } = FIELD_NAMES[kind];
    const move = { field, alias: request[field], releaseOld: request.releaseOld };
    await this.changes.change(caller, id, async (present, tx) => {
      checkDomain(present, request);
      this.checkUnchanged(present, request);
      const fields = { ...fieldsFor(present), ...this.ownColumns(request) };
      return {
        ...fields,
        ...utmOfUpdate(present, fields),
        ...(await this.changes.moveCode(tx, present, move)),
      };
    });
    return this.get(caller, id);
  }

  /** @throws NotFound */
  change(caller: Caller, id: number, fields: Partial<TrackedLinkEntity>): Promise<T> {
    return this.changes.change(caller, id, () => fields as Partial<T>);
  }

  /**
   * @param disabledReason null enables it again
   * @throws NotFound
   */
  disable(caller: Caller, id: number, disabledReason: string | null): Promise<T> {
    const verb = disabledReason === null ? 'enable' : 'disable';
    return this.changes.change(caller, id, () => ({ disabledReason }) as Partial<T>, verb);
  }

  /** Soft-deletes it: its code stops working within a second, and stays taken. @throws NotFound */
  remove(caller: Caller, id: number): Promise<void> {
    return this.changes.remove(caller, id);
  }

  /** The creation of a request that creates or changes. @throws ValidationFailed */
  forCreation(request: DraftRequest): DraftRequest {
    return request;
  }

  /** The change of a request that creates or changes. @throws ValidationFailed */
  forUpdate(request: DraftRequest): UpdateRequest {
    return request;
  }

  /** Columns of this kind only. @param creator null in an update */
  protected ownColumns(_request: DraftRequest, _creator: Caller | null = null): Partial<T> {
    return {};
  }

  /** @throws ValidationFailed naming a field that cannot be changed, or that has another name in updates */
  protected checkUnchanged(_present: T, _request: UpdateRequest): void {
    // No further fields.
  }

  private async showOne(row: Counted<T>): Promise<R> {
    const [shown] = await this.show(row.organizationId, [row]);
    return shown as R;
  }

  /** @throws LimitReached, AliasTaken, ExternalIdTaken */
  private createWithin(caller: Caller, draft: NewTrackedLink<T>, enclosing?: Tx): Promise<T> {
    return this.limit.within(
      caller,
      ({ count, refusal }, tx) => {
        if (count === 0) throw refusal;
        return this.changes.create(caller, draft, tx);
      },
      enclosing,
    );
  }
}

/** A new row with its counts. */
export function withoutClicks<T extends TrackedLinkEntity>(row: T): Counted<T> {
  return Object.assign({}, row, { clickCount: 0, health: null });
}
