import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import type { DayRange } from '../../common/time/date-range';
import type { ClickStatistics } from './statistics.dto';

/** Clicks of people on what is tied to an app, over a range of UTC days, read from rollups alone. */
@Injectable()
export class AppClicksQuery {
  constructor(private readonly dataSource: DataSource) {}

  async run(
    organizationId: number,
    appId: number,
    range: DayRange,
  ): Promise<Pick<ClickStatistics, 'daily' | 'totalClicks'>> {
    const rows = await this.dataSource.query<{ date: string; clicks: number }[]>(DAYS, [
      organizationId,
      appId,
      range.startDate,
      range.endDate,
    ]);
    const byDate = new Map(rows.map(({ date, clicks }) => [date, clicks]));
    return {
      daily: range.days.map((date) => ({ date, clicks: byDate.get(date) ?? 0 })),
      totalClicks: rows.reduce((sum, { clicks }) => sum + clicks, 0),
    };
  }
}

// What was deleted has been clicked all the same.
const DAYS = `
  WITH targets AS (
    SELECT id, ${TARGET_KIND.link} AS kind FROM links
     WHERE organization_id = $1 AND (ios_app_id = $2 OR android_app_id = $2)
  )
  SELECT day AS date, sum(clicks)::bigint AS clicks
    FROM targets JOIN click_rollups ON target_id = targets.id AND target_kind = targets.kind
   WHERE day BETWEEN $3 AND $4
   GROUP BY day`;
