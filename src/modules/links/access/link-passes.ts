import { Injectable } from '@nestjs/common';
import type { CachedLink } from '../link-cache';
import { Database } from '../../../infrastructure/database/database';

type Limited = Pick<CachedLink, 'id' | 'usedUp'>;

interface Waiting {
  /** Null for those who use nothing up, and only ask whether anything is left. */
  trackedLink: Limited | null;
  resolve: (passes: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets `maxClicks` visits through and not one more, whichever processes they come to. Postgres has the count: visits
 * that wait together take what they need in one statement, and while Postgres is away nobody passes.
 */
@Injectable()
export class LinkPasses {
  private readonly waiting = new Map<number, Waiting[]>();
  /** Known to be used up. A link that is changed is another object, and asked for anew. */
  private readonly spent = new WeakSet<Limited>();

  constructor(private readonly database: Database) {}

  /**
   * Whether one visit may go on, which is used up with that: a process that dies before it answers lets fewer pass.
   * @throws when Postgres can't be asked
   */
  take(trackedLink: Limited): Promise<boolean> {
    return this.ask(trackedLink, trackedLink);
  }

  /** Whether a visit could still go on; nothing is used up. @throws when Postgres can't be asked */
  anyLeft(trackedLink: Limited): Promise<boolean> {
    return this.ask(trackedLink, null);
  }

  private ask(trackedLink: Limited, taker: Limited | null): Promise<boolean> {
    if (trackedLink.usedUp || this.spent.has(trackedLink)) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { trackedLink: taker, resolve, reject };
      const others = this.waiting.get(trackedLink.id);
      if (others) others.push(waiting);
      else {
        this.waiting.set(trackedLink.id, [waiting]);
        // With all that this turn of the event loop brings.
        setImmediate(() => void this.settleAll(trackedLink.id));
      }
    });
  }

  /** One statement at a time for a link; whoever comes meanwhile shares the next. */
  private async settleAll(id: number): Promise<void> {
    for (;;) {
      const batch = this.waiting.get(id) ?? [];
      if (batch.length === 0) break;
      this.waiting.set(id, []);
      try {
        await this.settle(id, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.waiting.delete(id);
  }

  private async settle(id: number, batch: readonly Waiting[]): Promise<void> {
    const takers = batch.filter(({ trackedLink }) => trackedLink !== null);
    const sql = takers.length > 0 ? TAKE : LOOK;
    const parameters = takers.length > 0 ? [id, takers.length] : [id];
    const [row] = await this.database.prompt<{ max: number | null; used: number }>(sql, parameters);
    // Null when the limit was lifted just now; no row when the link was deleted.
    let left = row ? (row.max === null ? Infinity : Math.max(0, row.max - row.used)) : 0;
    const anyLeft = left > 0;
    for (const { trackedLink, resolve } of batch) {
      if (trackedLink === null) resolve(anyLeft);
      else if (left-- > 0) resolve(true);
      else {
        this.spent.add(trackedLink);
        resolve(false);
      }
    }
  }
}

const LOOK = `SELECT max_clicks AS max, used_clicks AS used FROM links WHERE id = $1 AND deleted_at IS NULL`;

/** Takes up to $2, and says what there was before. */
const TAKE = `
  WITH held AS (
    SELECT id, max_clicks, used_clicks FROM links WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
  ), taken AS (
    UPDATE links SET used_clicks = held.used_clicks + least($2::integer, held.max_clicks - held.used_clicks)
      FROM held WHERE links.id = held.id AND held.used_clicks < held.max_clicks
  )
  SELECT max_clicks AS max, used_clicks AS used FROM held`;
