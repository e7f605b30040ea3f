import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { BillingHousekeeping } from './billing-housekeeping';
import { CreditLedger } from './credit-ledger';
import { CreditsConsoleController } from './credits.console.controller';
import { MessageSends } from './message-sends';
import { MessageSendsConsoleController } from './message-sends.console.controller';

/** What organizations pay for: credits, and messages that were sent. `analytics` reads both. */
@Module({
  imports: [AccessModule],
  controllers: [CreditsConsoleController, MessageSendsConsoleController],
  providers: [CreditLedger, MessageSends, BillingHousekeeping],
})
export class BillingModule {}
