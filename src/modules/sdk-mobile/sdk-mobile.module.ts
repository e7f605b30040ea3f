import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { DomainsModule } from '../domains/domains.module';
import { MobileDomainsController } from './mobile-domains.controller';

/** The Mobile SDK API: what apps call, each with its own key. */
@Module({
  imports: [AccessModule, DomainsModule],
  controllers: [MobileDomainsController],
})
export class SdkMobileModule {}
