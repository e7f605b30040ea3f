import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../../common/time/clock';
import { earliestIdOf } from '../../../common/uuid';
import { Database } from '../../../infrastructure/database/database';
import { deleteInBatches, batchOf, batchOfAll } from '../../../infrastructure/database/delete-in-batches';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';

const RETENTION_MS = 30 * 86_400_000;

const KEY = 'organization_id, id';
const OLD_EVENTS = `DELETE FROM outbox_events WHERE ${batchOfAll('outbox_events', KEY, 'id < $1')}`;
// A redelivered delivery is kept for 30 days after its last attempt; a pending one is deleted with its event.
const OLD_DELIVERIES = `
  DELETE FROM webhook_deliveries
   WHERE ${batchOfAll('webhook_deliveries', KEY, `id < $1 AND (status = 'PENDING' OR last_attempt_at < $2)`)}`;
const DELIVERIES_OF = `DELETE FROM webhook_deliveries WHERE ${batchOf('webhook_deliveries', '$1', 'endpoint_id = $2')}`;
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
    await deleteInBatches(this.database, OLD_DELIVERIES, [id, new Date(before)]);
    await deleteInBatches(this.database, OLD_EVENTS, [id]);
    for (const { organizationId, id: endpointId } of await this.database.read<WorkItem>(ENDED)) {
      await deleteInBatches(this.database, DELIVERIES_OF, [organizationId, endpointId]);
    }
  }
}
