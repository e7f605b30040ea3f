import type { Caller } from '../../../access/caller';
import type { TargetEntity } from '../tracked-link.entity';
import { plainFieldsOf, utmOfNew } from './tracked-link-fields';
import type { TargetFields } from './tracked-link-fields.dto';
import type { NewTarget } from '../tracked-links.repository';

/** What a request for a new link or campaign says under names of its own, checked. */
interface Given {
  domainId: number;
  alias: string | null | undefined;
  originalUrl: string;
  expiresAt: Date | null;
  now: Date;
}

/** All that a new link and a new campaign have alike. Without an alias the code is generated when it is stored. */
export function newTarget(caller: Caller, request: TargetFields, given: Given): NewTarget<TargetEntity> {
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
