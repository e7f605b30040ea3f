import type { Caller } from '../../../access/caller';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import { plainFieldsOf, utmOfNew } from './tracked-link-fields';
import type { TrackedLinkFields } from './tracked-link-fields.dto';
import type { NewTrackedLink } from '../tracked-links.repository';

/** What a request for a new link or campaign says under names of its own, checked. */
interface Given {
  domainId: number;
  alias: string | null | undefined;
  originalUrl: string;
  expiresAt: Date | null;
  now: Date;
}

/** All that a new link and a new campaign have alike. Without an alias the code is generated when it is stored. */
export function newTrackedLink(
  caller: Caller,
  request: TrackedLinkFields,
  given: Given,
): NewTrackedLink<TrackedLinkEntity> {
  const { domainId, alias, originalUrl, expiresAt, now } = given;
  return {
    organizationId: caller.organizationId,
    domainId,
    code: alias ?? '',
    isAlias: Boolean(alias),
    originalUrl,
    ...plainFieldsOf(request),
    ...utmOfNew(request, originalUrl),
    showAdPage: request.showAdPage ?? false,
    appendClickId: request.appendClickId ?? null,
    deduplicationWindowMinutes: null,
    expiresAt,
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  };
}
