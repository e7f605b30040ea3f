import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ClickEffects } from './click-effects';
import { ClickEvents } from './click-events';
import { LiveAnnouncements } from './live-announcements';
import { ClickIngest } from './click-ingest';
import { ClickPartitions } from './click-partitions';
import { CountingTransactions } from './counting-transactions';
import { GroupCounting } from './group-counting';
import { ClickEnricher } from './click-enricher';
import { JournalConsumer } from './journal-consumer';
import { StreamConsumer } from './stream-consumer';
import { CampaignCustomers } from './campaign-customers';
import { CustomerRollups } from '../customers/customer-rollups';
import { ClickRollups } from '../rollups/click-rollups';
import { LocalVisits } from './local-visits';
import { VisitorRollups } from '../rollups/visitor-rollups';
import { DedupLocks } from '../../clicks/dedup-locks';
import { Countries } from '../../clicks/visitor-facts';
import { Visitors } from '../../clicks/visitors';
import { WebhookOutboxModule } from '../../webhooks/webhook-outbox.module';

/** The counting part of the click pipeline, which can run in a separate worker process. */
@Module({
  imports: [WebhookOutboxModule],
  providers: [
    StreamConsumer,
    JournalConsumer,
    CountingTransactions,
    GroupCounting,
    ClickRollups,
    ClickIngest,
    ClickEffects,
    ClickEvents,
    LiveAnnouncements,
    DedupLocks,
    ClickPartitions,
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
  /** @param modules providers of ClickEffect, ClickedLinks and ClickedCampaigns */
  static with(...modules: Type[]): DynamicModule {
    return { module: ClickCountingModule, imports: modules };
  }
}
