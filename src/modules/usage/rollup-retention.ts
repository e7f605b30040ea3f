import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { DateTime } from 'luxon';
import type { Limits } from '../../access/limits/limits';
import {
  OrganizationsService,
  type OrganizationTerms,
} from '../../access/organizations/organizations.service';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { intArray } from '../../infrastructure/database/sql-arrays';
import { deleteInBatches, batchOf } from '../../infrastructure/database/delete-in-batches';
import { forEachSettled } from '../../common/for-each-settled';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { AppIdsQuery } from './app-ids.query';
import { DAY_MINUTES, SUBJECT_KIND } from '../sessions/funnel';

/** Deletes daily and monthly sums past their retention (docs/concepts/statistics.md#retention); totals are kept. */
@Injectable()
export class RollupRetention {
  private readonly logger = new Logger(RollupRetention.name);

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly apps: AppIdsQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Cron('3 4 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('usage.rollups', 86_400, async () => {
      await forEachSettled(await this.organizations.terms(), (each) => this.deleteOf(each), {
        logger: this.logger,
        what: 'Deletion of old sums',
      });
    });
  }

  private async deleteOf({ id, limits }: OrganizationTerms): Promise<void> {
    const first = firstKept(this.clock.now(), limits);
    const appIds = intArray(await this.apps.run(id));
    for (const statement of STATEMENTS) {
      const parameters = statement.includes('$3') ? [id, first, appIds] : [id, first];
      await deleteInBatches(this.database, statement, parameters);
    }
  }
}

/**
 * First day of the oldest month whose sums are kept, `YYYY-MM-DD`. Only whole months are deleted, and none for which
 * clicks or events still exist.
 */
export function firstKept(
  now: number,
  {
    clickRetentionDays,
    eventRetentionDays,
    rollupRetentionMonths,
  }: Pick<Limits, 'clickRetentionDays' | 'eventRetentionDays' | 'rollupRetentionMonths'>,
): string {
  const today = DateTime.fromMillis(now, { zone: 'utc' });
  const byMonths = today.minus({ months: rollupRetentionMonths });
  // One day more covers time zones whose day ends after UTC's.
  const byDays = today.minus({ days: Math.max(clickRetentionDays, eventRetentionDays) + 1 });
  return DateTime.min(byMonths, byDays).startOf('month').toFormat('yyyy-MM-dd');
}

/** The apps are listed, because the primary keys have the app before the day. */
const APPS = 'app_id = ANY($3::bigint[])';

const KINDS = `subject_kind IN (${Object.values(SUBJECT_KIND).join(', ')})`;

/**
 * Conditions on old rows, by table, in the order of deletion: event_rollups come before event_day_rollups, which
 * EventDays rebuilds for the days in event_rollups.
 */
export const OLD_SUMS: Readonly<Record<string, string>> = {
  session_rollups: 'day < $2::date',
  session_source_rollups: `${APPS} AND day < $2::date`,
  session_user_rollups: `${APPS} AND day < $2::date`,
  session_user_days: `${APPS} AND day < $2::date`,
  transition_rollups: `${APPS} AND day < $2::date`,
  event_rollups: `${APPS} AND day < $2::date`,
  event_day_rollups: `${APPS} AND day < $2::date`,
  goal_rollups: `${KINDS} AND day < $2::date`,
  campaign_goal_rollups: 'day < $2::date',
  goal_months: `${KINDS} AND month < $2::date`,
  compacted_months: 'month < $2::date',
  funnel_rollups: `minutes = ${DAY_MINUTES} AND starts_at < $2::date AT TIME ZONE 'UTC'`,
  visitor_rollups: `${APPS} AND day < $2::date`,
  visitor_week_rollups: `${APPS} AND week < $2::date`,
  click_limit_notices: 'month < $2::date',
};

const STATEMENTS = Object.entries(OLD_SUMS).map(
  ([table, isOld]) => `DELETE FROM ${table} WHERE ${batchOf(table, '$1', isOld)}`,
);
