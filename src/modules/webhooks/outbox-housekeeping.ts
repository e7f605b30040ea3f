import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/time/clock';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';

const KEPT_MS = 30 * 86_400_000;
const BATCH = 5_000;

/** Deletes events that have had their time: 30 days, as long as the delivery log reaches (4-decisions §11). */
@Injectable()
export class OutboxHousekeeping {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
  ) {}

  @Cron('7 * * * *')
  tick(): Promise<boolean> {
    return this.schedule.run('outbox.purge', 3600, () => this.deleteOld());
  }

  /** In batches: no statement runs long, and none locks many rows. */
  async deleteOld(): Promise<void> {
    const before = earliestIdOf(this.clock.now() - KEPT_MS);
    for (let deleted = BATCH; deleted === BATCH;) {
      const rows = await this.dataSource.query<{ deleted: number }[]>(
        `WITH gone AS (
           DELETE FROM outbox_events
            WHERE id IN (SELECT id FROM outbox_events WHERE id < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING 1
         )
         SELECT count(*) AS deleted FROM gone`,
        [before, BATCH],
      );
      deleted = rows[0]?.deleted ?? 0;
    }
  }
}

/** The first UUID of version 7 that this millisecond could have. */
function earliestIdOf(time: number): string {
  return time
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000');
}
