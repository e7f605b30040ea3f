import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { forEachSettled } from '../../../common/for-each-settled';

interface StaleDay {
  organizationId: number;
  appId: number;
  day: string;
}

/**
 * Daily sums of the event log, built once a day has ended. A day is rebuilt whenever the number of its events differs
 * from its sums, which also covers missed days and late events.
 */
@Injectable()
export class EventDays {
  private readonly logger = new Logger(EventDays.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Builds the outdated sums of all days that have ended in their organization's time zone. */
  async build(): Promise<void> {
    const days = await this.staleDays();
    if (days.length === 0) return;
    // With outdated statistics, Postgres estimates almost no rows for yesterday or for a new customer.
    await this.database.read('ANALYZE session_events');
    await forEachSettled(days, (day) => this.buildDay(day), { logger: this.logger, what: 'Sums of events' });
  }

  /** Oldest first. */
  private async staleDays(): Promise<StaleDay[]> {
    const apps = await this.database.read<Omit<StaleDay, 'day'>>(APPS);
    const stale: StaleDay[] = [];
    for (const app of apps) {
      const parameters = [app.organizationId, app.appId, this.clock.date()];
      const days = await this.database.read<{ day: string }>(STALE, parameters);
      for (const { day } of days) stale.push({ ...app, day });
    }
    return stale.sort((a, b) => a.day.localeCompare(b.day));
  }

  private buildDay({ organizationId, appId, day }: StaleDay): Promise<void> {
    return this.database.write(async (tx) => {
      // A session's events are stored close together; at the default cost, Postgres would scan the whole table instead
      // of using the index.
      await tx.query('SET LOCAL random_page_cost = 1.1');
      await sumUp(tx, [organizationId, appId, day]);
      // Sums of later days depend on the day that returning sessions had an event before, which may now be this one.
      const later = await tx.slow<{ day: string }>(LATER, [organizationId, appId, day]);
      for (const { day: each } of later) await sumUp(tx, [organizationId, appId, each]);
    });
  }
}

async function sumUp(tx: Tx, key: readonly [number, number, string]): Promise<void> {
  await tx.query(DELETE, [...key]);
  await tx.slow(INSERT, key);
}

/** Days that are checked. Events are assigned to their day of receipt, so older days do not change. */
const LATE_DAYS = 8;

const APPS = `SELECT organization_id AS "organizationId", id AS "appId" FROM apps`;

/** Days of app $2 of organization $1 that had ended at $3. One app per statement, so that Citus queries one node. */
const STALE = `
  SELECT r.day
    FROM event_rollups r
   WHERE r.organization_id = $1 AND r.app_id = $2 AND r.day < local_day($1, $3)
     AND r.day >= coalesce((SELECT max(s.day) - ${LATE_DAYS} FROM event_day_rollups s
                             WHERE s.organization_id = $1 AND s.app_id = $2), '-infinity')
   GROUP BY r.day
  HAVING sum(r.events) <> coalesce((SELECT sum(s.events) FROM event_day_rollups s
                                     WHERE s.organization_id = $1 AND s.app_id = $2
                                       AND s.day = r.day AND s.event_type = ''), 0)`;

// Finds events of other days by session. The condition on day differences keeps Postgres from the index on days, which
// it would scan once per session if it expects few other events, as in the first weeks.
const SESSIONS =
  'SELECT DISTINCT session_id FROM session_events WHERE organization_id = $1 AND app_id = $2 AND day = $3::date';
const OTHERS = `(${SESSIONS}) AS t JOIN session_events AS b ON b.organization_id = $1 AND b.session_id = t.session_id`;

const summed = (condition: string) => `
  EXISTS (SELECT FROM event_day_rollups s
           WHERE s.organization_id = $1 AND s.app_id = $2 AND s.event_type = '' AND s.${condition})`;

const LATER = `
  WITH later AS MATERIALIZED (
    SELECT DISTINCT b.day FROM ${OTHERS} AND b.day - $3::date > 0 WHERE ${summed('day > $3::date')}
  )
  SELECT day FROM later WHERE ${summed('day = later.day')} ORDER BY day`;

const DELETE = `DELETE FROM event_day_rollups WHERE organization_id = $1 AND app_id = $2 AND day = $3`;

const INSERT = `
  WITH typed AS MATERIALIZED (
    SELECT session_id, event_type, count(*) AS events
      FROM session_events
     WHERE organization_id = $1 AND app_id = $2 AND day = $3::date
     GROUP BY session_id, event_type
  ), earlier AS MATERIALIZED (
    SELECT b.session_id, b.event_type, max(b.day) AS day FROM ${OTHERS} AND b.day - $3::date < 0
     GROUP BY b.session_id, b.event_type
  ), counted AS (
    SELECT event_type, events, earlier.day AS before
      FROM typed LEFT JOIN earlier USING (session_id, event_type)
    UNION ALL
    SELECT '', events, latest.day
      FROM (SELECT session_id, sum(events) AS events FROM typed GROUP BY session_id) AS e
      LEFT JOIN (SELECT session_id, max(day) AS day FROM earlier GROUP BY session_id) AS latest USING (session_id)
  )
  INSERT INTO event_day_rollups (organization_id, app_id, day, event_type, gap, events, sessions)
  SELECT $1, $2, $3::date, event_type, coalesce($3::date - before, -1), sum(events), count(*)
    FROM counted
   GROUP BY event_type, coalesce($3::date - before, -1)`;
