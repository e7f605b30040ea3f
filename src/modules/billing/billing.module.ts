import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { CreditTransaction } from './credit.entities';
import { CreditLedger } from './credit-ledger';
import { CreditsConsoleController } from './credits.console.controller';
import { MessageSends } from './message-sends';
import { MessageSendsConsoleController } from './message-sends.console.controller';

@Module({
  imports: [TypeOrmModule.forFeature([CreditTransaction]), AccessModule],
  controllers: [CreditsConsoleController, MessageSendsConsoleController],
  providers: [CreditLedger, MessageSends],
})
export class BillingModule {}
