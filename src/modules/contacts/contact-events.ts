import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/transactions';
import type { OutboxEvent } from '../webhooks/outbox-event';
import { WebhookOutbox } from '../webhooks/webhook-outbox';
import { type Contact, hasConsent, shownFields } from './contact';

/** A contact that was made (nothing before) or changed. */
export interface ContactEvent {
  readonly before: Contact | null;
  readonly contact: Contact;
  readonly groupIds: readonly number[];
}

/** Tells webhooks of contacts, in the transaction of the change: the contact as the API shows it. */
@Injectable()
export class ContactEvents {
  constructor(private readonly outbox: WebhookOutbox) {}

  async add(tx: Tx, events: readonly ContactEvent[]): Promise<void> {
    await this.outbox.add(tx, ...events.flatMap(toOutboxEvents));
  }
}

/** What the outbox knows a contact's events by, so that they can be erased with it. */
export function subjectOf(contactId: number): string {
  return `contact:${contactId}`;
}

function toOutboxEvents(event: ContactEvent): OutboxEvent[] {
  const { organizationId, id } = event.contact;
  const data = { ...shownFields(event.contact), groupIds: event.groupIds };
  return namesOf(event).map((name) => ({ name, organizationId, data, subject: subjectOf(id) }));
}

/** `contact.opt_out` when the last consent is gone (doc 2 §6). */
function namesOf({ before, contact }: ContactEvent): OutboxEvent['name'][] {
  if (!before) return ['contact.created'];
  const optedOut = hasConsent(before) && !hasConsent(contact);
  return optedOut ? ['contact.updated', 'contact.opt_out'] : ['contact.updated'];
}
