import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Channel } from '../../common/contact-values/channel-value';
import type { Contact } from '../contacts/contact';
import {
  ContactOptOuts,
  OPT_OUT_CHANNELS,
  type OptedOut,
  type OptOutChannel,
  type OptOutSource,
} from '../contacts/contact-opt-outs';
import { PersonalData, type PersonalDataSource } from '../contacts/personal-data/personal-data';
import { channelCode } from './unsubscribe';
import { toOptOutEntry } from './unsubscribes.dto';
import { UnsubscribesRepository } from './unsubscribes.repository';
import type { Tx } from '../../infrastructure/database/database';

const CHANNEL_OF: Readonly<Record<OptOutChannel, Channel>> = {
  sms: 'SMS',
  email: 'EMAIL',
  whatsapp: 'WHATSAPP',
};

/** Looks up the opt-outs of contacts, for responses and filters, and for the export of a person's data. */
@Injectable()
export class UnsubscribesOfContacts implements OptOutSource, PersonalDataSource, OnModuleInit {
  readonly name = 'unsubscribes';

  constructor(
    private readonly optOuts: ContactOptOuts,
    private readonly persons: PersonalData,
    private readonly rows: UnsubscribesRepository,
  ) {}

  onModuleInit(): void {
    this.optOuts.register(this);
    this.persons.register(this);
  }

  async of(organizationId: number, contacts: readonly Contact[], tx?: Tx): Promise<OptedOut[]> {
    const lookups = contacts.flatMap((contact, i) =>
      OPT_OUT_CHANNELS.flatMap((channel) => {
        const value = channel === 'email' ? contact.email : contact.phoneNumber;
        return value === null ? [] : [{ i, channel, value }];
      }),
    );
    const found = await this.rows.registeredIndexes(
      organizationId,
      lookups.map(({ channel, value }) => ({ channel: CHANNEL_OF[channel], value })),
      tx,
    );
    const answers = contacts.map(() => ({ sms: false, email: false, whatsapp: false }));
    lookups.forEach(({ i, channel }, n) => {
      const answer = answers[i];
      if (answer) answer[channel] = found.has(n);
    });
    return answers;
  }

  condition(channel: OptOutChannel): string {
    const index = channel === 'email' ? 'c.email_index' : 'c.phone_index';
    return `EXISTS (SELECT FROM unsubscribes AS u
                     WHERE u.organization_id = c.organization_id AND u.channel = ${channelCode(CHANNEL_OF[channel])}
                       AND u.contact_index = ${index} AND u.deleted_at IS NULL)`;
  }

  async find({ organizationId, phoneNumber, email }: Contact): Promise<object[]> {
    const of = async (channel: Channel, text: string | null) => {
      const found = text === null ? null : await this.rows.find({ organizationId, channel }, text);
      return found ? [Object.assign(toOptOutEntry(found), { channel, value: found.value })] : [];
    };
    return [
      ...(await of('SMS', phoneNumber)),
      ...(await of('WHATSAPP', phoneNumber)),
      ...(await of('EMAIL', email)),
    ];
  }
}
