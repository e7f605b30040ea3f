import { type Click, decodeClick } from '../click';
import type { Tx } from '../../../infrastructure/database/database';

/**
 * Deletes the oldest rows of the journal table in the caller's transaction, and returns their clicks. Skips rows that
 * another consumer has locked.
 * @param limit number of clicks after which no further row is taken
 */
export async function takeFromJournal(tx: Tx, limit: number): Promise<Click[]> {
  const rows = await tx.query<{ lines: string }>(TAKE, [limit]);
  return rows.flatMap((row) => row.lines.split('\n')).map(decodeClick);
}

const TAKE = `
  DELETE FROM click_journal
   WHERE id IN (SELECT id
                  FROM (SELECT id, sum(clicks) OVER (ORDER BY id) - clicks AS before
                          FROM (SELECT id, clicks FROM click_journal ORDER BY id LIMIT 5000 FOR UPDATE SKIP LOCKED) AS oldest
                       ) AS counted
                 WHERE before < $1)
  RETURNING lines`;
