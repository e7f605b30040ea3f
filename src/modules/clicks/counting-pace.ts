import { Injectable } from '@nestjs/common';
import { VisitorLoad } from './visitor-load';

/**
 * After a batch it rests several times as long as the batch took, within these bounds: clicks that wait together are
 * written together, each link's row once, and the commits that visitors wait for have the store to themselves.
 */
const REST = { factor: 3, minMs: 100, maxMs: 1_000 };
/** While visitors keep the server busy, clicks wait this long to be counted, and no longer where there is time for it. */
const GIVES_WAY_MS = 10_000;

/**
 * When the clicks of the journal table are counted. The commits that visitors wait for come first: they and the
 * counting share a store, and on a small machine a core.
 */
@Injectable()
export class CountingPace {
  /** When nothing waited, by the monotonic clock. */
  private caughtUpAt = -Infinity;

  constructor(private readonly load: VisitorLoad) {}

  /**
   * How long to rest after a batch, in milliseconds.
   * @param startedAt when the batch was begun, by the monotonic clock
   * @param all whether it took all that waited
   */
  restAfter(startedAt: number, all: boolean): number {
    if (all) this.caughtUpAt = startedAt;
    else if (!this.load.busy) return 0;
    const rest = (performance.now() - startedAt) * REST.factor;
    return Math.min(Math.max(rest, REST.minMs), REST.maxMs);
  }

  /** How long to go on resting, in milliseconds: 0 when the next batch may begin. To be asked again after that time. */
  get givesWayFor(): number {
    const waits = performance.now() - this.caughtUpAt < GIVES_WAY_MS;
    return waits && this.load.busy ? REST.minMs : 0;
  }
}
