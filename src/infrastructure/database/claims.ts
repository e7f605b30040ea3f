import { intArray } from './sql-arrays';
import type { Tx } from './tx';

/** Organizations share locks, because a batch may be of more organizations than Postgres has locks. */
const LOCKS = 64;

/**
 * In a transaction that makes sums of these organizations invalid, before it looks for their claims.
 * @param lock one of ADVISORY_LOCK
 */
export async function holdOffClaims(tx: Tx, lock: number, organizationIds: Iterable<number>): Promise<void> {
  const keys = new Set([...organizationIds].map((id) => id % LOCKS));
  // In order, to avoid deadlocks.
  await tx.query(`SELECT pg_advisory_xact_lock_shared($1, key) FROM unnest($2::int[]) AS key`, [
    lock,
    intArray([...keys].sort((a, b) => a - b)),
  ]);
}

/** Before a claim is written: waits for the transactions that have not seen it. @param lock one of ADVISORY_LOCK */
export async function awaitChanges(tx: Tx, lock: number, organizationId: number): Promise<void> {
  await tx.slow(`SELECT pg_advisory_xact_lock($1, $2)`, [lock, organizationId % LOCKS]);
}
