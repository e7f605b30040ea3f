import type { Tx } from '../../infrastructure/database/tx';

/** More than requests that run at once create together: further from its limit, an organization's creations run side by side. */
const NEAR = 100_000;

/** Whether creations have to take turns. @param left how many more the limit allows */
export function isNearLimit(left: number): boolean {
  return left <= NEAR;
}

/**
 * Serializes the transactions that create what one limit of an organization counts, so that each sees what those before
 * it have created.
 */
export async function takeTurn(
  tx: Tx,
  resource: 'links' | 'contacts' | 'webhook_endpoints',
  organizationId: number,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [resource, organizationId]);
}
