import { setImmediate as nextTurn } from 'node:timers/promises';
import { BrokenBody } from '../errors/errors';
import { SourceBroken } from './read-csv';

/** Bytes parsed per turn of the event loop, which takes well below a millisecond. */
const PIECE = 16_384;

/** The body of a request for `readCsv`, in pieces that leave turns of the event loop to other requests. */
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
