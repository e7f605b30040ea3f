import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { writeCsv } from '../../../common/csv/write-csv';
import { cellsOf, EXPORT_HEADER } from './contact-columns';
import { ContactPresenter } from '../contact-presenter';
import { Database } from '../../../infrastructure/database/database';

const BATCH = 500;
const IDS_AFTER = `
  SELECT id FROM contacts WHERE organization_id = $1 AND id > $2 AND deactivated_at IS NULL ORDER BY id LIMIT ${BATCH}`;
const EXPORTED = { action: 'contact.export', resourceType: 'contact', resourceId: null };

/**
 * Streams an organization's active contacts as CSV, by id, in batches, so that a slow client occupies little memory and
 * no connection.
 */
@Injectable()
export class ContactExport {
  constructor(
    private readonly database: Database,
    private readonly presenter: ContactPresenter,
    private readonly audit: AuditLog,
  ) {}

  async *run(caller: Caller): AsyncGenerator<string> {
    const { organizationId } = caller;
    await this.database.write((tx) => this.audit.record(tx, caller, EXPORTED));
    yield writeCsv([EXPORT_HEADER]);
    for (let last = 0, ids = [0]; ; last = ids.at(-1) ?? last) {
      const batch = await this.database.report(organizationId, async (tx) => {
        const rows = await tx.query<{ id: number }>(IDS_AFTER, [organizationId, last]);
        const found = rows.map(({ id }) => id);
        return { found, contacts: await this.presenter.many(organizationId, found, tx) };
      });
      ids = batch.found;
      if (batch.contacts.length > 0) yield writeCsv(batch.contacts.map(cellsOf));
      if (ids.length < BATCH) return;
    }
  }
}
