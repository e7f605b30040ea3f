import { Injectable } from '@nestjs/common';
import type { Click } from '../../clicks/click';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import { Visitors } from '../../clicks/visitors';
import { Database } from '../../../infrastructure/database/database';

/** Every zone's offset is a multiple of it: no day begins inside of one. */
const QUARTER_MS = 900_000;

/** When a click was for its organization, and who clicked, as different visitors are told apart. */
export interface LocalVisit {
  /** Day of the organization's time zone, `YYYY-MM-DD`. */
  day: string;
  /** The Monday of its ISO week. */
  week: string;
  /** Days since then, 0 to 6. */
  dayOfWeek: number;
  /** A 64-bit number in decimals, that week's for this person in this organization. */
  visitor: string;
}

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

  /** Finds out what these clicks need. */
  async load(clicks: readonly Click[]): Promise<(click: Click) => LocalVisit> {
    // By organization, then by quarter: keys of text would take longer than the look-ups.
    const quarters = new Map<number, Set<number>>();
    for (const click of clicks) {
      const known = quarters.get(click.organizationId);
      if (known) known.add(quarterOf(click));
      else quarters.set(click.organizationId, new Set([quarterOf(click)]));
    }
    const asked = [...quarters].flatMap(([organization, at]) =>
      Array.from(at, (quarter) => ({ organization, quarter })),
    );
    const rows = await this.database.prompt<Row>(DAYS, [
      intArray(asked.map(({ organization }) => organization)),
      intArray(asked.map(({ quarter }) => quarter)),
    ]);
    const days = new Map<number, Map<number, Row>>([...quarters.keys()].map((id) => [id, new Map()]));
    for (const row of rows) days.get(row.organization)?.set(row.quarter, row);
    await this.visitors.loadWeeks(new Set(rows.map(({ week }) => week)));
    return (click) => {
      const { organizationId, ip, userAgent } = click;
      const found = days.get(organizationId)?.get(quarterOf(click));
      if (!found) throw new Error(`Organization ${organizationId} has no time zone`);
      const { day, week, dayOfWeek } = found;
      const visitor = this.visitors.weekVisitor(week, organizationId, ip, userAgent);
      return { day, week, dayOfWeek, visitor };
    };
  }
}

function quarterOf({ at }: Click): number {
  return at - (at % QUARTER_MS);
}

// Clicks of an organization that is there no more are counted as UTC's, like all of its clicks.
const DAYS = `
  SELECT organization, quarter, day, date_trunc('week', day::timestamp)::date AS week,
         extract(isodow FROM day)::int - 1 AS "dayOfWeek"
    FROM (SELECT organization, quarter,
                 coalesce(local_day(organization, to_timestamp(quarter / 1000.0)),
                          (to_timestamp(quarter / 1000.0) AT TIME ZONE 'UTC')::date) AS day
            FROM unnest($1::bigint[], $2::bigint[]) AS q (organization, quarter)) AS days`;
