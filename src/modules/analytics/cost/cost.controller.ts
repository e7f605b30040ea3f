import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { BillingUsageService } from './billing-usage.service';
import { BillingUsageRequest, BillingUsageResponse, CreditBalances } from './cost.dto';
import { CreditBalancesQuery } from './credit-balances.query';

@Access({ key: 'service', scope: 'analytics:read', permission: 'credits.view' })
@ServiceController('analytics', 'Analytics')
export class CostController {
  constructor(
    private readonly credits: CreditBalancesQuery,
    private readonly usage: BillingUsageService,
  ) {}

  @Get('credits')
  @ApiEndpoint({
    operationId: 'getCredits',
    summary: 'Get credit balances',
    description: 'Credits bought, granted and used, and the remaining balance.',
    response: { type: CreditBalances, description: 'Balances' },
  })
  async balances(@Caller() { organizationId, organization }: Caller): Promise<CreditBalances> {
    return { ...(await this.credits.run(organizationId)), currency: organization.baseCurrency };
  }

  @Get('billing/usage')
  @ApiEndpoint({
    operationId: 'getBillingUsage',
    summary: 'Get billing usage',
    description:
      "Usage in a calendar month in the organization's time zone (by default the current one), or in a period of its plan. " +
      'Errors: INVALID_MONTH, INVALID_PERIOD.',
    response: { type: BillingUsageResponse, description: 'Sums of successful sends' },
  })
  billingUsage(@Caller() caller: Caller, @Query() query: BillingUsageRequest): Promise<BillingUsageResponse> {
    return this.usage.of(caller, query);
  }
}
