/** Rows of one statement: few enough that it stays far from its timeout and holds few locks. */
export const PART = 10_000;

/** SQL condition for a part of an organization's rows of a table. @param organization the parameter, such as `$1` */
export function part(table: string, organization: string, condition: string): string {
  const own = `organization_id = ${organization}`;
  return `${own} AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${own} AND ${condition} LIMIT ${PART}))`;
}

/**
 * Like `part`, of all organizations. The condition is repeated, for rows that change meanwhile. In it, the row may be
 * called `r`, if the statement calls it so too.
 * @param key unique columns
 */
export function partOfAll(table: string, key: string, condition: string, rows = PART): string {
  return `(${key}) IN (SELECT ${key} FROM ${table} AS r WHERE ${condition} LIMIT ${rows}) AND ${condition}`;
}

/**
 * Repeats a statement over a `part` until it affects no row, because concurrent changes make parts smaller. Each is a transaction of its own, so what is interrupted
 * has done whole parts, and the next run continues after them.
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
