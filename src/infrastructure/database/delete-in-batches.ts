/** Rows per statement: few enough to stay far from the statement timeout and to hold few locks. */
export const BATCH_ROWS = 10_000;

/** SQL condition that selects a batch of an organization's rows. @param organization the parameter, such as `$1` */
export function batchOf(table: string, organization: string, condition: string): string {
  const own = `organization_id = ${organization}`;
  return `${own} AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${own} AND ${condition} LIMIT ${BATCH_ROWS}))`;
}

/**
 * Like `batchOf`, for all organizations. The condition is repeated outside the subquery because rows may change in
 * between. In the condition, the row is called `r`, if the statement uses that alias too.
 * @param key unique columns
 */
export function batchOfAll(table: string, key: string, condition: string, rows = BATCH_ROWS): string {
  return `(${key}) IN (SELECT ${key} FROM ${table} AS r WHERE ${condition} LIMIT ${rows}) AND ${condition}`;
}

/**
 * Repeats a statement over a batch until it affects no row; concurrent changes make batches smaller, so a short batch
 * is not the last. Each batch is a transaction of its own, and after an interruption the next run continues.
 */
export async function deleteInBatches(
  database: { execute(statement: string, parameters: readonly unknown[]): Promise<number> },
  statement: string,
  parameters: readonly unknown[],
): Promise<void> {
  let done: number;
  do {
    done = await database.execute(statement, parameters);
  } while (done > 0);
}
