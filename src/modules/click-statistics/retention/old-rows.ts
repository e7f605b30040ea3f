/** Rows of a table that are past their retention. */
export interface OldRows {
  readonly table: string;
  /** Columns of its primary key. A ctid would not do, because it names a row only within one partition or shard. */
  readonly key: string;
  /** SQL condition on a row `r`. */
  readonly isOld: string;
  /** The part of the condition that a concurrent change can undo. */
  readonly isStillOld?: string;
}

/** Rows of one transaction: few enough that it is short and holds few locks. */
export const CHUNK = 10_000;

/**
 * Deletes rows a chunk at a time. Each is a transaction of its own, so what is interrupted has deleted whole chunks, and
 * the next run continues after them.
 * @param run runs a statement in a transaction
 */
export async function deleteInChunks(
  run: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>,
  { table, key, isOld, isStillOld = 'true' }: OldRows,
  parameters: readonly unknown[],
  size: number,
): Promise<void> {
  const statement = `
    DELETE FROM ${table}
     WHERE (${key}) IN (SELECT ${key} FROM ${table} r WHERE ${isOld} LIMIT ${size}) AND ${isStillOld}
    RETURNING 1`;
  let deleted: unknown[];
  do {
    deleted = await run(statement, parameters);
  } while (deleted.length === size);
}
