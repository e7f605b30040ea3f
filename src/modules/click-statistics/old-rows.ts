import { deleteInBatches, batchOfAll } from '../../infrastructure/database/delete-in-batches';

/** Rows of a table that are past their retention. */
export interface OldRows {
  readonly table: string;
  /** Columns of its primary key. */
  readonly key: string;
  /** SQL condition on a row `r`. */
  readonly isOld: string;
}

/**
 * Deletes old rows in batches, each of which may take minutes.
 * @param run runs a statement in a transaction and returns its result
 */
export function deleteOldRows(
  run: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>,
  { table, key, isOld }: OldRows,
  parameters: readonly unknown[],
  rows: number,
): Promise<void> {
  const statement = `DELETE FROM ${table} AS r WHERE ${batchOfAll(table, key, isOld, rows)} RETURNING 1`;
  const execute = async (sql: string, values: readonly unknown[]) => (await run(sql, values)).length;
  return deleteInBatches({ execute }, statement, parameters);
}
