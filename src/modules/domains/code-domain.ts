import { ADVISORY_LOCK } from '../../infrastructure/database/advisory-locks';
import type { CustomDomain } from './custom-domain.entity';
import type { Tx } from '../../infrastructure/database/database';

/** What the keys of codes depend on. */
export type CodeDomain = Pick<CustomDomain, 'id' | 'caseSensitiveCodes'>;

/** Runs a statement, in a transaction or without. */
export type Rows = <Row>(sql: string, parameters: readonly unknown[]) => Promise<Row[]>;

/** Those of the domains whose codes ignore letter case. */
export async function readFoldingDomains(rows: Rows, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const folding = await rows<{ id: number }>(FOLDING, [ids]);
  return new Set(folding.map(({ id }) => id));
}

/** `readFoldingDomains` for transactions that take or free codes: locks the setting until their end. */
export async function lockFoldingDomains(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  await tx.query(SHARED, [ids]);
  // Another statement, because that of the lock does not see what has changed while it waited.
  return readFoldingDomains((sql, values) => tx.query(sql, values), ids);
}

/** Waits until no other transaction takes or frees codes of the domain, and keeps new ones waiting. */
export async function lockCodeCase(tx: Tx, id: number): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK.codes}, hashint8($1))`, [id]);
}

const FOLDING = 'SELECT id FROM custom_domains WHERE id = ANY ($1) AND NOT case_sensitive_codes';
const SHARED = `
  SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCK.codes}, hashint8(id))
    FROM (SELECT DISTINCT id FROM unnest($1::bigint[]) AS id ORDER BY id) AS domains`;
