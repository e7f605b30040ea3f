import type { CustomDomain } from '../custom-domain.entity';

const HOUR_MS = 3_600_000;
/** So long a domain may wait for its CNAME, and keep its name from others meanwhile. */
export const PENDING_MS = 72 * HOUR_MS;
/** So long every check must have missed the CNAME of a verified domain before it is revoked. */
const GONE_MS = 7 * 24 * HOUR_MS;

type Judged = Pick<CustomDomain, 'status' | 'pendingSince' | 'failingSince'>;

/**
 * What a check makes of a domain (the table of docs/concepts/domains.md#states).
 * @param found whether the CNAME led to where it must
 */
export function afterCheck(domain: Judged, found: boolean, now: Date): Partial<CustomDomain> {
  if (domain.status === 'PENDING') {
    if (found) return { status: 'VERIFIED', verifiedAt: now, failingSince: null };
    return now.getTime() - domain.pendingSince.getTime() >= PENDING_MS ? { status: 'FAILED' } : {};
  }
  if (domain.status !== 'VERIFIED' && domain.status !== 'ACTIVE') return {};
  if (found) return { failingSince: null };
  const failingSince = domain.failingSince ?? now;
  const gone = now.getTime() - failingSince.getTime() >= GONE_MS;
  return gone ? { status: 'REVOKED', failingSince } : { failingSince };
}
