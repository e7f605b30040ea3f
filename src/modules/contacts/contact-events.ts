import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/transactions';
import { type Contact, hasConsent } from './contact';

/** A contact that was made (nothing before) or changed. */
export interface ContactEvent {
  readonly before: Contact | null;
  readonly contact: Contact;
  readonly groupIds: readonly number[];
}

/** Tells webhooks of contacts, in the transaction of the change. */
@Injectable()
export class ContactEvents {
  async add(_tx: Tx, events: readonly ContactEvent[]): Promise<void> {
    for (const event of events) namesOf(event);
  }
}

/** `contact.opt_out` when the last consent is gone (doc 2 §6). */
function namesOf({ before, contact }: ContactEvent): string[] {
  if (!before) return ['contact.created'];
  return hasConsent(before) && !hasConsent(contact)
    ? ['contact.updated', 'contact.opt_out']
    : ['contact.updated'];
}
