import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ContactCells } from './contact-cells';
import { ContactChanges } from './contact-changes';
import { ContactEvents } from './contact-events';
import { ContactGroupsController } from './contact-groups.controller';
import { ContactGroupsRepository } from './contact-groups.repository';
import { ContactGroupsService } from './contact-groups.service';
import { ContactListQuery } from './contact-list.query';
import { ContactMemberships } from './contact-memberships';
import { ContactTerms } from './contact-terms';
import { ContactUpserts } from './contact-upserts';
import { ContactsController } from './contacts.controller';
import { ContactsRepository } from './contacts.repository';
import { ContactsService } from './contacts.service';
import { GroupMembersService } from './group-members.service';
import { ShownContacts } from './shown-contacts';

/** The address book: people that an organization may write to. */
@Module({
  imports: [AccessModule],
  controllers: [ContactsController, ContactGroupsController],
  providers: [
    ContactCells,
    ContactChanges,
    ContactEvents,
    ContactGroupsRepository,
    ContactGroupsService,
    ContactListQuery,
    ContactMemberships,
    ContactTerms,
    ContactUpserts,
    ContactsRepository,
    ContactsService,
    GroupMembersService,
    ShownContacts,
  ],
})
export class ContactsModule {}
