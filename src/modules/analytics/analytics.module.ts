import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { AnalyticsSchedule } from './analytics-schedule';
import { BillingUsageQuery } from './billing-usage.query';
import { BillingUsageService } from './billing-usage.service';
import { ConversionsController } from './conversions.controller';
import { ConversionsService } from './conversions.service';
import { CostController } from './cost.controller';
import { CreditBalancesQuery } from './credit-balances.query';
import { EventDays } from './event-days';
import { EventLogController } from './event-log.controller';
import { EventLogQuery } from './event-log.query';
import { EventLogService } from './event-log.service';
import { OwnedApps } from './owned-apps';
import { OwnedTargets } from './owned-targets';
import { RevenueController } from './revenue.controller';
import { RevenueService } from './revenue.service';
import { TopConversionsService } from './top-conversions.service';
import { VisitorsController } from './visitors.controller';
import { VisitorsService } from './visitors.service';

/** The read-only analytics API (doc 2 §4): sums, never rows of people. */
@Module({
  imports: [AccessModule, AppsModule, StatisticsModule],
  controllers: [
    CostController,
    RevenueController,
    ConversionsController,
    VisitorsController,
    EventLogController,
  ],
  providers: [
    CreditBalancesQuery,
    BillingUsageQuery,
    BillingUsageService,
    OwnedApps,
    OwnedTargets,
    RevenueService,
    ConversionsService,
    TopConversionsService,
    VisitorsService,
    EventLogQuery,
    EventLogService,
    EventDays,
    AnalyticsSchedule,
  ],
})
export class AnalyticsModule {}
