import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { ClickBacklog } from './journal/click-backlog';
import { DedupLocks } from './dedup-locks';
import { ClickJournal } from './journal/click-journal';
import { ClickIds, ClickRecorder } from './click-recorder';
import { ClickSpool } from './spool/click-spool';
import { Countries } from './countries';
import { ExpiredVisitorData } from './expired-visitor-data';
import { PostgresJournal } from './journal/postgres-journal';
import { RedisJournal } from './journal/redis-journal';
import { SpoolMover } from './spool/spool-mover';
import { Visitors } from './visitors';
import { ClickSalt } from './click-salt.entity';
import { DedupLockRow } from './dedup-lock.entity';
import { JournalEntry } from './journal/journal-entry.entity';

/** The recording half of the click pipeline: a click is in the journal before it is answered. */
@Module({
  imports: [TypeOrmModule.forFeature([ClickSalt, DedupLockRow, JournalEntry]), AccessModule],
  providers: [
    ClickRecorder,
    ClickIds,
    ClickJournal,
    RedisJournal,
    PostgresJournal,
    DedupLocks,
    ClickSpool,
    SpoolMover,
    Visitors,
    Countries,
    ClickBacklog,
    ExpiredVisitorData,
  ],
  exports: [ClickRecorder, Visitors, Countries, ExpiredVisitorData],
})
export class ClicksModule {}
