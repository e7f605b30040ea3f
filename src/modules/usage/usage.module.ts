import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ClickStatisticsModule } from '../click-statistics/click-statistics.module';
import { ContactsModule } from '../contacts/contacts.module';
import { LinksModule } from '../links/links.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AppIdsQuery } from './app-ids.query';
import { ClickLimitNotices } from './click-limit-notices';
import { MadeQuery } from './made.query';
import { MonthlyClicks } from './monthly-clicks';
import { RollupRetention } from './rollup-retention';
import { UsageController } from './usage.controller';
import { UsageService } from './usage.service';

/** Usage and limits of organizations, and the retention of their sums. */
@Module({
  imports: [
    AccessModule,
    ClickStatisticsModule,
    ContactsModule,
    LinksModule,
    WebhookOutboxModule,
    WebhooksModule,
  ],
  controllers: [UsageController],
  providers: [AppIdsQuery, ClickLimitNotices, MadeQuery, MonthlyClicks, RollupRetention, UsageService],
})
export class UsageModule {}
