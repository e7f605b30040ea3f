import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';
import { Database } from '../../infrastructure/database/database';

/** All-time clicks of links or campaigns, people only. */
@Injectable()
export class ClickTotalsQuery {
  constructor(private readonly database: Database) {}

  /** @returns clicks by tracked link id; 0 for tracked links without clicks */
  async run(
    kind: TrackedLinkKind,
    organizationId: number,
    ids: readonly number[],
  ): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read<{ id: number; clicks: number }>(SQL, [
      TRACKED_LINK_KIND[kind],
      organizationId,
      ids,
    ]);
    const totals = new Map(ids.map((id) => [id, 0]));
    for (const row of rows) totals.set(row.id, row.clicks);
    return totals;
  }
}

const SQL = `
  SELECT target_id AS id, sum(clicks)::bigint AS clicks
    FROM click_totals
   WHERE target_kind = $1 AND organization_id = $2 AND target_id = ANY($3)
   GROUP BY target_id`;
