import { Injectable } from '@nestjs/common';
import { Database, PROMPTLY } from '../../../infrastructure/database/database';
import type { CachedTrackedLink } from '../tracked-link-cache';

type Limited = Pick<CachedTrackedLink, 'kind' | 'id' | 'organizationId' | 'usedUp'>;

/** Counts of a link or campaign; undefined once it has been deleted. `max` is null if the limit has just been removed. */
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
  private readonly waiting = new Map<string, Waiting[]>();
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
      const key = keyOf(trackedLink);
      const others = this.waiting.get(key);
      if (others) others.push(waiting);
      else {
        this.waiting.set(key, [waiting]);
        // Batches all visits of this turn of the event loop.
        setImmediate(() => void this.settleAll(trackedLink));
      }
    });
  }

  /** Runs one statement per link at a time; visits that arrive meanwhile share the next one. */
  private async settleAll(trackedLink: Limited): Promise<void> {
    const key = keyOf(trackedLink);
    for (;;) {
      const batch = this.waiting.get(key) ?? [];
      if (batch.length === 0) break;
      this.waiting.set(key, []);
      try {
        await this.settle(trackedLink, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.waiting.delete(key);
  }

  /** Uses up at most `visits` visits. @returns the number of visits that were left before */
  private async taken(trackedLink: Limited, visits: number): Promise<number> {
    const { kind, organizationId, id } = trackedLink;
    const values = [organizationId, id, visits];
    const [before] = await this.database.read<Counts>(TAKE[kind], values, PROMPTLY);
    if (before) return leftOf(before);
    const now = await this.look(trackedLink);
    return now?.max === null ? Infinity : 0;
  }

  private async look({ kind, organizationId, id }: Limited): Promise<Counts | undefined> {
    return (await this.database.read<Counts>(LOOK[kind], [organizationId, id], PROMPTLY))[0];
  }

  private async settle(limited: Limited, batch: readonly Waiting[]): Promise<void> {
    const takers = batch.filter(({ trackedLink }) => trackedLink !== null);
    let left =
      takers.length > 0 ? await this.taken(limited, takers.length) : leftOf(await this.look(limited));
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

const keyOf = ({ kind, id }: Limited) => `${kind}/${id}`;

const lookIn = (table: string) =>
  `SELECT max_clicks AS max, used_clicks AS used FROM ${table} WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** Uses up to $3 visits, and returns the counts from before; no row if none was left, or there is no limit. */
const takeFrom = (table: string) => `
  WITH taken AS (
    UPDATE ${table} SET used_clicks = held.used_clicks + least($3::integer, held.max_clicks - held.used_clicks)
      FROM (SELECT id, max_clicks, used_clicks FROM ${table}
             WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE) AS held
     WHERE ${table}.organization_id = $1 AND ${table}.id = $2 AND held.used_clicks < held.max_clicks
    RETURNING held.max_clicks AS max, held.used_clicks AS used
  )
  SELECT max, used FROM taken`;

const LOOK = { link: lookIn('links'), campaign: lookIn('campaigns') };
const TAKE = { link: takeFrom('links'), campaign: takeFrom('campaigns') };
