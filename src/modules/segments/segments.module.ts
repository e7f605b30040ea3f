import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { ContactsModule } from '../contacts/contacts.module';
import { SegmentBuilderConsoleController } from './segment-builder.console.controller';
import { SegmentCounts } from './segment-counts';
import { SegmentEvaluations } from './segment-evaluations';
import { SegmentMemberships } from './segment-memberships';
import { SegmentProperties } from './segment-properties';
import { SegmentsRepository } from './segments.repository';
import { SegmentsConsoleController } from './segments.console.controller';
import { SegmentsController } from './segments.controller';
import { SegmentsService } from './segments.service';
import { SegmentRow } from './segment.entities';

/** Segments: contacts that meet conditions. */
@Module({
  imports: [TypeOrmModule.forFeature([SegmentRow]), AccessModule, ContactsModule],
  controllers: [SegmentsController, SegmentsConsoleController, SegmentBuilderConsoleController],
  providers: [
    SegmentCounts,
    SegmentEvaluations,
    SegmentMemberships,
    SegmentProperties,
    SegmentsRepository,
    SegmentsService,
  ],
})
export class SegmentsModule {}
