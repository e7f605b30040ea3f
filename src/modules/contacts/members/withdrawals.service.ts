import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { newContact } from '../contact';
import { differs } from '../contact-change';
import { ContactEvents } from '../contact-events';
import { ContactsRepository } from '../contacts.repository';
import type { WithdrawRequest, WithdrawResponse } from './member-data.dto';
import { PersonTraces } from '../personal-data/person-traces';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** Withdrawal of members, which erases their data (docs/concepts/contacts.md#deletion-and-re-creation). */
@Injectable()
export class Withdrawals {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactsRepository,
    private readonly traces: PersonTraces,
    private readonly events: ContactEvents,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Blanks and deactivates the contact, and erases the person's other data. The member id is kept, so that the contact
   * can be reactivated, and so is a block by an administrator.
   * @throws NotFound if there is nothing to blank
   */
  async withdraw(caller: Caller, { externalUserId }: WithdrawRequest): Promise<WithdrawResponse> {
    const blanked = await this.database.write((tx) => this.blank(tx, caller, externalUserId));
    if (!blanked) throw new NotFound('Contact');
    return { success: true, externalUserId, withdrawnCount: 1 };
  }

  private async blank(tx: Tx, caller: Caller, externalUserId: string): Promise<boolean> {
    const found = await this.contacts.findMember(tx, caller.organizationId, externalUserId);
    if (!found) return false;
    const before = await this.traces.removeActivity(tx, found);
    const { organizationId, id, origin, createdAt, blocked } = before;
    const contact = {
      ...newContact(organizationId, id, origin, createdAt),
      externalUserId: before.externalUserId,
      blocked,
      updatedAt: before.updatedAt,
      deactivatedAt: before.deactivatedAt ?? this.clock.date(),
    };
    if (!differs(before, contact)) return false;
    await this.traces.removeCopies(tx, contact);
    contact.updatedAt = this.clock.date();
    await this.contacts.update(tx, [contact]);
    await this.events.add(tx, [{ before, contact, groupIds: [] }]);
    await this.events.addDeleted(tx, contact, contact.updatedAt);
    await this.audit.record(tx, caller, {
      action: 'contact.withdraw',
      resourceType: 'contact',
      resourceId: id,
    });
    return true;
  }
}
