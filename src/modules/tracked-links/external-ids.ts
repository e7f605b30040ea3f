import type { Caller } from '../../access/caller';
import { NotFound, ValidationFailed } from '../../common/errors/errors';
import type { TrackedLinkResponse } from './fields/tracked-link.dto';
import type { DraftRequest } from './tracked-link-drafts';
import type { TrackedLinkEntity } from './tracked-link.entity';
import { ExternalIdTaken } from './tracked-links.errors';
import type { TrackedLinksService } from './tracked-links.service';

/** A call only loses a race against a committed creation or deletion, so few tries suffice. */
const MAX_TRIES = 10;

/**
 * Changes the one with the external id, or creates it (docs/concepts/links.md#external-ids). Of concurrent calls, one
 * creates it and the others change it.
 * @throws errors of creating and changing; ValidationFailed if the body has another external id
 */
export async function saveByExternalId<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
  service: TrackedLinksService<T, R>,
  caller: Caller,
  externalId: string,
  body: DraftRequest,
): Promise<{ isNew: boolean; saved: R }> {
  if (body.externalId && body.externalId !== externalId)
    throw ValidationFailed.field('externalId', 'must be that of the path');
  const request: DraftRequest = Object.assign({}, body, { externalId });
  for (let attempt = 1; ; attempt++) {
    const found = await service.rows.findByExternalId(caller.organizationId, externalId);
    try {
      if (!found) return { isNew: true, saved: await service.create(caller, service.forCreation(request)) };
      return { isNew: false, saved: await service.update(caller, found.id, service.forUpdate(request)) };
    } catch (error) {
      const lost = found ? error instanceof NotFound : error instanceof ExternalIdTaken;
      if (!lost || attempt === MAX_TRIES) throw error;
    }
  }
}
