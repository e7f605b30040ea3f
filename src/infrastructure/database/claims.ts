import { intArray } from './sql-arrays';
import type { Tx } from './tx';

/** Number of locks, which organizations share, because a batch may have more organizations than Postgres has locks. */
const LOCKS = 64;

/**
 * Prevents new claims for these organizations until the transaction ends. Call it before looking for claims in a
 * transaction that makes sums invalid.
 * @param lock one of ADVISORY_LOCK
 */
export async function holdOffClaims(tx: Tx, lock: number, organizationIds: Iterable<number>): Promise<void> {
  const keys = new Set([...organizationIds].map((id) => id % LOCKS));
  // In order of keys, to avoid deadlocks.
  await tx.query(`SELECT pg_advisory_xact_lock_shared($1, key) FROM unnest($2::int[]) AS key`, [
    lock,
    intArray([...keys].sort((a, b) => a - b)),
  ]);
}

/**
 * Takes the organization's lock until the transaction ends: waits for those that hold off claims, or that have taken
 * it.
 * @param lock one of ADVISORY_LOCK
 */
export async function inTurn(tx: Tx, lock: number, organizationId: number): Promise<void> {
  await tx.slow(`SELECT pg_advisory_xact_lock($1, $2)`, [lock, organizationId % LOCKS]);
}
