import { Injectable } from '@nestjs/common';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import { Database } from '../../../infrastructure/database/database';
import { CLICK_COLUMNS, type LoggedClick } from '../click-log/click-log.query';
import { boundsOf, CRASHED_AT, type Moment, type FeedPosition, positionAt } from './feed-position';

/** With Citus, clicks may become visible up to this much later than their batch. */
const SETTLED = `interval '1 minute'`;

/** Clicks of one organization counted by one transaction, or a part of them. */
export interface LiveBatch {
  organizationId: number;
  clicks: LoggedClick[];
  next: FeedPosition;
}

export interface LivePage {
  batches: LiveBatch[];
  next: FeedPosition;
  /** By organization, the position before its first batch some of whose clicks are not visible yet. */
  held: ReadonlyMap<number, FeedPosition>;
  /** Whether more batches may follow up to the end of the read. */
  full: boolean;
  /** Milliseconds by Postgres's clock. */
  now: number;
}

interface Row {
  now: number;
  snapshot: string;
  organizationId: number;
  /** Null in the only row of an empty page. */
  tx: number | null;
  part: number;
  ids: number[];
  times: string[];
  /** Whether further clicks of the batch may still become visible. */
  isYoung: boolean;
}

type Batch = Row & { tx: number };
type ClickJson = Omit<LoggedClick, 'clickedAt'> & { clickedAt: string };

@Injectable()
export class LiveBatchesQuery {
  constructor(private readonly database: Database) {}

  /**
   * Batches after a position, in the order of transactions. With Citus, a batch may be visible before its clicks on
   * other nodes, so an organization's reads stop before a recent batch that lacks clicks.
   * @param to end of the read, not before the position; default: now
   * @param limit number of batches
   */
  async read(
    organizationIds: readonly number[],
    { since, towards }: FeedPosition,
    limit: number,
    to: Moment | null = towards?.to ?? null,
  ): Promise<LivePage> {
    const [xmin] = boundsOf(since.snapshot);
    const rows = await this.database.read<Row>(BATCHES, [
      organizationIds,
      xmin,
      since.snapshot,
      to?.snapshot ?? null,
      towards?.tx ?? 0,
      towards?.part ?? 0,
      limit,
      since.at,
      to?.at ?? null,
    ]);
    const [first] = rows;
    if (!first) throw new Error('The statement returned no row');
    const end = to ?? { snapshot: first.snapshot, at: first.now };
    const found = rows.filter((row): row is Batch => row.tx !== null);
    const clicks = await this.clicksOf(found);
    const batches: LiveBatch[] = [];
    const held = new Map<number, FeedPosition>();
    const reached = new Map<number, FeedPosition>();
    for (const [i, { organizationId, tx, part, ids, isYoung }] of found.entries()) {
      const visible = clicks.get(i) ?? [];
      if (held.has(organizationId)) continue;
      if (isYoung && visible.length < ids.length) {
        held.set(organizationId, reached.get(organizationId) ?? { since, towards });
        continue;
      }
      const next = { since, towards: { to: end, tx, part } };
      reached.set(organizationId, next);
      batches.push({ organizationId, clicks: visible, next });
    }
    const full = found.length === limit;
    const last = found.at(-1);
    const next =
      last && full ? { since, towards: { to: end, tx: last.tx, part: last.part } } : positionAt(end);
    const lastShown = batches.at(-1);
    if (lastShown && !full && held.size === 0) lastShown.next = next;
    return { batches, held, full, next, now: first.now };
  }

  /** Visible clicks, by index of their batch. */
  private async clicksOf(batches: readonly Batch[]): Promise<Map<number, LoggedClick[]>> {
    if (batches.length === 0) return new Map();
    const times = batches.flatMap((batch) => batch.times);
    const moments = times.map((time) => Date.parse(time));
    const rows = await this.database.read<{ batch: number; clicks: ClickJson[] }>(CLICKS, [
      intArray(batches.flatMap(({ ids }, i) => ids.map(() => i))),
      intArray(batches.flatMap(({ ids }) => ids)),
      textArray(times),
      [...new Set(batches.map(({ organizationId }) => organizationId))],
      new Date(moments.reduce((least, moment) => Math.min(least, moment))),
      new Date(moments.reduce((most, moment) => Math.max(most, moment))),
    ]);
    return new Map(
      rows.map(({ batch, clicks }) => [
        batch,
        clicks.map((click) => ({ ...click, clickedAt: new Date(click.clickedAt) })),
      ]),
    );
  }
}

// A crash may lose the ids of transactions that were rolled back, and assign them again. Everything counted after a
// crash (`CRASHED_AT`) is therefore later than any moment before it, whatever its transaction id.
const BATCHES = `
  WITH moment AS (
    SELECT coalesce($4::pg_snapshot, pg_current_snapshot()) AS snapshot,
           (extract(epoch FROM now()) * 1000)::bigint AS now, crashed_at,
           to_timestamp($8::float8 / 1000) < crashed_at AS since_precedes,
           coalesce(to_timestamp($9::float8 / 1000) < crashed_at, false) AS to_precedes
      FROM ${CRASHED_AT}
  ), page AS (
    SELECT b.* FROM live_batches b, moment
     WHERE b.organization_id = ANY($1::bigint[])
       AND b.tx >= (SELECT CASE WHEN since_precedes THEN 0 ELSE $2::bigint END FROM moment)
       AND (b.tx, b.part) > ($5::bigint, $6::integer)
       AND NOT (pg_visible_in_snapshot(b.tx::text::xid8, $3::pg_snapshot)
                AND NOT (moment.since_precedes AND b.created_at >= moment.crashed_at))
       AND pg_visible_in_snapshot(b.tx::text::xid8, moment.snapshot)
       AND NOT (moment.to_precedes AND b.created_at >= moment.crashed_at)
     ORDER BY b.tx, b.part LIMIT $7
  )
  SELECT moment.now, moment.snapshot::text AS snapshot, page.organization_id AS "organizationId", page.tx, page.part,
         to_json(page.ids) AS ids, to_json(page.times) AS times,
         page.created_at > now() - ${SETTLED} AS "isYoung"
    FROM moment LEFT JOIN page ON true
   ORDER BY page.tx, page.part`;

// The time range excludes partitions. A JSON value per batch is parsed in a quarter of the time of rows.
const CLICKS = `
  SELECT named.batch, json_agg(click ORDER BY named.position) AS clicks
    FROM unnest($1::int[], $2::bigint[], $3::timestamptz[]) WITH ORDINALITY AS named (batch, id, clicked_at, position)
    JOIN (SELECT organization_id, ${CLICK_COLUMNS} FROM clicks
           WHERE organization_id = ANY($4::bigint[]) AND clicked_at BETWEEN $5 AND $6) AS click
      ON click."clickedAt" = named.clicked_at AND click.id = named.id
   GROUP BY click.organization_id, named.batch`;
