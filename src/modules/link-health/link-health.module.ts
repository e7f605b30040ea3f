import { Module } from '@nestjs/common';
import { TrackedLinksModule } from '../tracked-links/tracked-links.module';
import { DestinationAsker } from './destination-asker';
import { DueChecksQuery } from './due-checks.query';
import { HealthRecords } from './health-records';
import { HealthRound } from './health-round';
import { LinkHealthSchedule } from './link-health.schedule';

/** Checks whether the destinations of links and campaigns work (docs/concepts/links.md#health). */
@Module({
  imports: [TrackedLinksModule],
  providers: [DestinationAsker, DueChecksQuery, HealthRecords, HealthRound, LinkHealthSchedule],
})
export class LinkHealthModule {}
