import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A value for COPY; a string is in Postgres's text notation (`\x00ff` for bytes). */
export type CopyValue = string | number | boolean | null;

const ROWS_A_CHUNK = 500;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * Inserts rows with COPY in a running transaction; for thousands of rows it takes less than half the time of
 * INSERT.
 *
 * @param target table and columns, such as `clicks (id, clicked_at)`
 * @param valuesOf maps a row to its values, in column order
 * @throws pg's error; the transaction is then aborted, except inside a savepoint
 */
export async function copyRows<Row>(
  client: Client,
  target: string,
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly CopyValue[],
): Promise<void> {
  await pipeline(
    Readable.from(chunksOf(rows, valuesOf)),
    client.query(copyFrom(`COPY ${target} FROM STDIN`)),
  );
}

function* chunksOf<Row>(
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly CopyValue[],
): Generator<string> {
  for (let start = 0; start < rows.length; start += ROWS_A_CHUNK) {
    let chunk = '';
    for (const row of rows.slice(start, start + ROWS_A_CHUNK)) chunk += lineOf(valuesOf(row));
    yield chunk;
  }
}

function lineOf(values: readonly CopyValue[]): string {
  return `${values.map(encode).join('\t')}\n`;
}

function encode(value: CopyValue): string {
  if (value === null) return '\\N';
  return typeof value === 'string'
    ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
    : String(value);
}
