import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import type { EnrichedClick, LocalVisit } from '../counting/enriched-click';
import type { Click } from '../../clicks/click';
import { Visitors } from '../../clicks/visitors';

/** Every time zone's offset is a multiple of a quarter of an hour, so no day begins inside one. */
const QUARTER_MS = 900_000;

interface Row {
  organization: number;
  quarter: number;
  day: string;
  week: string;
  dayOfWeek: number;
}

/** Resolves the day, week and visitor of clicks in the time zones of their organizations. */
@Injectable()
export class LocalVisits {
  constructor(
    private readonly database: Database,
    private readonly visitors: Visitors,
  ) {}

  /** Loads days and salts for these clicks. */
  async load(clicks: readonly Click[]): Promise<(click: Click) => LocalVisit> {
    // Nested maps, because building string keys would take longer than the lookups.
    const quarters = new Map<number, Set<number>>();
    for (const click of clicks) {
      const ofOrganization = quarters.get(click.organizationId);
      if (ofOrganization) ofOrganization.add(quarterOf(click));
      else quarters.set(click.organizationId, new Set([quarterOf(click)]));
    }
    const pairs = [...quarters].flatMap(([organization, at]) =>
      Array.from(at, (quarter) => ({ organization, quarter })),
    );
    const rows = await this.database.prompt<Row>(DAYS, [
      intArray(pairs.map(({ organization }) => organization)),
      intArray(pairs.map(({ quarter }) => quarter)),
    ]);
    const days = new Map<number, Map<number, Row>>([...quarters.keys()].map((id) => [id, new Map()]));
    for (const row of rows) days.get(row.organization)?.set(row.quarter, row);
    await this.visitors.loadWeeks(new Set(rows.map(({ week }) => week)));
    await this.visitors.loadDays(new Set(rows.map(({ day }) => day)));
    return (click) => {
      const { organizationId, ip, userAgent } = click;
      const found = days.get(organizationId)?.get(quarterOf(click));
      if (!found) throw new Error(`Organization ${organizationId} has no time zone`);
      const { day, week, dayOfWeek } = found;
      const visitor = this.visitors.weekVisitor(week, organizationId, ip, userAgent);
      const dayVisitor = this.visitors.dayVisitor(day, ip, userAgent);
      return { day, week, dayOfWeek, visitor, dayVisitor };
    };
  }
}

function quarterOf({ at }: Click): number {
  return at - (at % QUARTER_MS);
}

// Clicks of a deleted organization are counted in UTC.
const DAYS = `
  SELECT organization, quarter, day, date_trunc('week', day::timestamp)::date AS week,
         extract(isodow FROM day)::int - 1 AS "dayOfWeek"
    FROM (SELECT organization, quarter,
                 coalesce(local_day(organization, to_timestamp(quarter / 1000.0)),
                          (to_timestamp(quarter / 1000.0) AT TIME ZONE 'UTC')::date) AS day
            FROM unnest($1::bigint[], $2::bigint[]) AS q (organization, quarter)) AS days`;

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

/** Unique visitors by day and by ISO week, and their clicks, of organizations and apps. */
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

// Visitors already stored for the day are filtered out without a lock, because an office behind one IP address clicks
// all day.
const ADD = `
  WITH clicked AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::bigint[], $5::smallint[])
      WITH ORDINALITY AS v (organization_id, app_id, week, visitor, days, place)
  ), known AS MATERIALIZED (
    SELECT v.place
      FROM clicked v JOIN click_visitors k USING (week, organization_id, app_id, visitor)
     WHERE k.organization_id = ANY($12::bigint[]) AND k.days & v.days = v.days
  ), seen AS (
    INSERT INTO click_visitors AS stored (organization_id, app_id, week, visitor, days, previous_days)
    SELECT organization_id, app_id, week, visitor, days, 0
      FROM clicked LEFT JOIN known USING (place)
     WHERE known.place IS NULL
     ORDER BY place
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
