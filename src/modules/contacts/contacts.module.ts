import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { ContactActivity } from './contact-activity';
import { ContactAdministration } from './administration/contact-administration';
import { ContactBatches } from './bulk/contact-batches';
import { ContactCells } from './bulk/contact-cells';
import { ContactChanges } from './feed/contact-changes';
import { ContactEvents } from './contact-events';
import { ContactExport } from './bulk/contact-export';
import { ContactFeed } from './feed/contact-feed';
import { ContactFeedController } from './feed/contact-feed.controller';
import { ContactImport } from './bulk/contact-import';
import { ContactGroupsController } from './groups/contact-groups.controller';
import { ContactGroupsRepository } from './groups/contact-groups.repository';
import { ContactGroupsService } from './groups/contact-groups.service';
import { ContactJobs } from './bulk/contact-jobs';
import { ContactLimit } from './contact-limit';
import { ContactListQuery } from './list/contact-list.query';
import { ContactMemberships } from './groups/contact-memberships';
import { ContactOptOuts } from './contact-opt-outs';
import { ContactSegments } from './list/contact-segments';
import { ContactSelections } from './list/contact-selection';
import { ContactTerms } from './list/contact-search-terms';
import { ContactUpserts } from './contact-upserts';
import { KnownPropertiesQuery } from './list/known-properties.query';
import { ContactsBulkController } from './bulk/contacts-bulk.controller';
import { ContactsBulkService } from './bulk/contacts-bulk.service';
import { ContactAdministrationController } from './administration/contact-administration.controller';
import { ContactsByMemberController } from './members/contacts-by-member.controller';
import { ContactsController } from './contacts.controller';
import { ContactsRepository } from './contacts.repository';
import { ContactsSchedule } from './contacts-schedule';
import { ContactsService } from './contacts.service';
import { MemberData } from './members/member-data.service';
import { PersonExports } from './personal-data/person-export';
import { PersonTraces } from './personal-data/person-traces';
import { PersonalData } from './personal-data/personal-data';
import { ContactPresenter } from './contact-presenter';
import { Withdrawals } from './members/withdrawals.service';
import { ContactGroup } from './groups/contact-group.entities';

const EXPORTS = [
  ContactActivity,
  ContactCells,
  ContactLimit,
  ContactOptOuts,
  ContactSegments,
  ContactSelections,
  ContactsService,
  KnownPropertiesQuery,
  MemberData,
  PersonalData,
  Withdrawals,
];

/** The contacts of an organization, to whom it may send messages. */
@Module({
  imports: [TypeOrmModule.forFeature([ContactGroup]), AccessModule, WebhookOutboxModule],
  // Bulk routes and the feed come first, because `:id` would match their paths.
  controllers: [
    ContactAdministrationController,
    ContactsBulkController,
    ContactFeedController,
    ContactsController,
    ContactsByMemberController,
    ContactGroupsController,
  ],
  providers: [
    ...EXPORTS,
    ContactAdministration,
    ContactExport,
    ContactFeed,
    ContactImport,
    PersonExports,
    ContactBatches,
    ContactChanges,
    ContactEvents,
    ContactGroupsRepository,
    ContactGroupsService,
    ContactJobs,
    ContactListQuery,
    ContactMemberships,
    ContactTerms,
    ContactUpserts,
    ContactsBulkService,
    ContactsRepository,
    ContactsSchedule,
    PersonTraces,
    ContactPresenter,
  ],
  exports: EXPORTS,
})
export class ContactsModule {}
