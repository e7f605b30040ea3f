import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ContactsModule } from '../contacts/contacts.module';
import { SegmentEvaluations } from './segment-evaluations';
import { SegmentMemberships } from './segment-memberships';
import { SegmentRows } from './segments.repository';
import { SegmentsConsoleController } from './segments.console.controller';
import { SegmentsController } from './segments.controller';
import { SegmentsSchedule } from './segments-schedule';
import { SegmentsService } from './segments.service';

/** Contacts who have something in common, found by conditions. */
@Module({
  imports: [AccessModule, ContactsModule],
  controllers: [SegmentsController, SegmentsConsoleController],
  providers: [SegmentEvaluations, SegmentMemberships, SegmentRows, SegmentsSchedule, SegmentsService],
})
export class SegmentsModule {}
