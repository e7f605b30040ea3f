import { Injectable } from '@nestjs/common';
import type { CachedLink } from '../link-cache';
import { Database, PROMPTLY } from '../../../infrastructure/database/database';

type Limited = Pick<CachedLink, 'id' | 'organizationId' | 'usedUp'>;

/** Counts of a link; undefined once it has been deleted. `max` is null if the limit has just been removed. */
interface Counts {
  max: number | null;
  used: number;
}

interface Waiting {
  /** Null to check for remaining visits without using one up. */
  trackedLink: Limited | null;
  resolve: (passes: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Enforces `maxClicks` exactly, across all processes. The count is in Postgres: concurrent visits share a statement,
 * and no visit passes while Postgres is unavailable.
 */
@Injectable()
export class LinkPasses {
  private readonly waiting = new Map<number, Waiting[]>();
  /** Links known to be used up. Keyed by object, because a changed link is a new object and must be checked again. */
  private readonly spent = new WeakSet<Limited>();

  constructor(private readonly database: Database) {}

  /**
   * Uses up a visit. A process that dies before it responds loses that visit.
   * @returns whether a visit was left
   * @throws if Postgres is unavailable
   */
  take(trackedLink: Limited): Promise<boolean> {
    return this.ask(trackedLink, trackedLink);
  }

  /** Whether visits are left; uses none up. @throws if Postgres is unavailable */
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

  /** Runs one statement per link at a time; visits that arrive meanwhile share the next one. */
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

  /** Uses up at most `visits` visits. @returns the number of visits that were left before */
  private async taken(key: readonly [number, number], visits: number): Promise<number> {
    const [before] = await this.database.read<Counts>(TAKE, [...key, visits], PROMPTLY);
    if (before) return leftOf(before);
    const now = await this.look(key);
    return now?.max === null ? Infinity : 0;
  }

  private async look(key: readonly [number, number]): Promise<Counts | undefined> {
    return (await this.database.read<Counts>(LOOK, key, PROMPTLY))[0];
  }

  private async settle(
    key: readonly [organizationId: number, id: number],
    batch: readonly Waiting[],
  ): Promise<void> {
    const takers = batch.filter(({ trackedLink }) => trackedLink !== null);
    let left = takers.length > 0 ? await this.taken(key, takers.length) : leftOf(await this.look(key));
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

function leftOf(counts: Counts | undefined): number {
  if (!counts) return 0;
  return counts.max === null ? Infinity : Math.max(0, counts.max - counts.used);
}

const LOOK = `SELECT max_clicks AS max, used_clicks AS used FROM links WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** Uses up to $3 visits, and returns the counts from before; no row if none was left, or the link has no limit. */
const TAKE = `
  WITH taken AS (
    UPDATE links SET used_clicks = held.used_clicks + least($3::integer, held.max_clicks - held.used_clicks)
      FROM (SELECT id, max_clicks, used_clicks FROM links
             WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE) AS held
     WHERE links.organization_id = $1 AND links.id = $2 AND held.used_clicks < held.max_clicks
    RETURNING held.max_clicks AS max, held.used_clicks AS used
  )
  SELECT max, used FROM taken`;
