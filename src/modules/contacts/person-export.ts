import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { toDateTime } from '../../common/time/format';
import { WebhookOutbox } from '../webhooks/webhook-outbox';
import { ContactActivity } from './contact-activity';
import { subjectOf } from './contact-events';
import { ContactMemberships } from './contact-memberships';
import { toContactResponse } from './contact-response.dto';
import { type PersonExport, toActivityResponse } from './contacts.console.dto';
import { ContactsRepository } from './contacts.repository';
import { PersonalData } from './personal-data';

/** Everything that is stored of a person, for whoever asks what that is. */
@Injectable()
export class PersonExports {
  constructor(
    private readonly contacts: ContactsRepository,
    private readonly memberships: ContactMemberships,
    private readonly activity: ContactActivity,
    private readonly outbox: WebhookOutbox,
    private readonly others: PersonalData,
    private readonly clock: Clock,
  ) {}

  /** Of deactivated contacts too. @throws NotFound */
  async read({ organizationId }: Caller, id: number): Promise<PersonExport> {
    const contact = await this.contacts.getAny(organizationId, id);
    const groups = await this.memberships.groupsOf(organizationId, id);
    const activity = await this.activity.of(organizationId, id);
    const events = await this.outbox.about(organizationId, subjectOf(id));
    return {
      exportedAt: toDateTime(this.clock.date()),
      contact: toContactResponse(
        contact,
        groups.map((group) => group.id),
      ),
      groups,
      activity: activity.map(toActivityResponse),
      events: events.map(({ name, createdAt, data }) => ({ name, createdAt: toDateTime(createdAt), data })),
      others: await this.others.of(contact),
    };
  }
}
