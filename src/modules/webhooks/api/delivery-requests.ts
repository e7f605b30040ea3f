import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { WakeUpQueue } from '../../../infrastructure/jobs/wake-up-queue';
import { DELIVERIES_QUEUE } from '../outbox/webhook-outbox';

/** The result of making deliveries due. */
interface Requested<T> {
  readonly endpointId: number;
  /** Details for the audit log. */
  readonly about: Readonly<Record<string, string>>;
  readonly result: T;
}

/** Makes deliveries due in a transaction with an audit entry, and wakes a worker after the commit. */
@Injectable()
export class DeliveryRequests {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @InjectQueue(DELIVERIES_QUEUE) private readonly queue: WakeUpQueue,
  ) {}

  run<T>(caller: Caller, verb: string, work: (tx: Tx) => Promise<Requested<T>>): Promise<T> {
    return this.database.write(async (tx) => {
      const { endpointId, about, result } = await work(tx);
      await this.audit.record(tx, caller, {
        action: `webhook.${verb}`,
        resourceType: 'webhook',
        resourceId: endpointId,
        changes: changesBetween({}, about),
      });
      tx.afterCommit(() => this.queue.notify({ organizationId: caller.organizationId, id: endpointId }));
      return result;
    });
  }
}
