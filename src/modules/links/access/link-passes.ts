import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { promptQuery } from '../../../infrastructure/database/time-limit';
import type { LinkTarget } from '../link-cache';

type Limited = Pick<LinkTarget, 'id' | 'usedUp'>;

interface Waiting {
  /** Null for those who use nothing up, and only ask whether anything is left. */
  target: Limited | null;
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

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether one visit may go on, which is used up with that: a process that dies before it answers lets fewer pass.
   * @throws when Postgres can't be asked
   */
  take(target: Limited): Promise<boolean> {
    return this.ask(target, target);
  }

  /** Whether a visit could still go on; nothing is used up. @throws when Postgres can't be asked */
  anyLeft(target: Limited): Promise<boolean> {
    return this.ask(target, null);
  }

  private ask(target: Limited, taker: Limited | null): Promise<boolean> {
    if (target.usedUp || this.spent.has(target)) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { target: taker, resolve, reject };
      const others = this.waiting.get(target.id);
      if (others) others.push(waiting);
      else {
        this.waiting.set(target.id, [waiting]);
        // With all that this turn of the event loop brings.
        setImmediate(() => void this.settleAll(target.id));
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
    const takers = batch.filter(({ target }) => target !== null);
    const sql = takers.length > 0 ? TAKE : LOOK;
    const parameters = takers.length > 0 ? [id, takers.length] : [id];
    const [row] = await promptQuery<{ max: number | null; used: number }>(this.dataSource, sql, parameters);
    // Null when the limit was lifted just now; no row when the link was deleted.
    let left = row ? (row.max === null ? Infinity : Math.max(0, row.max - row.used)) : 0;
    const anyLeft = left > 0;
    for (const { target, resolve } of batch) {
      if (target === null) resolve(anyLeft);
      else if (left-- > 0) resolve(true);
      else {
        this.spent.add(target);
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
