import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { ContactActivity } from './contact-activity';
import { ContactAdministration } from './contact-administration';
import { ContactBatches } from './contact-batches';
import { ContactCells } from './contact-cells';
import { ContactChanges } from './contact-changes';
import { ContactEvents } from './contact-events';
import { ContactExport } from './contact-export';
import { ContactFeed } from './contact-feed';
import { ContactFeedController } from './contact-feed.controller';
import { ContactImport } from './contact-import';
import { ContactGroupsController } from './contact-groups.controller';
import { ContactGroupsRepository } from './contact-groups.repository';
import { ContactGroupsService } from './contact-groups.service';
import { ContactJobs } from './contact-jobs';
import { ContactListQuery } from './contact-list.query';
import { ContactMemberships } from './contact-memberships';
import { ContactOptOuts } from './contact-opt-outs';
import { ContactSelections } from './contact-selection';
import { ContactTerms } from './contact-terms';
import { ContactUpserts } from './contact-upserts';
import { ContactsBulkController } from './contacts-bulk.controller';
import { ContactsBulkService } from './contacts-bulk.service';
import { ContactsConsoleController } from './contacts.console.controller';
import { ContactsByMemberController } from './contacts-by-member.controller';
import { ContactsController } from './contacts.controller';
import { ContactsRepository } from './contacts.repository';
import { ContactsSchedule } from './contacts-schedule';
import { ContactsService } from './contacts.service';
import { GroupMembersService } from './group-members.service';
import { MemberData } from './member-data.service';
import { PersonExports } from './person-export';
import { PersonTraces } from './person-traces';
import { PersonalData } from './personal-data';
import { ShownContacts } from './shown-contacts';
import { Withdrawals } from './withdrawals.service';

/** The address book: people that an organization may write to. */
@Module({
  imports: [AccessModule, WebhooksModule],
  // The bulk routes and the feed first: theirs are no ids.
  controllers: [
    ContactsBulkController,
    ContactFeedController,
    ContactsController,
    ContactsByMemberController,
    ContactGroupsController,
    ContactsConsoleController,
  ],
  providers: [
    ContactActivity,
    ContactAdministration,
    ContactExport,
    ContactFeed,
    ContactImport,
    PersonExports,
    PersonalData,
    ContactBatches,
    ContactCells,
    ContactChanges,
    ContactEvents,
    ContactGroupsRepository,
    ContactGroupsService,
    ContactJobs,
    ContactListQuery,
    ContactMemberships,
    ContactOptOuts,
    ContactSelections,
    ContactTerms,
    ContactUpserts,
    ContactsBulkService,
    ContactsRepository,
    ContactsSchedule,
    ContactsService,
    GroupMembersService,
    MemberData,
    PersonTraces,
    ShownContacts,
    Withdrawals,
  ],
  exports: [
    ContactActivity,
    ContactCells,
    ContactOptOuts,
    ContactSelections,
    ContactsService,
    MemberData,
    PersonalData,
    Withdrawals,
  ],
})
export class ContactsModule {}
