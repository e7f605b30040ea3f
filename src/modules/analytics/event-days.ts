import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock';

/** A day of an app whose sums are not those of its events. */
interface StaleDay {
  organizationId: number;
  appId: number;
  day: string;
}

/**
 * The days of the event log, summed once they are over. A day is summed anew, from its events, whenever they are more or
 * fewer than those in its sums: so days that were missed are caught up, and late events correct theirs.
 */
@Injectable()
export class EventDays {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Sums every day that is over in its organization's time zone and needs it. */
  async build(): Promise<void> {
    const days = await this.dataSource.query<StaleDay[]>(STALE, [this.clock.date()]);
    for (const day of days) await this.buildDay(day);
  }

  private buildDay({ organizationId, appId, day }: StaleDay): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL statement_timeout = 0`);
      await sumUp(manager, [organizationId, appId, day]);
      // Sessions that went on later were counted there by the day before, which may now be this one.
      const later = await manager.query<{ day: string }[]>(LATER, [organizationId, appId, day]);
      for (const { day: each } of later) await sumUp(manager, [organizationId, appId, each]);
    });
  }
}

async function sumUp(manager: EntityManager, key: readonly [number, number, string]): Promise<void> {
  await manager.query(DELETE, [...key]);
  await manager.query(INSERT, [...key]);
}

/** Events count on the day on which they come in, so that days long over are not looked at again. */
const LATE_DAYS = 8;

const STALE = `
  SELECT r.organization_id AS "organizationId", r.app_id AS "appId", r.day
    FROM apps a
    JOIN event_rollups r ON r.organization_id = a.organization_id AND r.app_id = a.id
     AND r.day < local_day(a.organization_id, $1)
     AND r.day >= coalesce((SELECT max(s.day) - ${LATE_DAYS} FROM event_day_rollups s
                             WHERE s.organization_id = a.organization_id AND s.app_id = a.id), '-infinity')
   GROUP BY r.organization_id, r.app_id, r.day
  HAVING sum(r.events) <> coalesce((SELECT sum(s.events) FROM event_day_rollups s
                                     WHERE s.organization_id = r.organization_id AND s.app_id = r.app_id
                                       AND s.day = r.day AND s.event_type = ''), 0)
   ORDER BY r.day`;

const LATER = `
  SELECT DISTINCT s.day
    FROM event_day_rollups s
   WHERE s.organization_id = $1 AND s.app_id = $2 AND s.day > $3::date AND s.event_type = ''
     AND EXISTS (SELECT FROM session_events later
                  WHERE later.organization_id = $1 AND later.app_id = $2 AND later.day = s.day
                    AND later.session_id IN (SELECT e.session_id FROM session_events e
                                              WHERE e.organization_id = $1 AND e.app_id = $2 AND e.day = $3::date))
   ORDER BY s.day`;

const DELETE = `DELETE FROM event_day_rollups WHERE organization_id = $1 AND app_id = $2 AND day = $3`;

const before = (condition: string) => `
  (SELECT max(b.day) FROM session_events b
    WHERE b.organization_id = $1 AND b.session_id = e.session_id AND b.day < $3::date ${condition})`;

const INSERT = `
  WITH typed AS MATERIALIZED (
    SELECT session_id, event_type, count(*) AS events
      FROM session_events
     WHERE organization_id = $1 AND app_id = $2 AND day = $3::date
     GROUP BY session_id, event_type
  ), counted AS (
    SELECT event_type, events, ${before('AND b.event_type = e.event_type')} AS before FROM typed e
    UNION ALL
    SELECT '', events, ${before('')}
      FROM (SELECT session_id, sum(events) AS events FROM typed GROUP BY session_id) AS e
  )
  INSERT INTO event_day_rollups (organization_id, app_id, day, event_type, gap, events, sessions)
  SELECT $1, $2, $3::date, event_type, coalesce($3::date - before, -1), sum(events), count(*)
    FROM counted
   GROUP BY event_type, coalesce($3::date - before, -1)`;
