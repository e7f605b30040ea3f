import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditLog } from '../../access/audit/audit-log';
import { OrganizationSnapshots } from '../../access/organizations/organization-snapshots';
import type { Tx } from '../../infrastructure/database/transactions';
import { type DisabledEndpoint, type EndpointOwner, EndpointOwners } from '../webhooks/endpoint-owners';

/** Acts by itself: nobody asked for it. */
const DELIVERY = {
  actor: { type: 'PLATFORM', id: null, name: 'webhook delivery' },
  userId: null,
  username: null,
  permissions: new Set<string>(),
  ip: '127.0.0.1',
} as const;

/** Organizations, as the owners of endpoints that deliveries know. */
@Injectable()
export class OrganizationOwner implements EndpointOwner, OnModuleInit {
  constructor(
    private readonly owners: EndpointOwners,
    private readonly organizations: OrganizationSnapshots,
    private readonly audit: AuditLog,
  ) {}

  onModuleInit(): void {
    this.owners.register(this);
  }

  async exists(organizationId: number): Promise<boolean> {
    return (await this.organizations.get(organizationId)) !== null;
  }

  /** In the audit log (4-decisions §11). */
  async tell(tx: Tx, { id, organizationId, reason, lastError }: DisabledEndpoint): Promise<void> {
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
