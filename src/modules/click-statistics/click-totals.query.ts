import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TARGET_KIND, type TargetKind } from '../clicks/tracked-link-kind';

/** All-time clicks of links or campaigns, people only. */
@Injectable()
export class ClickTotalsQuery {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns clicks by target id; a target that was never clicked is 0 */
  async run(kind: TargetKind, organizationId: number, ids: readonly number[]): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.dataSource.query<{ id: number; clicks: number }[]>(SQL, [
      TARGET_KIND[kind],
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
