import type { Caller } from '../../access/caller';
import { NotFound, ValidationFailed } from '../../common/errors/errors';
import type { TrackedLinkEntity } from './tracked-link.entity';
import type { TrackedLinksRepository } from './tracked-links.repository';
import { ExternalIdTaken } from './tracked-links.errors';

interface TrackedLinks<Request, Response> {
  get(caller: Caller, id: number): Promise<Response>;
  create(caller: Caller, request: Request): Promise<Response>;
  update(caller: Caller, id: number, request: Request): Promise<Response>;
  remove(caller: Caller, id: number): Promise<void>;
}

/** A call only loses a race against a committed creation or deletion, so few tries suffice. */
const MAX_TRIES = 10;

/**
 * Operations on links or campaigns by their id in the organization's own system (docs/concepts/links.md#external-ids).
 */
export abstract class ExternalIds<Request extends { externalId?: string | null }, Response> {
  constructor(
    private readonly repository: Pick<
      TrackedLinksRepository<TrackedLinkEntity>,
      'findByExternalId' | 'getByExternalId'
    >,
    private readonly trackedLinks: TrackedLinks<Request, Response>,
  ) {}

  /** @throws NotFound */
  async get(caller: Caller, externalId: string): Promise<Response> {
    const { id } = await this.repository.getByExternalId(caller.organizationId, externalId);
    return this.trackedLinks.get(caller, id);
  }

  /**
   * Changes the one with the external id, or creates it. Of concurrent calls, one creates it and the others change it.
   * @throws errors of creating and changing; ValidationFailed if the body has another external id
   */
  async save(
    caller: Caller,
    externalId: string,
    body: Request,
  ): Promise<{ isNew: boolean; saved: Response }> {
    if (body.externalId && body.externalId !== externalId)
      throw ValidationFailed.field('externalId', 'must be that of the path');
    const request = { ...body, externalId };
    for (let attempt = 1; ; attempt++) {
      const found = await this.repository.findByExternalId(caller.organizationId, externalId);
      try {
        if (!found) return { isNew: true, saved: await this.trackedLinks.create(caller, request) };
        return { isNew: false, saved: await this.trackedLinks.update(caller, found.id, request) };
      } catch (error) {
        const lost = found ? error instanceof NotFound : error instanceof ExternalIdTaken;
        if (!lost || attempt === MAX_TRIES) throw error;
      }
    }
  }

  /** @throws NotFound */
  async remove(caller: Caller, externalId: string): Promise<void> {
    const { id } = await this.repository.getByExternalId(caller.organizationId, externalId);
    await this.trackedLinks.remove(caller, id);
  }
}
