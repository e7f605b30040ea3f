import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OrganizationCache } from '../../../access/organizations/organization-cache';
import { NotFound } from '../../../common/errors/errors';
import type { BulkJobChunk, BulkJobHandler, BulkJobProgress } from '../../../infrastructure/jobs/bulk-job';
import { BulkJobHandlers } from '../../../infrastructure/jobs/bulk-job-handlers';
import { ContactBatches } from './contact-batches';
import type { Origin } from '../contact';
import type { Tx } from '../../../infrastructure/database/database';

export interface ContactJobContext {
  readonly origin: Origin;
  readonly groupId: number | null;
}

/** Saves the contacts of a bulk job, a chunk per transaction. */
@Injectable()
export class ContactJobs implements BulkJobHandler<ContactJobContext>, OnModuleInit {
  readonly type = 'CONTACTS';
  readonly chunkSize = 200;

  constructor(
    private readonly handlers: BulkJobHandlers,
    private readonly organizations: OrganizationCache,
    private readonly batches: ContactBatches,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  async process(tx: Tx, chunk: BulkJobChunk<ContactJobContext, unknown>): Promise<BulkJobProgress> {
    const { organizationId, context, items, start } = chunk;
    const snapshot = await this.organizations.get(organizationId);
    if (!snapshot) throw new NotFound('Organization');
    return this.batches.save(tx, { organization: snapshot.organization, ...context, items, start });
  }
}
