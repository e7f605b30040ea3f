import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ClickStatisticsModule } from '../click-statistics/click-statistics.module';
import { AppsModule } from '../apps/apps.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { AnalyticsSchedule } from './analytics-schedule';
import { BillingUsageQuery } from './cost/billing-usage.query';
import { BillingUsageService } from './cost/billing-usage.service';
import { ClickFilterReader } from './clicks/click-filters';
import { ClickAnalyticsController } from './clicks/clicks.controller';
import { ClickAnalyticsService } from './clicks/clicks.service';
import { GroupNamesQuery } from './clicks/group-names.query';
import { ConversionGroupsController } from './conversions/conversion-groups.controller';
import { ConversionGroupsService } from './conversions/conversion-groups.service';
import { ConversionsController } from './conversions/conversions.controller';
import { ConversionsService } from './conversions/conversions.service';
import { CostController } from './cost/cost.controller';
import { CreditBalancesQuery } from './cost/credit-balances.query';
import { EventDays } from './event-log/event-days';
import { EventLogController } from './event-log/event-log.controller';
import { EventLogQuery } from './event-log/event-log.query';
import { EventLogService } from './event-log/event-log.service';
import { LiveClicksController } from './live/live-clicks.controller';
import { LiveClicksService } from './live/live-clicks.service';
import { OwnedApps } from './owned-apps';
import { OwnedTrackedLinks } from './owned-links';
import { RevenueController } from './revenue/revenue.controller';
import { RevenueService } from './revenue/revenue.service';
import { TopConversionsService } from './conversions/top-conversions.service';
import { VisitorsController } from './visitors/visitors.controller';
import { VisitorsService } from './visitors/visitors.service';

/**
 * The read-only analytics API (docs/concepts/statistics.md#analytics): aggregates, and clicks without personal data.
 */
@Module({
  imports: [AccessModule, AppsModule, ClickStatisticsModule, SessionStatisticsModule],
  controllers: [
    ClickAnalyticsController,
    CostController,
    RevenueController,
    ConversionGroupsController,
    ConversionsController,
    VisitorsController,
    EventLogController,
    LiveClicksController,
  ],
  providers: [
    ClickAnalyticsService,
    ClickFilterReader,
    GroupNamesQuery,
    CreditBalancesQuery,
    BillingUsageQuery,
    BillingUsageService,
    OwnedApps,
    OwnedTrackedLinks,
    RevenueService,
    ConversionGroupsService,
    ConversionsService,
    TopConversionsService,
    VisitorsService,
    EventLogQuery,
    EventLogService,
    EventDays,
    AnalyticsSchedule,
    LiveClicksService,
  ],
})
export class AnalyticsModule {}
