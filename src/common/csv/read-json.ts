import { parseJson } from '../http/json';
import type { CsvRow } from './csv-reader';
import { rowsOfJson } from './json-rows';

/** The rows of a JSON body. @throws MalformedJson, MalformedCsv without a list of objects */
export async function* readJson(body: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  yield* rowsOfJson(parseJson(Buffer.concat(chunks)));
}
