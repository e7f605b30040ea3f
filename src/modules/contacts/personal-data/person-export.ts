import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { Database } from '../../../infrastructure/database/database';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import { WebhookOutbox } from '../../webhooks/outbox/webhook-outbox';
import { ContactActivity } from '../contact-activity';
import { subjectOf } from '../contact-events';
import { ContactMemberships } from '../groups/contact-memberships';
import { type PersonExport, toActivityResponse } from '../contacts.console.dto';
import { PersonalData } from './personal-data';
import { ContactPresenter } from '../contact-presenter';

@Injectable()
export class PersonExports {
  constructor(
    private readonly memberships: ContactMemberships,
    private readonly presenter: ContactPresenter,
    private readonly activity: ContactActivity,
    private readonly outbox: WebhookOutbox,
    private readonly others: PersonalData,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Exports the data of a contact, deactivated or not. @throws NotFound */
  async read(caller: Caller, id: number): Promise<PersonExport> {
    const { organizationId } = caller;
    const { contact, shown } = await this.presenter.person(organizationId, id);
    const entry = { action: 'contact.export', resourceType: 'contact', resourceId: id };
    await this.database.write((tx) => this.audit.record(tx, caller, entry));
    const groups = await this.memberships.groupsOf(organizationId, id);
    const activity = await this.activity.of(organizationId, id);
    const events = await this.outbox.about(organizationId, subjectOf(id));
    return {
      exportedAt: toDateTime(this.clock.date()),
      contact: shown,
      groups,
      activity: activity.map(toActivityResponse),
      events: events.map(({ name, createdAt, data }) => ({ name, createdAt: toDateTime(createdAt), data })),
      others: await this.others.of(contact),
    };
  }
}
