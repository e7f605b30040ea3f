import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../../common/time/clock';
import { earliestIdOf } from '../../../common/uuid';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { Database } from '../../../infrastructure/database/database';

const KEPT_MS = 30 * 86_400_000;
const BATCH = 5_000;

/** Rows to delete are those that `where` names, of at most `$1`. */
const deletion = (table: string, where: string) => `
  WITH gone AS (
    DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*) AS deleted FROM gone`;

const OLD_EVENTS = deletion('outbox_events', 'id < $2');
// What was sent again stays for as long as its log has to; what still waits goes with its event.
const OLD_DELIVERIES = deletion(
  'webhook_deliveries',
  `id < $2 AND (status = 'PENDING' OR last_attempt_at < $3)`,
);
const ENDED_DELIVERIES = deletion('webhook_deliveries', 'endpoint_id = $2');
const ENDED = `
  SELECT w.id FROM webhook_endpoints w
   WHERE deleted_at IS NOT NULL AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = w.id)`;

/**
 * Deletes events and deliveries that have had their time: 30 days, and no longer than their endpoint
 * (docs/webhooks.md#delivery-log).
 */
@Injectable()
export class OutboxHousekeeping {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
  ) {}

  @Cron('7 * * * *')
  tick(): Promise<boolean> {
    return this.schedule.run('outbox.purge', 3600, () => this.deleteOld());
  }

  async deleteOld(): Promise<void> {
    const before = this.clock.now() - KEPT_MS;
    const id = earliestIdOf(before);
    await this.inBatches(OLD_DELIVERIES, id, new Date(before));
    await this.inBatches(OLD_EVENTS, id);
    for (const endpoint of await this.database.read<{ id: number }>(ENDED)) {
      await this.inBatches(ENDED_DELIVERIES, endpoint.id);
    }
  }

  /** No statement runs long, and none locks many rows. */
  private async inBatches(sql: string, ...which: unknown[]): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      const [row] = await this.database.read<{ deleted: number }>(sql, [BATCH, ...which]);
      deleted = row?.deleted ?? 0;
    }
  }
}
