import { Injectable } from '@nestjs/common';
import { toDateTime } from '../../common/time/format';
import type { OutboxEvent } from '../webhooks/outbox/outbox-event';
import { WebhookOutbox } from '../webhooks/outbox/webhook-outbox';
import { type Contact, hasConsent, publicFields } from './contact';
import type { ContactDeleted } from './feed/contact-feed.dto';
import { ContactOptOuts, type OptedOut } from './contact-opt-outs';
import type { Tx } from '../../infrastructure/database/database';

/** A contact that was created (`before` is null) or changed. */
export interface ContactEvent {
  readonly before: Contact | null;
  readonly contact: Contact;
  readonly groupIds: readonly number[];
}

/** Adds webhook events about contacts to the outbox, in the transaction of the change. */
@Injectable()
export class ContactEvents {
  constructor(
    private readonly outbox: WebhookOutbox,
    private readonly optOuts: ContactOptOuts,
  ) {}

  async add(tx: Tx, events: readonly ContactEvent[]): Promise<void> {
    const optedOut = await this.optOuts.of(
      events.map(({ contact }) => contact),
      tx,
    );
    await this.outbox.add(tx, ...events.flatMap((event) => toOutboxEvents(event, optedOut(event.contact))));
  }

  /** Adds the deletion event. Call it after `forget`, which would delete the event too. */
  async addDeleted(tx: Tx, { organizationId, id, externalUserId }: Contact, at: Date): Promise<void> {
    const data: ContactDeleted = { id, externalUserId, deletedAt: toDateTime(at) };
    await this.outbox.add(tx, { name: 'contact.deleted', organizationId, data, subject: subjectOf(id) });
  }
}

/** Subject of a contact's events in the outbox, by which they can be erased with the contact. */
export function subjectOf(contactId: number): string {
  return `contact:${contactId}`;
}

function toOutboxEvents(event: ContactEvent, optedOut: OptedOut): OutboxEvent[] {
  const { organizationId, id } = event.contact;
  const data = { ...publicFields(event.contact), groupIds: event.groupIds, optedOut };
  return namesOf(event).map((name) => ({ name, organizationId, data, subject: subjectOf(id) }));
}

/** Includes `contact.opt_out` if the last consent has been withdrawn (docs/concepts/contacts.md#consents). */
function namesOf({ before, contact }: ContactEvent): OutboxEvent['name'][] {
  if (!before) return ['contact.created'];
  const isBack = before.deactivatedAt !== null && contact.deactivatedAt === null;
  const optedOut = hasConsent(before) && !hasConsent(contact) && !isBack;
  return optedOut ? ['contact.updated', 'contact.opt_out'] : ['contact.updated'];
}
