import { setImmediate as nextTurn } from 'node:timers/promises';
import { BrokenBody } from '../errors/errors';
import { SourceBroken } from './read-csv';

/** Bytes read per turn of the event loop, which take well below a millisecond. */
const PIECE = 16_384;

/** The body of a request for `readCsv`, in pieces, so that other requests of this process are not delayed. */
export async function* bodyInTurns(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      for (let start = 0; start < chunk.length; start += PIECE) {
        yield chunk.subarray(start, start + PIECE);
        await nextTurn();
      }
    }
  } catch (error) {
    throw error instanceof BrokenBody ? new SourceBroken() : error;
  }
}
