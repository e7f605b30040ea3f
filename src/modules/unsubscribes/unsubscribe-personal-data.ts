import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toDateTime } from '../../common/time/format';
import type { Channel } from '../../common/contact-values/channel-value';
import type { Contact } from '../contacts/contact';
import { PersonalData, type PersonalDataSource } from '../contacts/personal-data/personal-data';
import { UnsubscribesRepository } from './unsubscribes.repository';

/** A person's opt-outs, for the export of their data. */
@Injectable()
export class UnsubscribePersonalData implements PersonalDataSource, OnModuleInit {
  readonly name = 'unsubscribes';

  constructor(
    private readonly persons: PersonalData,
    private readonly rows: UnsubscribesRepository,
  ) {}

  onModuleInit(): void {
    this.persons.register(this);
  }

  async find({ organizationId, phoneNumber, email }: Contact): Promise<object[]> {
    const of = async (channel: Channel, text: string | null) => {
      const found = text === null ? null : await this.rows.find({ organizationId, channel }, text);
      if (!found) return [];
      const { id, value, method, source, unsubscribedAt } = found;
      return [{ id, channel, value, method, source, unsubscribedAt: toDateTime(unsubscribedAt) }];
    };
    return [
      ...(await of('SMS', phoneNumber)),
      ...(await of('WHATSAPP', phoneNumber)),
      ...(await of('EMAIL', email)),
    ];
  }
}
