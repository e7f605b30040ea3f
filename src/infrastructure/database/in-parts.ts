import type { Database } from './database';

/** Rows of one statement: few enough that it stays far from its timeout and holds few locks. */
const PART = 10_000;

/** SQL condition for a part of the rows of a table. */
export function part(table: string, condition: string): string {
  return `ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${PART}))`;
}

/**
 * Repeats a statement over a `part` until no whole part is left. Each is a transaction of its own, so what is interrupted
 * has done whole parts, and the next run continues after them.
 */
export async function inParts(
  database: Pick<Database, 'execute'>,
  statement: string,
  parameters: readonly unknown[],
): Promise<void> {
  let done: number;
  do {
    done = await database.execute(statement, parameters);
  } while (done === PART);
}
