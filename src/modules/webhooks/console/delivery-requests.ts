import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { DeliveryWakeUps } from '../deliveries/delivery-wake-ups';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** What somebody has asked to be delivered. */
interface Requested<T> {
  readonly endpointId: number;
  /** For the audit log. */
  readonly about: Readonly<Record<string, string>>;
  readonly result: T;
}

/** Makes something due in a transaction, with who asked for it, and rings once it is kept. */
@Injectable()
export class DeliveryRequests {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly wakeUps: DeliveryWakeUps,
  ) {}

  run<T>(caller: Caller, verb: string, work: (tx: Tx) => Promise<Requested<T>>): Promise<T> {
    return this.database.write(async (tx) => {
      const { endpointId, about, result } = await work(tx);
      await this.audit.record(tx, caller, {
        action: `webhook.${verb}`,
        resourceType: 'webhook',
        resourceId: endpointId,
        changes: Object.fromEntries(Object.entries(about).map(([name, to]) => [name, { from: null, to }])),
      });
      tx.afterCommit(() => this.wakeUps.notify(endpointId));
      return result;
    });
  }
}
