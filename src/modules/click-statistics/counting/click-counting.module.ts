import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { WebhookOutboxModule } from '../../webhooks/webhook-outbox.module';
import { DedupLocks } from '../../clicks/dedup-locks';
import { ClickEffects } from './click-effects';
import { ClickEvents } from './click-events';
import { ClickRollups } from '../rollups/click-rollups';
import { ClickIngest } from './click-ingest';
import { ClickMonths } from '../rollups/click-months';
import { ClickPartitions } from './click-partitions';
import { CustomerRollups } from '../customers/customer-rollups';
import { CampaignCustomers } from '../customers/campaign-customers';
import { Countries } from '../../clicks/countries';
import { ClickEnricher } from './enriched-click';
import { CountingTransactions } from './counting-transactions';
import { JournalConsumer } from './journal-consumer';
import { LocalVisits } from './local-visits';
import { StreamConsumer } from './stream-consumer';
import { VisitorRollups } from '../rollups/visitor-rollups';
import { Visitors } from '../../clicks/visitors';

/** The counting half of the click pipeline; it runs apart from the one that answers visitors. */
@Module({
  imports: [WebhookOutboxModule],
  providers: [
    StreamConsumer,
    JournalConsumer,
    CountingTransactions,
    ClickRollups,
    ClickIngest,
    ClickEffects,
    ClickEvents,
    DedupLocks,
    ClickPartitions,
    ClickMonths,
    ClickEnricher,
    CustomerRollups,
    CampaignCustomers,
    Countries,
    LocalVisits,
    VisitorRollups,
    Visitors,
  ],
})
export class ClickCountingModule {
  /** @param modules those that provide ClickEffect, ClickedLinks and ClickedCampaigns */
  static with(...modules: Type[]): DynamicModule {
    return { module: ClickCountingModule, imports: modules };
  }
}
