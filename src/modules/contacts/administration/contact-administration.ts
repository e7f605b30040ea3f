import { Injectable } from '@nestjs/common';
import { assertRole } from '../../../access/administration';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { ContactChanges } from '../feed/contact-changes';
import { ContactEvents } from '../contact-events';
import { ContactsRepository } from '../contacts.repository';
import type { GroupedContact } from '../contacts.service';
import { PersonTraces } from '../personal-data/person-traces';
import { Database } from '../../../infrastructure/database/database';

/** Operations of administrators on contacts, including deactivated ones. */
@Injectable()
export class ContactAdministration {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactsRepository,
    private readonly changes: ContactChanges,
    private readonly traces: PersonTraces,
    private readonly events: ContactEvents,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Blocks or unblocks a contact. A blocked contact cannot be reactivated
   * (docs/concepts/contacts.md#deletion-and-re-creation).
   * @throws NotFound
   */
  async block(caller: Caller, id: number, blocked: boolean): Promise<GroupedContact> {
    const action = blocked ? 'contact.block' : 'contact.unblock';
    return this.database.write((tx) =>
      this.changes.write(tx, caller, id, action, (contact) => ({ ...contact, blocked }), 'all'),
    );
  }

  /**
   * Erases the contact and all data that PersonTraces covers.
   * @throws RoleRequired, NotFound
   */
  async erase(caller: Caller, id: number): Promise<void> {
    assertRole(caller, 'ADMIN');
    const { organizationId } = caller;
    await this.database.write(async (tx) => {
      const found = await this.contacts.getAny(organizationId, id, tx);
      const contact = await this.traces.removeActivity(tx, found);
      await this.traces.removeCopies(tx, contact);
      const erasedAt = this.clock.date();
      // The change feed takes the time of the deletion from the row.
      await this.contacts.update(tx, [{ ...contact, updatedAt: erasedAt }]);
      await this.contacts.remove(tx, contact);
      await this.events.addDeleted(tx, contact, erasedAt);
      await this.audit.record(tx, caller, {
        action: 'contact.erase',
        resourceType: 'contact',
        resourceId: id,
      });
    });
  }
}
