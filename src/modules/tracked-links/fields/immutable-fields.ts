import { ValidationFailed } from '../../../common/errors/errors';
import { DEFAULT_DOMAIN, type TargetEntity } from '../tracked-link.entity';

/**
 * Takes a field that cannot be changed as it stands, so that an object can be sent back as it was read
 * (docs/concepts/links.md#what-can-change).
 * @param hint what to send in its place
 * @throws ValidationFailed when it says something else
 */
export function checkLasting(field: string, given: unknown, present: unknown, hint = ''): void {
  if (given !== undefined && given !== present)
    throw ValidationFailed.field(field, `cannot be changed${hint}`);
}

/** The same of the fields that make an address; null leaves them as they are. */
export function checkPlace(
  { domainId, code }: TargetEntity,
  codeField: 'customAlias' | 'alias',
  request: { customDomainId?: number | null; customAlias?: string | null; alias?: string | null },
): void {
  checkLasting(codeField, request[codeField] ?? undefined, code);
  const present = domainId === DEFAULT_DOMAIN ? null : domainId;
  checkLasting('customDomainId', request.customDomainId ?? undefined, present);
}
