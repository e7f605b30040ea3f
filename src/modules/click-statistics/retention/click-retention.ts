import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { lockCustomerSums } from '../customers/customer-sums';
import { ExpiredVisitorData } from '../../clicks/expired-visitor-data';
import { DAY_RETENTION_DAYS, WEEK_RETENTION_DAYS } from '../../clicks/visitors';
import { Database } from '../../../infrastructure/database/database';

const DAY_MS = 86_400_000;

/** Deletes clicks, rollups and customIds past the organization's retention, and expired visitor data; totals stay. */
@Injectable()
export class ClickRetention {
  constructor(
    private readonly database: Database,
    private readonly expired: ExpiredVisitorData,
    private readonly clock: Clock,
  ) {}

  /** @param retentionDays days by organization id */
  async deleteOld(retentionDays: ReadonlyMap<number, number>): Promise<void> {
    const now = this.clock.now();
    await this.expired.delete();
    await this.deleteVisitors(now);
    for (const [days, organizationIds] of organizationsByDays(retentionDays)) {
      await this.deleteClicks(organizationIds, new Date(now - days * DAY_MS));
    }
    await this.dropPartitions(new Date(now - Math.max(0, ...retentionDays.values()) * DAY_MS));
  }

  /** Deletes visitors of days and weeks for which no late clicks are expected; rollups have their number. */
  private async deleteVisitors(now: number): Promise<void> {
    for (const [table, start, days] of [
      ['click_day_visitors', 'day', DAY_RETENTION_DAYS - 1],
      ['click_visitors', 'week', WEEK_RETENTION_DAYS],
    ] as const) {
      await this.database.write(async (tx) => {
        await tx.slow(`DELETE FROM ${table} WHERE ${start} < ($1::timestamptz AT TIME ZONE 'UTC')::date`, [
          new Date(now - days * DAY_MS),
        ]);
      });
    }
  }

  private async deleteClicks(organizationIds: number[], until: Date): Promise<void> {
    await this.database.write(async (tx) => {
      await tx.slow(DELETE_CLICKS, [organizationIds, until]);
      for (const statement of [...DELETE_SUMS, ...DELETE_BREAKDOWNS])
        await tx.slow(statement, [organizationIds, until]);
      for (const id of organizationIds.toSorted((a, b) => a - b)) await lockCustomerSums(tx, id);
      for (const statement of DELETE_USERS) await tx.slow(statement, [organizationIds, until]);
      await tx.slow(MARK, [organizationIds, until]);
    });
  }

  /** Drops months that are past every organization's retention. */
  private async dropPartitions(until: Date): Promise<void> {
    const partitions = await this.database.read<{ name: string }>(PARTITIONS);
    for (const { name } of partitions) {
      const [, year, month] = /^clicks_(\d{4})_(\d\d)$/.exec(name) ?? [];
      if (year && month && new Date(Date.UTC(Number(year), Number(month), 1)) <= until) {
        await this.database.read(`DROP TABLE ${name}`);
      }
    }
  }
}

/** Groups organization ids by retention in days. */
export function organizationsByDays(retentionDays: ReadonlyMap<number, number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [organizationId, days] of retentionDays) {
    groups.set(days, [...(groups.get(days) ?? []), organizationId]);
  }
  return groups;
}

// Only days since the last run are read; earlier ones have been deleted.
const DELETED_BEFORE = `
  coalesce((SELECT min(coalesce(r.deleted_until, '-infinity'))
              FROM unnest($1::bigint[]) AS o (id)
              LEFT JOIN click_retention r ON r.organization_id = o.id), '-infinity')`;
const DELETE_CLICKS = `
  DELETE FROM clicks
   WHERE clicked_at < $2 AND organization_id = ANY($1::bigint[])
     AND clicked_at >= ${DELETED_BEFORE}`;
const FIRST_DAY = `($2::timestamptz AT TIME ZONE 'UTC')::date`;
// A month that has lost a day is deleted, and statistics read its remaining days instead.
const DELETE_SUMS = [
  ['click_rollups', 'day'],
  ['click_months', 'month'],
  ['click_months_due', 'month'],
].map(
  ([table, day]) => `
  DELETE FROM ${table} WHERE organization_id = ANY($1::bigint[]) AND ${day} < ${FIRST_DAY}`,
);
// Days of time zones west of UTC begin later.
const DELETE_BREAKDOWNS = ['click_sums', 'click_breakdowns', 'click_link_sums'].map(
  (table) => `DELETE FROM ${table} WHERE organization_id = ANY($1::bigint[]) AND start < ${FIRST_DAY} - 1`,
);
// The last sum before the retained range stays with its additions, because it is subtracted from later sums.
const LAST_SUM_BEFORE = (row: string) => `
  (SELECT max(b.day) FROM click_user_sums b
    WHERE b.organization_id = ${row}.organization_id AND b.campaign_id = ${row}.campaign_id AND b.day < ${FIRST_DAY})`;
const OWN = (row: string) => `${row}.organization_id = ANY($1::bigint[])`;
const DELETE_USERS = [
  `DELETE FROM click_user_days d WHERE ${OWN('d')} AND d.day < ${FIRST_DAY} AND d.day >= ${DELETED_BEFORE}::date - 1`,
  `DELETE FROM click_user_adds a
    WHERE ${OWN('a')} AND a.day < ${FIRST_DAY}
      AND (NOT EXISTS (SELECT FROM click_user_sums s
                        WHERE s.organization_id = a.organization_id AND s.campaign_id = a.campaign_id)
           OR (a.folded AND a.day <= ${LAST_SUM_BEFORE('a')}))`,
  `DELETE FROM click_user_sums s WHERE ${OWN('s')} AND s.day < ${LAST_SUM_BEFORE('s')}`,
  `DELETE FROM click_users u
    WHERE ${OWN('u')} AND u.seen_on < ${FIRST_DAY}
      AND NOT EXISTS (SELECT FROM click_user_days d
                       WHERE d.organization_id = u.organization_id AND d.campaign_id = u.campaign_id
                         AND d.user_no = u.user_no)`,
];
const MARK = `
  INSERT INTO click_retention (organization_id, deleted_until)
  SELECT id, $2 FROM unnest($1::bigint[]) AS o (id)
  ON CONFLICT (organization_id) DO UPDATE SET deleted_until = excluded.deleted_until`;
const PARTITIONS = `
  SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = 'clicks'::regclass`;
