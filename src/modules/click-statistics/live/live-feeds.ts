import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { boundsOf, CRASHED_AT, type FeedCursor, type Moment } from './feed-position';

/** How long a listener may be disconnected (docs/concepts/clicks.md#resuming). */
const RESUMABLE_MS = 600_000;
/** Age of a position after which its batches may have been deleted: less than `KEPT`, more than `RESUMABLE_MS`. */
export const LOST_MS = 840_000;
const KEPT = `interval '20 minutes'`;
/** How long clicks are announced after the last renewal: longer than a listener may be disconnected. */
const LASTING = `interval '16 minutes'`;
/** A feed this close to its end counts as ended, since a counting process may already consider it so. */
const MARGIN = `interval '1 minute'`;

/** Times in milliseconds by Postgres's clock. */
interface Now {
  now: number;
  snapshot: string;
  crashedAt: number;
}

/** Organizations whose counted clicks are announced. Times are those of Postgres, which all processes share. */
@Injectable()
export class LiveFeeds {
  constructor(private readonly database: Database) {}

  /**
   * Starts or prolongs feeds. Call it before listening, and every few minutes while there are listeners.
   * @returns the start of each feed, in milliseconds; a feed that had ended has a new one
   */
  async keep(organizationIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database.read<{ id: number; startedAt: Date }>(KEEP, [organizationIds]);
    return new Map(rows.map(({ id, startedAt }) => [id, startedAt.getTime()]));
  }

  /** Whether the feed still has everything after a position. */
  async has(startedAt: number, { startedAt: readSince, position }: FeedCursor): Promise<boolean> {
    const { now, snapshot, crashedAt } = await this.database.single<Now>(NOW);
    const [, newest] = boundsOf(snapshot);
    const moments = [position.since, ...(position.towards ? [position.towards.to] : [])];
    // Transactions of the future have been lost in a crash, or are another server's.
    const isOfServer = ({ at, snapshot: taken }: Moment) => at < crashedAt || boundsOf(taken)[1] <= newest;
    return (
      readSince === startedAt &&
      moments.every((moment) => now - moment.at < RESUMABLE_MS && isOfServer(moment))
    );
  }

  /** Deletes batches that no listener can resume from. */
  async deleteOld(): Promise<void> {
    await this.database.execute(`DELETE FROM live_batches WHERE created_at < now() - ${KEPT}`);
    await this.database.execute(`DELETE FROM live_feeds WHERE expires_at < now() - ${KEPT}`);
  }
}

// In order of ids, to avoid deadlocks.
const KEEP = `
  INSERT INTO live_feeds AS known (organization_id, started_at, expires_at)
  SELECT id, date_trunc('milliseconds', now()), now() + ${LASTING} FROM unnest($1::bigint[]) AS o (id) ORDER BY id
  ON CONFLICT (organization_id) DO UPDATE
     SET started_at = CASE WHEN known.expires_at > now() + ${MARGIN} THEN known.started_at
                           ELSE excluded.started_at END,
         expires_at = excluded.expires_at
  RETURNING organization_id AS id, started_at AS "startedAt"`;
const NOW = `
  SELECT (extract(epoch FROM now()) * 1000)::bigint AS now, pg_current_snapshot()::text AS snapshot,
         (extract(epoch FROM crashed_at) * 1000)::bigint AS "crashedAt" FROM ${CRASHED_AT}`;
