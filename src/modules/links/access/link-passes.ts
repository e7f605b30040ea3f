import { Injectable } from '@nestjs/common';
import type { CachedLink } from '../link-cache';
import { Database } from '../../../infrastructure/database/database';

type Limited = Pick<CachedLink, 'id' | 'organizationId' | 'usedUp'>;

interface Waiting {
  /** Null to check whether any visits are left without using one. */
  trackedLink: Limited | null;
  resolve: (passes: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Enforces `maxClicks` exactly, across all processes. The count lives in Postgres: concurrent visits share one
 * statement, and no visit passes while Postgres is unavailable.
 */
@Injectable()
export class LinkPasses {
  private readonly waiting = new Map<number, Waiting[]>();
  /** Links known to be used up. Keyed by object: a changed link is a new object and is checked again. */
  private readonly spent = new WeakSet<Limited>();

  constructor(private readonly database: Database) {}

  /**
   * Uses up one visit and returns whether one was left. A process that dies before it answers loses that visit.
   * @throws when Postgres is unavailable
   */
  take(trackedLink: Limited): Promise<boolean> {
    return this.ask(trackedLink, trackedLink);
  }

  /** Whether any visits are left; uses none up. @throws when Postgres is unavailable */
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
        // Batches all visits of this turn of the event loop.
        setImmediate(() => void this.settleAll(trackedLink));
      }
    });
  }

  /** One statement per link at a time; visits that arrive meanwhile share the next one. */
  private async settleAll({ id, organizationId }: Limited): Promise<void> {
    for (;;) {
      const batch = this.waiting.get(id) ?? [];
      if (batch.length === 0) break;
      this.waiting.set(id, []);
      try {
        await this.settle([organizationId, id], batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.waiting.delete(id);
  }

  private async settle(
    key: readonly [organizationId: number, id: number],
    batch: readonly Waiting[],
  ): Promise<void> {
    const takers = batch.filter(({ trackedLink }) => trackedLink !== null);
    const sql = takers.length > 0 ? TAKE : LOOK;
    const parameters = takers.length > 0 ? [...key, takers.length] : key;
    const [row] = await this.database.prompt<{ max: number | null; used: number }>(sql, parameters);
    // `max` is null when the limit has just been removed; there is no row when the link has been deleted.
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

const LOOK = `SELECT max_clicks AS max, used_clicks AS used FROM links WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** Takes up to $3 visits and returns the counts from before. */
const TAKE = `
  WITH held AS (
    SELECT id, max_clicks, used_clicks FROM links
     WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE
  ), taken AS (
    UPDATE links SET used_clicks = held.used_clicks + least($3::integer, held.max_clicks - held.used_clicks)
      FROM held WHERE links.organization_id = $1 AND links.id = held.id AND held.used_clicks < held.max_clicks
  )
  SELECT max_clicks AS max, used_clicks AS used FROM held`;
