import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Tx } from '../../../infrastructure/database/tx';
import type { DisabledReason } from './webhook-endpoint';

/** An endpoint that deliveries have disabled. */
export interface DisabledEndpoint {
  readonly id: number;
  readonly organizationId: number;
  readonly reason: Exclude<DisabledReason, 'CONSOLE'>;
  readonly lastError: string | null;
}

const DELIVERY = {
  actor: { type: 'PLATFORM', id: null, name: 'webhook delivery' },
  userId: null,
  username: null,
  permissions: new Set<string>(),
  ip: '127.0.0.1',
} as const;

/** Audit entries of endpoints that no person has disabled. */
@Injectable()
export class EndpointAudit {
  constructor(private readonly audit: AuditLog) {}

  async disabled(tx: Tx, { id, organizationId, reason, lastError }: DisabledEndpoint): Promise<void> {
    await this.audit.record(
      tx,
      { ...DELIVERY, organizationId },
      {
        action: 'webhook.disable',
        resourceType: 'webhook',
        resourceId: id,
        changes: {
          enabled: { from: true, to: false },
          disabledReason: { from: null, to: reason },
          lastError: { from: null, to: lastError },
        },
      },
    );
  }
}
