import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { BulkJobs } from '../../../infrastructure/jobs/bulk-jobs';
import type { Origin } from '../contact';
import { type BatchResult, ContactBatches } from './contact-batches';
import type { ContactJobContext } from './contact-jobs';
import { ContactMemberships } from '../groups/contact-memberships';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** Maximum number of items (docs/concepts/contacts.md#bulk-jobs). */
export const MAX_ITEMS = 1_000;

@Injectable()
export class ContactsBulkService {
  constructor(
    private readonly database: Database,
    private readonly batches: ContactBatches,
    private readonly memberships: ContactMemberships,
    private readonly jobs: BulkJobs,
    private readonly audit: AuditLog,
  ) {}

  /** Saves all items in one transaction. @throws ValidationFailed if it is not a list or too long */
  async save(
    caller: Caller,
    body: unknown,
    groupId: number | null = null,
    origin: Origin = 'API',
  ): Promise<BatchResult> {
    const items = checkedItems(body);
    const { organization } = caller;
    return this.database.write(async (tx) => {
      await this.memberships.lockGroup(tx, caller.organizationId, groupId);
      const result = await this.batches.save(tx, { organization, origin, items, start: 0, groupId });
      const { created, updated, failed } = result;
      await this.record(tx, caller, 'contact.bulk', null, { created, updated, failed });
      return result;
    });
  }

  /** @returns id of the job */
  async enqueue(caller: Caller, body: unknown, groupId: number | null = null): Promise<number> {
    const items = checkedItems(body);
    return this.database.write(async (tx) => {
      await this.memberships.lockGroup(tx, caller.organizationId, groupId);
      const context: ContactJobContext = { origin: 'API', groupId };
      const jobId = await this.jobs.enqueue(tx, caller.organizationId, 'CONTACTS', { context, items });
      await this.record(tx, caller, 'contact.bulk_job', jobId, { total: items.length });
      return jobId;
    });
  }

  private record(
    tx: Tx,
    caller: Caller,
    action: string,
    resourceId: number | null,
    figures: Record<string, number>,
  ): Promise<void> {
    const changes = changesBetween({}, figures);
    return this.audit.record(tx, caller, { action, resourceType: 'contact', resourceId, changes });
  }
}

function checkedItems(body: unknown): unknown[] {
  if (!Array.isArray(body)) throw ValidationFailed.field('body', 'must be an array of contacts');
  if (body.length < 1 || body.length > MAX_ITEMS) {
    throw ValidationFailed.field('body', `must have 1 to ${MAX_ITEMS} items`);
  }
  return body;
}
