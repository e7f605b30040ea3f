import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { Transactions } from '../../infrastructure/database/transactions';
import { ContactChanges } from './contact-changes';
import { ContactsRepository } from './contacts.repository';
import type { GroupedContact } from './contacts.service';
import { PersonTraces } from './person-traces';

/** What only an administrator does with a contact, active or not. */
@Injectable()
export class ContactAdministration {
  constructor(
    private readonly tx: Transactions,
    private readonly contacts: ContactsRepository,
    private readonly changes: ContactChanges,
    private readonly traces: PersonTraces,
    private readonly audit: AuditLog,
  ) {}

  /** A blocked contact that is or gets deactivated stays so (doc 3 §3). @throws NotFound */
  async block(caller: Caller, id: number, blocked: boolean): Promise<GroupedContact> {
    const action = blocked ? 'contact.block' : 'contact.unblock';
    return this.tx.run((tx) =>
      this.changes.write(tx, caller, id, action, (contact) => ({ ...contact, blocked }), 'all'),
    );
  }

  /**
   * Nothing of the person is left: not the contact, nor anything that PersonTraces knows of.
   * @throws NotFound
   */
  async erase(caller: Caller, id: number): Promise<void> {
    const { organizationId } = caller;
    await this.tx.run(async (tx) => {
      const contact = await this.contacts.getAny(organizationId, id, tx);
      await this.traces.removeDeeds(tx, contact);
      await this.traces.removeCopies(tx, contact);
      await this.contacts.remove(tx, contact);
      await this.audit.record(tx, caller, {
        action: 'contact.erase',
        resourceType: 'contact',
        resourceId: id,
      });
    });
  }
}
