import { randomInt } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { forEachSettled } from '../../../common/for-each-settled';
import { dayRuns } from './day-runs';
import {
  dayBreakdowns,
  dayLinks,
  dayTotals,
  DUE_DAYS,
  DUE_MONTHS,
  MONTH_BREAKDOWNS,
  type Statement,
  UNIT,
  ZONE,
} from './period-sums.sql';
import { MORE_MEMORY } from './raw-clicks.query';
import {
  type BreakdownRow,
  type Built,
  claimPeriod,
  type Figures,
  type LinkRow,
  merged,
  packed,
  type Period,
  storePeriod,
} from './stored-periods';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Delay after the end of a day, so that late clicks do not make a second run necessary. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** Duration of a run, which a shutdown has to wait for. */
const RUN_MS = 30_000;
/** Share of a run for days; the rest is for months. */
const DAYS_MS = 25_000;
const MAX_DAYS = 5_000;
const MAX_CLAIM = 2 ** 47;

interface DueDay {
  organizationId: number;
  day: string;
}

interface DueMonth {
  organizationId: number;
  month: string;
}

interface Zone {
  timeZone: string;
  timeZoneChangedAt: Date | null;
}

/**
 * Sums up the clicks of finished days and months (docs/adr/0045-sums-are-derived-from-clicks.md). A period is claimed,
 * read in one snapshot, and stored only if the claim still exists: counting a click of the period deletes the claim.
 */
@Injectable()
export class ClickSumBuilder {
  private readonly logger = new Logger(ClickSumBuilder.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Sums up due periods for half a minute. @param retentionDays longest retention of any organization */
  async build(retentionDays: number): Promise<void> {
    const startedAt = performance.now();
    const now = this.clock.now();
    const range = [new Date(now - PATIENCE_MS), new Date(now - (retentionDays + 1) * DAY_MS)];
    const due = await this.database.write((tx) => tx.slow<DueDay>(DUE_DAYS, [...range, MAX_DAYS]));
    const { logger } = this;
    try {
      const limits = { logger, what: 'Sums of a day', until: startedAt + DAYS_MS };
      await forEachSettled(due, (day) => this.buildDay(day), limits);
    } finally {
      const months = await this.database.write((tx) => tx.slow<DueMonth>(DUE_MONTHS));
      const limits = { logger, what: 'Sums of a month', until: startedAt + RUN_MS };
      await forEachSettled(months, (month) => this.buildMonth(month), limits);
    }
  }

  private async buildDay({ organizationId, day }: DueDay): Promise<void> {
    await this.buildPeriod({ organizationId, unit: UNIT.day, start: day }, async (read) => {
      // The time zone in the snapshot, which contains no click counted in a later zone.
      const [zone] = await read<Zone>({ sql: ZONE, parameters: [organizationId] });
      if (!zone) return null;
      const { timeZone, timeZoneChangedAt } = zone;
      const [run] = dayRuns([day], timeZone, timeZoneChangedAt);
      if (!run) return null;
      const of = { organizationId, timeZone, run };
      const [totals] = await read<Figures>(dayTotals(of));
      const links = await read<Figures & { dimension: string; id: number }>(dayLinks(of));
      return {
        totals: totals ?? { clicks: 0, bots: 0, visitors: 0 },
        breakdowns: await read<BreakdownRow>(dayBreakdowns(of)),
        links: ['link', 'campaign'].flatMap((dimension) =>
          packed(
            dimension,
            links.filter((row) => row.dimension === dimension),
          ),
        ),
      };
    });
  }

  private async buildMonth({ organizationId, month }: DueMonth): Promise<void> {
    await this.buildPeriod({ organizationId, unit: UNIT.month, start: month }, async (read) => {
      const parameters = [organizationId, month];
      const [totals] = await read<Figures & { days: number }>({ sql: MONTH_TOTALS, parameters });
      if (!totals || totals.days === 0) return null;
      const rows = await read<LinkRow>({ sql: MONTH_LINKS, parameters });
      return {
        totals,
        breakdowns: await read<BreakdownRow>({ sql: MONTH_BREAKDOWNS, parameters }),
        links: ['link', 'campaign'].flatMap((dimension) =>
          merged(
            dimension,
            rows.filter((row) => row.dimension === dimension),
          ),
        ),
      };
    });
  }

  private async buildPeriod(
    period: Period,
    sum: (read: <Row>(statement: Statement) => Promise<Row[]>) => Promise<Built | null>,
  ): Promise<void> {
    const claim = randomInt(MAX_CLAIM);
    await this.database.write((tx) => claimPeriod(tx, period, claim));
    const built = await this.database.snapshot(async (tx) => {
      await tx.query(MORE_MEMORY);
      return sum(({ sql, parameters }) => tx.slow(sql, parameters));
    });
    if (built === null) return;
    await this.database.write((tx) => storePeriod(tx, period, claim, built));
  }
}

const DAYS_OF_MONTH = `start >= $2::date AND start < $2::date + interval '1 month'`;

// Empty unless every day has sums, since a late click may have deleted some.
const MONTH_TOTALS = `
  SELECT CASE WHEN count(*) = extract(day FROM $2::date + interval '1 month' - interval '1 day') THEN count(*) ELSE 0 END AS days,
         coalesce(sum(clicks), 0)::bigint AS clicks, coalesce(sum(bots), 0)::bigint AS bots,
         coalesce(sum(visitors), 0)::bigint AS visitors
    FROM click_sums WHERE organization_id = $1 AND unit = ${UNIT.day} AND claim IS NULL AND ${DAYS_OF_MONTH}`;

const MONTH_LINKS = `
  SELECT dimension, bucket, buckets, clicks, bots, visitors
    FROM click_link_sums WHERE organization_id = $1 AND unit = ${UNIT.day} AND ${DAYS_OF_MONTH}`;
