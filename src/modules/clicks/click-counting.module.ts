import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ClickClaims } from './click-claims';
import { ClickIngest } from './click-ingest';
import { ClickMonths } from './click-months';
import { ClickPartitions } from './click-partitions';
import { ClickTerms } from './click-terms';
import { ClickUserRollups } from './click-user-rollups';
import { ClickUsers } from './click-users';
import { Countries } from './countries';
import { ClickEnricher } from './enriched-click';
import { CountingTransactions } from './counting-transactions';
import { JournalConsumer } from './journal-consumer';
import { StreamConsumer } from './stream-consumer';
import { Visitors } from './visitors';

/** The counting half of the click pipeline; it runs apart from the one that answers visitors. */
@Module({
  providers: [
    StreamConsumer,
    JournalConsumer,
    CountingTransactions,
    ClickIngest,
    ClickClaims,
    ClickPartitions,
    ClickMonths,
    ClickEnricher,
    ClickTerms,
    ClickUserRollups,
    ClickUsers,
    Countries,
    Visitors,
  ],
})
export class ClickCountingModule {
  /** @param effects a module that provides ClickEffect */
  static with(effects: Type): DynamicModule {
    return { module: ClickCountingModule, imports: [effects] };
  }
}
