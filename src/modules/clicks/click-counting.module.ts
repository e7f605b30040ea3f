import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { ClickClaims } from './click-claims';
import { ClickEffects } from './click-effects';
import { ClickEvents } from './click-events';
import { ClickFigures } from './click-figures';
import { ClickIngest } from './click-ingest';
import { ClickRunningTotals } from './click-running-totals';
import { ClickPartitions } from './click-partitions';
import { ClickTerms } from './click-terms';
import { ClickUserRollups } from './click-user-rollups';
import { ClickUsers } from './click-users';
import { Countries } from './countries';
import { ClickEnricher } from './enriched-click';
import { CountingPace } from './counting-pace';
import { CountingTransactions } from './counting-transactions';
import { JournalConsumer } from './journal-consumer';
import { LocalVisits } from './local-visits';
import { StreamConsumer } from './stream-consumer';
import { VisitorRollups } from './visitor-rollups';
import { VisitorLoad } from './visitor-load';
import { Visitors } from './visitors';

/** The counting half of the click pipeline; it runs apart from the one that answers visitors. */
@Module({
  imports: [WebhooksModule],
  providers: [
    StreamConsumer,
    JournalConsumer,
    CountingPace,
    CountingTransactions,
    ClickFigures,
    ClickIngest,
    ClickEffects,
    ClickEvents,
    ClickClaims,
    ClickPartitions,
    ClickRunningTotals,
    ClickEnricher,
    ClickTerms,
    ClickUserRollups,
    ClickUsers,
    Countries,
    LocalVisits,
    VisitorRollups,
    Visitors,
  ],
})
export class ClickCountingModule {
  /**
   * @param load of the thread that answers visitors beside it
   * @param modules those that provide ClickEffect, ClickedLinks and ClickedCampaigns
   */
  static beside(load: VisitorLoad, ...modules: Type[]): DynamicModule {
    return {
      module: ClickCountingModule,
      imports: modules,
      providers: [{ provide: VisitorLoad, useValue: load }],
    };
  }
}
