import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { CLICK_COLUMNS, type LoggedClick } from '../click-log/click-log.query';
import { boundsOf, CRASHED_AT, type Moment, type Place, placeAt } from './live-place';

/** Clicks of one organization that one transaction counted, or a part of them. */
export interface LiveBatch {
  organizationId: number;
  clicks: LoggedClick[];
  /** The place after it. */
  next: Place;
}

export interface LivePage {
  batches: LiveBatch[];
  /** The place after all of them. */
  next: Place;
  /** Whether more may follow before the moment that was read towards. */
  full: boolean;
  /** Milliseconds by Postgres's clock. */
  now: number;
}

interface Row {
  now: number;
  snapshot: string;
  organizationId: number;
  /** Null in the only row of a page without batches. */
  tx: number | null;
  part: number;
  clicks: (Omit<LoggedClick, 'clickedAt'> & { clickedAt: string })[] | null;
}

/** Reads announced clicks. */
@Injectable()
export class LiveBatchesQuery {
  constructor(private readonly database: Database) {}

  /**
   * Batches after a place, in the order of transactions.
   * @param to moment up to which they are read, which must not precede the place; default: now
   * @param limit number of batches
   */
  async read(
    organizationIds: readonly number[],
    { since, towards }: Place,
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
    const batches = batchesOf(rows, since, end);
    const full = batches.length === limit;
    const last = batches.at(-1);
    if (last && !full) last.next = placeAt(end);
    return { batches, full, next: last?.next ?? placeAt(end), now: first.now };
  }
}

function batchesOf(rows: readonly Row[], since: Moment, to: Moment): LiveBatch[] {
  return rows.flatMap(({ organizationId, tx, part, clicks }) => {
    if (tx === null) return [];
    const dated = clicks?.map((click) => ({ ...click, clickedAt: new Date(click.clickedAt) })) ?? [];
    return { organizationId, clicks: dated, next: { since, towards: { to, tx, part } } };
  });
}

// A crash may forget the ids of transactions that rolled back, and give them to others: what was counted after it is
// after each moment before it, whatever its id (`CRASHED_AT`). The offset keeps each click a look-up by its key, whatever
// the planner thinks of arrays. One JSON
// value a batch is parsed in a quarter of the time of rows of clicks.
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
         (SELECT json_agg(click ORDER BY named.place)
            FROM unnest(page.ids, page.times) WITH ORDINALITY AS named (id, clicked_at, place)
           CROSS JOIN LATERAL (
                 SELECT ${CLICK_COLUMNS} FROM clicks
                  WHERE clicks.clicked_at = named.clicked_at AND clicks.id = named.id OFFSET 0) AS click) AS clicks
    FROM moment LEFT JOIN page ON true
   ORDER BY page.tx, page.part`;
