import type { Database } from '../../infrastructure/database/database';
import { deleteInBatches, batchOfAll } from '../../infrastructure/database/delete-in-batches';

export interface OldRows {
  readonly table: string;
  /** Columns of its primary key. */
  readonly key: string;
  /** SQL condition on a row `r`. */
  readonly isOld: string;
}

/** Deletes old rows in batches, each of which may take minutes. */
export function deleteOldRows(
  database: Database,
  { table, key, isOld }: OldRows,
  parameters: readonly unknown[],
  rows: number,
): Promise<void> {
  const statement = `DELETE FROM ${table} AS r WHERE ${batchOfAll(table, key, isOld, rows)} RETURNING 1`;
  const execute = (sql: string, values: readonly unknown[]) =>
    database.write(async (tx) => (await tx.slow(sql, values)).length);
  return deleteInBatches({ execute }, statement, parameters);
}
