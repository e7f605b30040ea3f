import { Injectable } from '@nestjs/common';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { EnrichedClick } from '../enriched-click';
import type { Tx } from '../../../infrastructure/database/database';

/** App id for the whole organization, including clicks without an app. */
const ALL_APPS = 0;

interface VisitorWeek {
  organizationId: number;
  appId: number;
  week: string;
  visitor: string;
  /** Bit n is set for day n of the week, from Monday (0). */
  days: number;
}

interface DayClicks {
  organizationId: number;
  appId: number;
  day: string;
  links: number;
  campaigns: number;
}

/** Unique visitors by day and ISO week, and their clicks, for organizations and apps. */
@Injectable()
export class VisitorRollups {
  /** Adds new clicks of people, in the transaction that counts them. */
  async add(tx: Tx, clicks: readonly EnrichedClick[], slot: number): Promise<void> {
    const weeks = new Map<string, VisitorWeek>();
    const days = new Map<string, DayClicks>();
    for (const enriched of clicks) {
      if (enriched.isBot) continue;
      for (const appId of [ALL_APPS, ...enriched.click.appIds]) {
        addVisitor(weeks, enriched, appId);
        addClick(days, enriched, appId);
      }
    }
    if (days.size === 0) return;
    // Sorted by key to avoid deadlocks.
    const visitors = [...weeks.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    const clicked = [...days.values()];
    await tx.query(ADD, [
      intArray(visitors.map((each) => each.organizationId)),
      intArray(visitors.map((each) => each.appId)),
      visitors.map((each) => each.week),
      `{${visitors.map((each) => each.visitor).join(',')}}`,
      intArray(visitors.map((each) => each.days)),
      intArray(clicked.map((each) => each.organizationId)),
      intArray(clicked.map((each) => each.appId)),
      clicked.map((each) => each.day),
      intArray(clicked.map((each) => each.links)),
      intArray(clicked.map((each) => each.campaigns)),
      slot,
      [...new Set(clicked.map((each) => each.organizationId))],
    ]);
  }
}

function addVisitor(weeks: Map<string, VisitorWeek>, { click, visit }: EnrichedClick, appId: number): void {
  const { organizationId } = click;
  const { week, dayOfWeek, visitor } = visit;
  const bit = 1 << dayOfWeek;
  const key = `${week}/${organizationId}/${appId}/${visitor}`;
  const stored = weeks.get(key);
  if (stored) stored.days |= bit;
  else weeks.set(key, { organizationId, appId, week, visitor, days: bit });
}

function addClick(days: Map<string, DayClicks>, { click, visit }: EnrichedClick, appId: number): void {
  const { organizationId, kind } = click;
  const key = `${organizationId}/${appId}/${visit.day}`;
  let clicked = days.get(key);
  if (!clicked) {
    clicked = { organizationId, appId, day: visit.day, links: 0, campaigns: 0 };
    days.set(key, clicked);
  }
  clicked[kind === 'campaign' ? 'campaigns' : 'links']++;
}

// Visitors already stored for the day are filtered out without a lock, because everybody in an office shares one IP
// address.
const ADD = `
  WITH clicked AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::bigint[], $5::smallint[])
      WITH ORDINALITY AS v (organization_id, app_id, week, visitor, days, position)
  ), known AS MATERIALIZED (
    SELECT v.position
      FROM clicked v JOIN click_visitors k USING (week, organization_id, app_id, visitor)
     WHERE k.organization_id = ANY($12::bigint[]) AND k.days & v.days = v.days
  ), seen AS (
    INSERT INTO click_visitors AS stored (organization_id, app_id, week, visitor, days, previous_days)
    SELECT organization_id, app_id, week, visitor, days, 0
      FROM clicked LEFT JOIN known USING (position)
     WHERE known.position IS NULL
     ORDER BY position
    ON CONFLICT (week, organization_id, app_id, visitor) DO UPDATE
       SET days = stored.days | excluded.days, previous_days = stored.days
    RETURNING organization_id, app_id, week, days, previous_days
  ), weeks AS (
    INSERT INTO visitor_week_rollups AS stored (organization_id, app_id, week, slot, visitors)
    SELECT organization_id, app_id, week, $11::smallint, count(*)
      FROM seen WHERE previous_days = 0
     GROUP BY organization_id, app_id, week
     ORDER BY organization_id, app_id, week
    ON CONFLICT (organization_id, app_id, week, slot) DO UPDATE SET visitors = stored.visitors + excluded.visitors
  )
  INSERT INTO visitor_rollups AS stored (organization_id, app_id, day, slot, visitors, link_clicks, campaign_clicks)
  SELECT organization_id, app_id, day, $11::smallint, sum(visitors), sum(links), sum(campaigns)
    FROM (SELECT organization_id, app_id, week + n AS day, count(*) AS visitors, 0 AS links, 0 AS campaigns
            FROM seen, generate_series(0, 6) AS n
           WHERE days & ~previous_days & (1 << n) <> 0
           GROUP BY organization_id, app_id, week + n
          UNION ALL
          SELECT organization_id, app_id, day, 0, links, campaigns
            FROM unnest($6::bigint[], $7::bigint[], $8::date[], $9::int[], $10::int[])
              AS c (organization_id, app_id, day, links, campaigns)) AS added
   GROUP BY organization_id, app_id, day
   ORDER BY organization_id, app_id, day
  ON CONFLICT (organization_id, app_id, day, slot) DO UPDATE
     SET visitors = stored.visitors + excluded.visitors,
         link_clicks = stored.link_clicks + excluded.link_clicks,
         campaign_clicks = stored.campaign_clicks + excluded.campaign_clicks`;
