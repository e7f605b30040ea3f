import type { CustomDomain } from '../custom-domain.entity';

const HOUR_MS = 3_600_000;
/** How long a domain may wait for its CNAME and reserve its name. */
export const PENDING_MS = 72 * HOUR_MS;
/** How long the CNAME of a verified domain must be missing before the domain is revoked. */
const GONE_MS = 7 * 24 * HOUR_MS;

type Judged = Pick<CustomDomain, 'status' | 'pendingSince' | 'failingSince'>;

/**
 * The changes to a domain after a check (docs/concepts/domains.md#states).
 * @param found whether the CNAME has the required value
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
