import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { ContactsModule } from '../contacts/contacts.module';
import { SegmentBuilderController } from './segment-builder.controller';
import { SegmentCounts } from './segment-counts';
import { SegmentFiguresController } from './segment-figures.controller';
import { SegmentEvaluations } from './segment-evaluations';
import { SegmentMemberships } from './segment-memberships';
import { SegmentProperties } from './segment-properties';
import { SegmentsRepository } from './segments.repository';
import { SegmentsController } from './segments.controller';
import { SegmentsService } from './segments.service';
import { SegmentRow } from './segment.entities';

/** Segments: contacts that meet conditions. */
@Module({
  imports: [TypeOrmModule.forFeature([SegmentRow]), AccessModule, ContactsModule],
  controllers: [SegmentBuilderController, SegmentFiguresController, SegmentsController],
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
