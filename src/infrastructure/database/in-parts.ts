/** Rows per statement: few enough to stay far from the statement timeout and to hold few locks. */
export const PART = 10_000;

/** SQL condition that selects a batch of an organization's rows. @param organization the parameter, such as `$1` */
export function part(table: string, organization: string, condition: string): string {
  const own = `organization_id = ${organization}`;
  return `${own} AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${own} AND ${condition} LIMIT ${PART}))`;
}

/**
 * Like `part`, for all organizations. The condition is repeated outside the subquery because rows may change in
 * between. In the condition, the row is called `r`, if the statement uses that alias too.
 * @param key unique columns
 */
export function partOfAll(table: string, key: string, condition: string, rows = PART): string {
  return `(${key}) IN (SELECT ${key} FROM ${table} AS r WHERE ${condition} LIMIT ${rows}) AND ${condition}`;
}

/**
 * Repeats a statement over a `part` until it affects no row; concurrent changes make batches smaller, so a short batch
 * is not the last. Each batch is a transaction of its own, and after an interruption the next run continues.
 */
export async function inParts(
  database: { execute(statement: string, parameters: readonly unknown[]): Promise<number> },
  statement: string,
  parameters: readonly unknown[],
): Promise<void> {
  let done: number;
  do {
    done = await database.execute(statement, parameters);
  } while (done > 0);
}
