import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { AuditChanges } from '../../../access/audit/audit-entry.entity';
import type { Requester } from '../../../access/caller';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { CustomDomain } from '../custom-domain.entity';
import { DomainCache } from '../domain-cache';

type Actor = Requester & { readonly organizationId: number };

const AUDITED = [
  'status',
  'deletionRequestedAt',
  'disabledReason',
  'deletedAt',
  'rootUrl',
  'notFoundUrl',
  'expiredUrl',
  'caseSensitiveCodes',
] as const;

/** Changes domains in one transaction: the row, its audit entry, and the announcement to every process. */
@Injectable()
export class DomainStates {
  constructor(
    private readonly audit: AuditLog,
    private readonly cache: DomainCache,
    private readonly database: Database,
  ) {}

  /** Changes a domain whose row the transaction has locked, and updates `domain` to match. */
  async change(
    tx: Tx,
    by: Requester,
    domain: CustomDomain,
    verb: string,
    fields: Partial<CustomDomain>,
  ): Promise<void> {
    const changes = changesBetween<CustomDomain>(domain, fields);
    if (Object.keys(changes).length === 0) return;
    const { id, organizationId } = domain;
    await tx.repository(CustomDomain).update({ id, organizationId }, fields);
    Object.assign(domain, fields);
    // Checks and claims change domains outside a request of their organization, which WrittenInterceptor would record.
    tx.afterCommit(() => this.database.wrote(organizationId));
    const audited = Object.fromEntries(
      AUDITED.flatMap((name) => (changes[name] ? [[name, changes[name]]] : [])),
    );
    if (Object.keys(audited).length === 0) return;
    await this.record(tx, { ...by, organizationId }, verb, id, audited);
    this.cache.changed(tx, [domain.domainName]);
  }

  /** Audits a new row, and announces it if it is usable at once. */
  async created(
    tx: Tx,
    by: Requester,
    id: number,
    { organizationId, domainName, status }: Pick<CustomDomain, 'organizationId' | 'domainName' | 'status'>,
  ): Promise<void> {
    const changes = changesBetween({}, { domainName, status });
    await this.record(tx, { ...by, organizationId }, 'create', id, changes);
    this.cache.changed(tx, [domainName]);
  }

  private record(tx: Tx, by: Actor, verb: string, resourceId: number, changes: AuditChanges): Promise<void> {
    const entry = { action: `custom_domain.${verb}`, resourceType: 'custom_domain', resourceId, changes };
    return this.audit.record(tx, by, entry);
  }
}

/** The actor of changes made by a check. */
export const DOMAIN_CHECK: Requester = {
  actor: { type: 'PLATFORM', id: null, name: 'domain check' },
  userId: null,
  username: null,
  permissions: new Set(),
  role: 'PLATFORM',
  ip: '127.0.0.1',
};
