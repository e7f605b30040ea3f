import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../../common/time/clock';
import { earliestIdOf } from '../../../common/uuid';
import { Database } from '../../../infrastructure/database/database';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';

const RETENTION_MS = 30 * 86_400_000;
const BATCH = 5_000;

/** Deletes at most `$1` rows. The condition is repeated, for rows that change meanwhile. */
const deletion = (table: string, where: string, lock = '') => `
  DELETE FROM ${table}
   WHERE (organization_id, id) IN (SELECT organization_id, id FROM ${table} WHERE ${where} LIMIT $1 ${lock}) AND ${where}`;

const OLD_EVENTS = deletion('outbox_events', 'id < $2');
// A redelivered delivery is stored for 30 days after its last attempt; a pending one is deleted with its event.
const OLD_DELIVERIES = deletion(
  'webhook_deliveries',
  `id < $2 AND (status = 'PENDING' OR last_attempt_at < $3)`,
);
const ENDED_DELIVERIES = deletion(
  'webhook_deliveries',
  'organization_id = $2 AND endpoint_id = $3',
  'FOR UPDATE SKIP LOCKED',
);
const ENDED = `
  SELECT w.id, w.organization_id AS "organizationId" FROM webhook_endpoints w
   WHERE deleted_at IS NOT NULL AND EXISTS (
           SELECT FROM webhook_deliveries d WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id)`;

/** Deletes events and deliveries after 30 days, or with their endpoint (docs/webhooks.md#delivery-log). */
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
    const before = this.clock.now() - RETENTION_MS;
    const id = earliestIdOf(before);
    await this.inBatches(OLD_DELIVERIES, id, new Date(before));
    await this.inBatches(OLD_EVENTS, id);
    for (const { organizationId, id: endpointId } of await this.database.read<WorkItem>(ENDED)) {
      await this.inBatches(ENDED_DELIVERIES, organizationId, endpointId);
    }
  }

  /** In batches, so that statements stay short and lock few rows. */
  private async inBatches(sql: string, ...parameters: unknown[]): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = await this.database.execute(sql, [BATCH, ...parameters]);
    }
  }
}
