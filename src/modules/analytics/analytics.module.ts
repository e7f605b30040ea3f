import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { BillingUsageQuery } from './billing-usage.query';
import { BillingUsageService } from './billing-usage.service';
import { CostController } from './cost.controller';
import { CreditBalancesQuery } from './credit-balances.query';

/** The read-only analytics API (doc 2 §4): figures, never rows. */
@Module({
  imports: [AccessModule],
  controllers: [CostController],
  providers: [CreditBalancesQuery, BillingUsageQuery, BillingUsageService],
})
export class AnalyticsModule {}
