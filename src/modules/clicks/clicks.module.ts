import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ClickBacklog } from './click-backlog';
import { ClickClaims } from './click-claims';
import { ClickHousekeeping } from './click-housekeeping';
import { ClickIds } from './click-ids';
import { ClickJournal } from './click-journal';
import { ClickRunningTotals } from './click-running-totals';
import { ClickRecorder } from './click-recorder';
import { ClickRetention } from './click-retention';
import { ClickSpool } from './click-spool';
import { ClickUserSums } from './click-user-sums';
import { Countries } from './countries';
import { PostgresJournal } from './postgres-journal';
import { RedisJournal } from './redis-journal';
import { SpoolMover } from './spool-mover';
import { Visitors } from './visitors';

/** The keeping half of the click pipeline: a click is in the journal before it is answered. */
@Module({
  imports: [AccessModule],
  providers: [
    ClickRecorder,
    ClickIds,
    ClickJournal,
    RedisJournal,
    PostgresJournal,
    ClickClaims,
    ClickSpool,
    SpoolMover,
    Visitors,
    Countries,
    ClickBacklog,
    ClickHousekeeping,
    ClickRetention,
    ClickRunningTotals,
    ClickUserSums,
  ],
  exports: [ClickRecorder, Visitors, Countries],
})
export class ClicksModule {}
