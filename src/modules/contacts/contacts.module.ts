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
import { ContactImport } from './contact-import';
import { ContactGroupsController } from './contact-groups.controller';
import { ContactGroupsRepository } from './contact-groups.repository';
import { ContactGroupsService } from './contact-groups.service';
import { ContactJobs } from './contact-jobs';
import { ContactListQuery } from './contact-list.query';
import { ContactMemberships } from './contact-memberships';
import { ContactSelections } from './contact-selection';
import { ContactTerms } from './contact-terms';
import { ContactUpserts } from './contact-upserts';
import { ContactsBulkController } from './contacts-bulk.controller';
import { ContactsBulkService } from './contacts-bulk.service';
import { ContactsConsoleController } from './contacts.console.controller';
import { ContactsController } from './contacts.controller';
import { ContactsRepository } from './contacts.repository';
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
  // The bulk routes first: theirs are no ids.
  controllers: [
    ContactsBulkController,
    ContactsController,
    ContactGroupsController,
    ContactsConsoleController,
  ],
  providers: [
    ContactActivity,
    ContactAdministration,
    ContactExport,
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
    ContactSelections,
    ContactTerms,
    ContactUpserts,
    ContactsBulkService,
    ContactsRepository,
    ContactsService,
    GroupMembersService,
    MemberData,
    PersonTraces,
    ShownContacts,
    Withdrawals,
  ],
  exports: [ContactActivity, ContactSelections, ContactsService, MemberData, PersonalData, Withdrawals],
})
export class ContactsModule {}
