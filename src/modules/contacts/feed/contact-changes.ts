import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import type { Contact } from '../contact';
import { type ContactChange, changed, differs } from '../contact-change';
import { ContactEvents } from '../contact-events';
import { ContactMemberships } from '../groups/contact-memberships';
import { ContactsRepository } from '../contacts.repository';
import { orExternalUserIdTaken } from '../contacts.errors';
import type { Tx } from '../../../infrastructure/database/database';

/** Changes a contact by id, with its audit entry and events. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly memberships: ContactMemberships,
    private readonly events: ContactEvents,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Id of the active contact with that member id. @throws NotFound */
  async idOfMember({ organizationId }: Caller, externalUserId: string): Promise<number> {
    return (await this.contacts.getByMember(organizationId, externalUserId)).id;
  }

  /** @throws NotFound, EXTERNAL_USER_ID_TAKEN */
  async change(tx: Tx, caller: Caller, id: number, change: ContactChange) {
    const { organizationId, organization } = caller;
    const before = await this.contacts.lock(tx, organizationId, id);
    const after = changed(before, change, organization.customFields);
    const pairs = change.groupId === null ? [] : [[change.groupId, id] as const];
    const joined = await this.memberships.add(tx, organizationId, pairs);
    const groups = await this.memberships.of(organizationId, [id], tx);
    const groupIds = groups.get(id) ?? [];
    if (joined === 0 && !differs(before, after)) return { contact: before, groupIds };
    const contact = { ...after, updatedAt: this.clock.date() };
    await tx.attempt(() => this.contacts.update(tx, [contact])).catch(orExternalUserIdTaken);
    await this.events.add(tx, [{ before, contact, groupIds }]);
    await this.record(tx, caller, id, 'contact.update');
    return { contact, groupIds };
  }

  /** Writes fields that no request can change. @throws NotFound */
  async write(
    tx: Tx,
    caller: Caller,
    id: number,
    action: string,
    toAfter: (contact: Contact) => Contact,
    of: 'active' | 'all' = 'active',
  ) {
    const { organizationId } = caller;
    const before = await this.contacts.lock(tx, organizationId, id, of);
    const after = toAfter(before);
    const groupIds = (await this.memberships.of(organizationId, [id], tx)).get(id) ?? [];
    if (!differs(before, after)) return { contact: before, groupIds };
    const contact = { ...after, updatedAt: this.clock.date() };
    await this.contacts.update(tx, [contact]);
    if (!contact.deactivatedAt) await this.events.add(tx, [{ before, contact, groupIds }]);
    else if (!before.deactivatedAt) await this.events.addDeleted(tx, contact, contact.updatedAt);
    await this.record(tx, caller, id, action);
    return { contact, groupIds };
  }

  private record(tx: Tx, caller: Caller, id: number, action: string): Promise<void> {
    return this.audit.record(tx, caller, { action, resourceType: 'contact', resourceId: id });
  }
}
