import { Injectable } from '@nestjs/common';
import type { Contact } from './contact';
import type { Tx } from '../../infrastructure/database/database';

export const OPT_OUT_CHANNELS = ['sms', 'email', 'whatsapp'] as const;
export type OptOutChannel = (typeof OPT_OUT_CHANNELS)[number];

/** Whether the contact's phone number or e-mail address is opted out, by channel. */
export type OptedOut = Record<OptOutChannel, boolean>;

/** Port implemented by the module that owns the opt-out list. */
export interface OptOutSource {
  /** Opt-outs of these contacts of one organization, in the same order. */
  of(organizationId: number, contacts: readonly Contact[], tx?: Tx): Promise<OptedOut[]>;
  /** SQL condition: the contact in row `c` has opted out. */
  condition(channel: OptOutChannel): string;
}

const NONE: OptedOut = { sms: false, email: false, whatsapp: false };

/** Opt-outs of contacts. The unsubscribes module, which this one must not import, registers here. */
@Injectable()
export class ContactOptOuts {
  private source: OptOutSource | null = null;

  register(source: OptOutSource): void {
    this.source = source;
  }

  /** Looks up opt-outs in one query. @param contacts of one organization @returns a lookup by contact */
  async of(contacts: readonly Contact[], tx?: Tx): Promise<(contact: Contact) => OptedOut> {
    const [first] = contacts;
    const found = first && (await this.source?.of(first.organizationId, contacts, tx));
    const byId = new Map(contacts.map(({ id }, i) => [id, found?.[i]]));
    return ({ id }) => byId.get(id) ?? NONE;
  }

  condition(channel: OptOutChannel): string {
    return this.source?.condition(channel) ?? 'false';
  }
}
