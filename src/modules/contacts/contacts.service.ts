import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Clock } from '../../common/time/clock';
import type { Contact, Origin } from './contact';
import { type ContactChange, toContactChange } from './contact-change';
import { ContactChanges } from './feed/contact-changes';
import { ContactMemberships } from './groups/contact-memberships';
import { ContactUpserts, type Upserted } from './contact-upserts';
import { ContactRequest } from './contacts.dto';
import { Database } from '../../infrastructure/database/database';
import { DomainError } from '../../common/errors/domain-error';

export interface GroupedContact {
  readonly contact: Contact;
  readonly groupIds: readonly number[];
}

@Injectable()
export class ContactsService {
  /** Serializes changes of a contact within the process, so that none holds a connection while it waits for the row. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly upserts: ContactUpserts,
    private readonly changes: ContactChanges,
    private readonly memberships: ContactMemberships,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a contact, or updates the one with its externalUserId; a deactivated one is reactivated.
   * @throws CONTACT_BLOCKED if an administrator has blocked a deactivated contact; LimitReached
   */
  async upsert(caller: Caller, request: ContactRequest, origin: Origin = 'API'): Promise<Upserted> {
    const { organization } = caller;
    const change = toContactChange(request, organization.defaultRegion);
    const member = change.fields.externalUserId;
    const turn = member === undefined ? null : `${organization.id}:${member}`;
    return this.mutex.run(turn, () => this.save(caller, origin, change));
  }

  /**
   * Creates or updates the contact with that member id. @throws ValidationFailed if the body names another
   * one
   */
  async upsertMember(caller: Caller, externalUserId: string, request: ContactRequest): Promise<Upserted> {
    if ((request.externalUserId ?? externalUserId) !== externalUserId) {
      throw ValidationFailed.field('externalUserId', 'must be that of the path, or omitted');
    }
    return this.upsert(caller, Object.assign(new ContactRequest(), request, { externalUserId }));
  }

  private async save(caller: Caller, origin: Origin, change: ContactChange): Promise<Upserted> {
    const { organization } = caller;
    return this.database.write(async (tx) => {
      await this.memberships.lockGroup(tx, caller.organizationId, change.groupId);
      const [upserted] = await this.upserts.run(tx, organization, origin, [change]);
      if (upserted?.refusal) throw upserted.refusal;
      if (!upserted || upserted.outcome === 'blocked') throw new DomainError('CONTACT_BLOCKED');
      if (upserted.changed) {
        const action = upserted.outcome === 'created' ? 'contact.create' : 'contact.update';
        const resourceId = upserted.contact.id;
        await this.audit.record(tx, caller, { action, resourceType: 'contact', resourceId });
      }
      return upserted;
    });
  }

  /** Updates the supplied fields. @throws NotFound, EXTERNAL_USER_ID_TAKEN */
  async update(caller: Caller, id: number, request: ContactRequest): Promise<GroupedContact> {
    const { organization } = caller;
    const change = toContactChange(request, organization.defaultRegion);
    return this.database.write(async (tx) => {
      await this.memberships.lockGroup(tx, caller.organizationId, change.groupId);
      return this.changes.change(tx, caller, id, change);
    });
  }

  /**
   * Soft-deletes the contact: it is in no list or group, and can be reactivated by its externalUserId. @throws NotFound
   */
  async deactivate(caller: Caller, id: number): Promise<void> {
    await this.database.write(async (tx) => {
      await this.changes.write(tx, caller, id, 'contact.deactivate', (contact) => ({
        ...contact,
        deactivatedAt: this.clock.date(),
      }));
      await this.memberships.removeAll(tx, caller.organizationId, id);
    });
  }

  /** Deactivates by member id. @throws NotFound */
  async deactivateMember(caller: Caller, externalUserId: string): Promise<void> {
    await this.deactivate(caller, await this.changes.idOfMember(caller, externalUserId));
  }
}
