import { Injectable } from '@nestjs/common';
import { Database, PROMPTLY } from '../../../infrastructure/database/database';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { LocalVisit } from '../enriched-click';
import type { Click } from '../../clicks/click';
import { Visitors } from '../../clicks/visitors';

/** The offset of every time zone is a multiple of a quarter of an hour, so all times within one are on the same day. */
const QUARTER_MS = 900_000;

interface Row {
  organization: number;
  quarter: number;
  day: string;
  week: string;
  dayOfWeek: number;
}

@Injectable()
export class LocalVisits {
  constructor(
    private readonly database: Database,
    private readonly visitors: Visitors,
  ) {}

  /** Loads the days and salts that these clicks need. */
  async load(clicks: readonly Click[]): Promise<(click: Click) => LocalVisit> {
    // Nested maps, because building string keys would take longer than the look-ups.
    const quarters = new Map<number, Set<number>>();
    for (const click of clicks) {
      const ofOrganization = quarters.get(click.organizationId);
      if (ofOrganization) ofOrganization.add(quarterOf(click));
      else quarters.set(click.organizationId, new Set([quarterOf(click)]));
    }
    const pairs = [...quarters].flatMap(([organization, at]) =>
      Array.from(at, (quarter) => ({ organization, quarter })),
    );
    const rows = await this.database.read<Row>(
      DAYS,
      [
        intArray(pairs.map(({ organization }) => organization)),
        intArray(pairs.map(({ quarter }) => quarter)),
      ],
      PROMPTLY,
    );
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
