import { Injectable } from '@nestjs/common';
import { VisitorLoad } from './visitor-load';

/**
 * After a batch it rests several times as long as the batch took, within these bounds: clicks that wait together are
 * written together, each link's row once, and the commits that visitors wait for have the store to themselves.
 */
const REST = { factor: 3, minMs: 100, maxMs: 1_000 };
/** So many clicks that came while no more were counted: it does not keep up, and what comes last will show late. */
const TOO_MANY = 10_000;
/** Then visitors come first, for as long as they keep the server busy, but no longer than this. */
const GIVES_WAY_MS = 10_000;

/** The clicks of a batch, and of the next one as far as they have come. */
export interface Counted {
  counted: number;
  waiting: number;
}

/**
 * When the clicks of the journal table are counted. A click is to show within two seconds
 * (docs/concepts/counting.md#how-soon-clicks-show); where that can't be, redirects are not to be slow as well: on a
 * small machine, counting takes the core that they need.
 */
@Injectable()
export class CountingPace {
  private behind = false;
  /** When counting last kept up, by the monotonic clock. */
  private keptUpAt = -Infinity;

  constructor(private readonly load: VisitorLoad) {}

  /**
   * How long to rest after a batch, in milliseconds.
   * @param startedAt when the batch was begun, by the monotonic clock
   */
  restAfter(startedAt: number, { counted, waiting }: Counted): number {
    const now = performance.now();
    this.behind = waiting >= TOO_MANY && waiting >= counted;
    if (!this.behind) this.keptUpAt = now;
    return Math.min(Math.max((now - startedAt) * REST.factor, REST.minMs), REST.maxMs);
  }

  /** How long to go on resting, in milliseconds: 0 when the next batch may begin. To be asked again after that time. */
  get givesWayFor(): number {
    const first = this.behind && performance.now() - this.keptUpAt < GIVES_WAY_MS;
    return first && this.load.busy ? REST.minMs : 0;
  }
}
