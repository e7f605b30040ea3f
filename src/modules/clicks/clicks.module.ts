import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ClickIds, ClickRecorder } from './click-recorder';
import { DedupLocks } from './dedup-locks';
import { ExpiredVisitorData } from './expired-visitor-data';
import { ClickBacklog } from './journal/click-backlog';
import { ClickJournal } from './journal/click-journal';
import { OldestClicks } from './journal/oldest-clicks';
import { PostgresJournal } from './journal/postgres-journal';
import { RedisJournal } from './journal/redis-journal';
import { ClickSpool } from './journal/click-spool';
import { SpoolMetrics } from './journal/spool-metrics';
import { SpoolMover } from './journal/spool-mover';
import { Countries } from './visitor-facts';
import { Visitors } from './visitors';

/** The recording part of the click pipeline: a click is journaled before its request is answered. */
@Module({
  imports: [AccessModule],
  providers: [
    ClickRecorder,
    ClickIds,
    ClickJournal,
    RedisJournal,
    PostgresJournal,
    DedupLocks,
    ClickSpool,
    SpoolMover,
    SpoolMetrics,
    Visitors,
    Countries,
    ClickBacklog,
    OldestClicks,
    ExpiredVisitorData,
  ],
  exports: [ClickRecorder, DedupLocks, Visitors, Countries, ExpiredVisitorData],
})
export class ClicksModule {}
