import { Injectable, Logger } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { BATCH_ROWS } from '../../../infrastructure/database/delete-in-batches';
import { forEachSettled } from '../../../common/for-each-settled';
import { ExpiredVisitorData } from '../../clicks/expired-visitor-data';
import { DAY_RETENTION_DAYS, WEEK_RETENTION_DAYS } from '../../clicks/visitors';
import { OLD_CUSTOMERS } from '../customers/old-customers';
import { deleteOldRows, type OldRows } from '../old-rows';

const DAY_MS = 86_400_000;
/**
 * Lock timeout for dropping a partition, which waits for queries of the parent table while counting waits behind it.
 */
const DROP_TIMEOUT_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A range of an organization's clicks in order of time; null if there are none. Times are text, because a Date has no
 * microseconds.
 */
interface Chunk {
  first: string | null;
  last: string | null;
  clicks: number;
}

/**
 * Deletes clicks, rollups and customIds past the organization's retention, and expired visitor data; totals are kept
 * (docs/concepts/statistics.md#retention). Each chunk is a transaction, and after an interruption the next run
 * continues.
 */
@Injectable()
export class ClickRetention {
  private readonly logger = new Logger(ClickRetention.name);

  constructor(
    private readonly database: Database,
    private readonly expired: ExpiredVisitorData,
    private readonly clock: Clock,
  ) {}

  /** @param retentionDays by organization id @param chunk number of rows per transaction */
  async deleteOld(retentionDays: ReadonlyMap<number, number>, chunk = BATCH_ROWS): Promise<void> {
    const now = this.clock.now();
    await this.expired.delete();
    await this.deleteVisitors(now, chunk);
    await this.dropPartitions(new Date(now - Math.max(0, ...retentionDays.values()) * DAY_MS));
    const groups = organizationsByDays(retentionDays);
    await forEachSettled(
      [...groups.keys()],
      (days) => this.deleteOf(groups.get(days) ?? [], new Date(now - days * DAY_MS), chunk),
      { logger: this.logger, what: 'Retention of clicks, by days' },
    );
  }

  private async deleteOf(organizationIds: readonly number[], until: Date, chunk: number): Promise<void> {
    const { logger } = this;
    const steps = {
      clicks: () =>
        forEachSettled(organizationIds, (id) => this.deleteClicks(id, until, chunk), {
          logger,
          what: 'Deletion of old clicks',
        }),
      // After the clicks, from which deleted sums of days would be built again.
      sums: () => this.deleteRows(OLD_SUMS, [organizationIds, until], chunk),
      customers: () => this.deleteRows(OLD_CUSTOMERS, [organizationIds, until], chunk),
    };
    const names = ['clicks', 'sums', 'customers'] as const;
    await forEachSettled(names, (name) => steps[name](), { logger, what: 'Retention of clicks' });
  }

  /** Deletes visitors of days and weeks for which no late clicks are expected; rollups have their number. */
  private async deleteVisitors(now: number, chunk: number): Promise<void> {
    for (const { days, ...rows } of OLD_VISITORS) {
      await this.deleteRows([rows], [new Date(now - days * DAY_MS)], chunk);
    }
  }

  private async deleteRows(
    tables: readonly OldRows[],
    parameters: readonly unknown[],
    chunk: number,
  ): Promise<void> {
    for (const rows of tables) await deleteOldRows(this.database, rows, parameters, chunk);
  }

  /** Starts at the oldest click, which may be older than in the last run, because clicks can arrive late. */
  private async deleteClicks(organizationId: number, until: Date, size: number): Promise<void> {
    let after = '-infinity';
    for (;;) {
      const next = [organizationId, after, until, size];
      const [chunk] = await this.database.write((tx) => tx.slow<Chunk>(NEXT_CLICKS, next));
      const isLast = !chunk || chunk.clicks < size;
      await this.database.write(async (tx) => {
        // The lower bound avoids scanning index entries of clicks deleted before.
        if (chunk?.last) await tx.slow(DELETE_CLICKS, [organizationId, chunk.first, chunk.last]);
        await tx.query(MARK, [organizationId, isLast ? until : chunk.last]);
      });
      if (isLast || chunk.last === null) return;
      after = chunk.last;
    }
  }

  /**
   * Drops months past every organization's retention. While a long query reads the table, their clicks are deleted in
   * chunks instead, and a later run drops the partition.
   */
  private async dropPartitions(until: Date): Promise<void> {
    const partitions = await this.database.read<{ name: string }>(PARTITIONS);
    const old = partitions.filter(({ name }) => {
      const [, year, month] = /^clicks_(\d{4})_(\d\d)$/.exec(name) ?? [];
      return year && month && new Date(Date.UTC(Number(year), Number(month), 1)) <= until;
    });
    try {
      for (const { name } of old) {
        await this.database.write(async (tx) => {
          await tx.query(`SET LOCAL lock_timeout = ${DROP_TIMEOUT_MS}`);
          await tx.query(`DROP TABLE IF EXISTS ${name}`);
        });
      }
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      this.logger.warn('A long query reads clicks; old ones are deleted in chunks instead of whole months');
    }
  }
}

function organizationsByDays(retentionDays: ReadonlyMap<number, number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [organizationId, days] of retentionDays) {
    const ids = groups.get(days);
    if (ids) ids.push(organizationId);
    else groups.set(days, [organizationId]);
  }
  return groups;
}

const NEXT_CLICKS = `
  SELECT min(clicked_at)::text AS first, max(clicked_at)::text AS last, count(*)::int AS clicks
    FROM (SELECT clicked_at FROM clicks
           WHERE organization_id = $1 AND clicked_at > $2 AND clicked_at < $3
           ORDER BY clicked_at LIMIT $4) AS chunk`;

const DELETE_CLICKS = `DELETE FROM clicks WHERE organization_id = $1 AND clicked_at BETWEEN $2 AND $3`;

const MARK = `
  INSERT INTO click_retention (organization_id, deleted_until) VALUES ($1, $2)
  ON CONFLICT (organization_id) DO UPDATE SET deleted_until = excluded.deleted_until`;

const dayOf = (time: string) => `(${time}::timestamptz AT TIME ZONE 'UTC')::date`;

const OLD_VISITORS: readonly (OldRows & { days: number })[] = [
  {
    table: 'click_day_visitors',
    key: 'day, kind, organization_id, tracked_link_id, visitor',
    isOld: `r.day < ${dayOf('$1')}`,
    days: DAY_RETENTION_DAYS - 1,
  },
  {
    table: 'click_visitors',
    key: 'week, organization_id, app_id, visitor',
    isOld: `r.week < ${dayOf('$1')}`,
    days: WEEK_RETENTION_DAYS,
  },
];

const OLD_SUMS: readonly OldRows[] = [
  {
    table: 'click_rollups',
    key: 'organization_id, tracked_link_id, kind, day, slot',
    oldest: 'day',
    first: '',
  },
  // Statistics read the remaining days of a month that has lost one.
  {
    table: 'click_months',
    key: 'organization_id, tracked_link_id, kind, month',
    oldest: 'month',
    first: '',
  },
  // Days of time zones west of UTC start later.
  { table: 'click_sums', key: 'organization_id, unit, start', oldest: 'start', first: '- 1' },
  {
    table: 'click_breakdowns',
    key: 'organization_id, dimension, unit, start',
    oldest: 'start',
    first: '- 1',
  },
  {
    table: 'click_link_sums',
    key: 'organization_id, dimension, unit, start, bucket',
    oldest: 'start',
    first: '- 1',
  },
].map(({ table, key, oldest, first }) => ({
  table,
  key,
  isOld: `r.organization_id = ANY($1::bigint[]) AND r.${oldest} < ${dayOf('$2')} ${first}`,
}));

const PARTITIONS = `
  SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = 'clicks'::regclass ORDER BY name`;
