import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ContactsModule } from '../contacts/contacts.module';
import { MemberDataController } from './member-data.controller';

/** What apps and sites report of their members and their journeys, whatever they run on. */
@Module({
  imports: [AccessModule, ContactsModule],
  controllers: [MemberDataController],
})
export class CrossPlatformModule {}
