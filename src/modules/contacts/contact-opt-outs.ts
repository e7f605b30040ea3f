import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx';
import type { Contact } from './contact';

/** Channels that people opt out of, as fields of a contact are named for them. */
export const OPT_OUT_CHANNELS = ['sms', 'email', 'whatsapp'] as const;
export type OptOutChannel = (typeof OPT_OUT_CHANNELS)[number];

/** Whether the phone number or e-mail address of a contact is on the opt-out list, by channel. */
export type OptedOut = Record<OptOutChannel, boolean>;

/** What the module that keeps the opt-out list knows of contacts. */
export interface OptOutSource {
  /** Of each of these contacts of one organization, in their order. */
  of(organizationId: number, contacts: readonly Contact[], tx?: Tx): Promise<OptedOut[]>;
  /** SQL of whether the contact of the row `c` has opted out. */
  condition(channel: OptOutChannel): string;
  /** Makes `condition` true of every entry of the organization, those of earlier versions included. */
  complete(organizationId: number): Promise<void>;
}

const NONE: OptedOut = { sms: false, email: false, whatsapp: false };

/** The opt-outs of contacts. The list is of a module above, which registers here. */
@Injectable()
export class ContactOptOuts {
  private source: OptOutSource | null = null;

  register(source: OptOutSource): void {
    this.source = source;
  }

  /** By contact id, in one query. @param contacts of one organization */
  async of(contacts: readonly Contact[], tx?: Tx): Promise<(contact: Contact) => OptedOut> {
    const [first] = contacts;
    const found = first && (await this.source?.of(first.organizationId, contacts, tx));
    const byId = new Map(contacts.map(({ id }, i) => [id, found?.[i]]));
    return ({ id }) => byId.get(id) ?? NONE;
  }

  condition(channel: OptOutChannel): string {
    return this.source?.condition(channel) ?? 'false';
  }

  async complete(organizationId: number): Promise<void> {
    await this.source?.complete(organizationId);
  }
}
