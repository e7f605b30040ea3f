import type { Tx } from './tx';

/** Work that only one transaction of an organization may do at a time. */
export type OrganizationLock =
  | 'apps'
  | 'contacts'
  | 'custom_domains'
  | 'external_ids'
  | `find_if_exists/${string}`
  | `limit/${string}`
  | 'links'
  | 'campaigns'
  | 'organization'
  | 'segments'
  | 'webhook_endpoints';

/**
 * Waits for a lock of the organization, and holds it until the transaction ends. It also replaces row locks in
 * reference tables of Citus, where locking one row makes all others wait.
 */
export async function lockOrganization(
  tx: Tx,
  lock: OrganizationLock,
  organizationId: number,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [lock, organizationId]);
}

/** `lockOrganization` for several organizations, in sorted order to avoid deadlocks. */
export async function lockOrganizations(
  tx: Tx,
  lock: OrganizationLock,
  organizationIds: readonly number[],
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, id))
       FROM (SELECT DISTINCT id FROM unnest($2::bigint[]) AS id ORDER BY id) AS organizations`,
    [lock, organizationIds],
  );
}
