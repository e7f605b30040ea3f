import { Injectable } from '@nestjs/common';
import { IdempotencyStore } from '../../../infrastructure/idempotency/idempotency-store';
import { WebhookOutbox } from '../../webhooks/outbox/webhook-outbox';
import type { Contact } from '../contact';
import { ContactActivity } from '../contact-activity';
import { subjectOf } from '../contact-events';
import { ContactMemberships } from '../groups/contact-memberships';
import { ContactsRepository } from '../contacts.repository';
import { PersonalData } from './personal-data';
import type { Tx } from '../../../infrastructure/database/database';

/**
 * A person's data besides the contact: groups, activity, events, stored responses, and data of other modules.
 */
@Injectable()
export class PersonTraces {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly memberships: ContactMemberships,
    private readonly activity: ContactActivity,
    private readonly outbox: WebhookOutbox,
    private readonly answers: IdempotencyStore,
    private readonly others: PersonalData,
  ) {}

  /**
   * Erases the person's actions and memberships. Other modules erase theirs first, because recording an action locks
   * the session before the contact. Opt-outs are kept, since they protect people from messages.
   * @returns the contact, locked
   * @throws NotFound if it has been deleted meanwhile
   */
  async removeActivity(tx: Tx, found: Contact): Promise<Contact> {
    const { organizationId, id } = found;
    await this.others.forget(tx, found);
    const contact = await this.contacts.lock(tx, organizationId, id, 'all');
    const known = contact.externalUserId === found.externalUserId;
    if (!known || contact.pushIdentify !== found.pushIdentify) await this.others.forget(tx, contact);
    await this.memberships.removeAll(tx, organizationId, id);
    await this.activity.forget(tx, organizationId, id);
    return contact;
  }

  async removeCopies(tx: Tx, { organizationId, id }: Contact): Promise<void> {
    await this.outbox.forget(tx, organizationId, subjectOf(id));
    await this.answers.forget(tx, organizationId, subjectOf(id));
  }
}
