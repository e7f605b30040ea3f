import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { Config } from '../../config/config';
import { ActivationProbe } from './checks/activation-probe';
import { CustomDomain } from './custom-domain.entity';
import { CustomDomainsController } from './custom-domains.controller';
import { CustomDomainsRepository } from './custom-domains.repository';
import { CustomDomainsService } from './custom-domains.service';
import { DenyList } from './destinations/deny-list';
import { DESTINATION_CHECKERS } from './destinations/destination-checker';
import { DestinationPolicy } from './destinations/destination-policy';
import { DomainCheckSchedule } from './checks/domain-check-schedule';
import { DomainChecks } from './checks/domain-checks';
import { DomainCache } from './domain-cache';
import { DomainNames } from './domain-names';
import { DomainStates } from './checks/domain-states';
import { DomainUses } from './domain-uses';
import { DomainsService } from './domains.service';
import { DomainPresenter } from './domain-presenter';
import { TlsCheckController } from './checks/tls-check.controller';
import { VerificationRecords } from './checks/verification-records';
import { DisabledDomainsConsoleController } from './disabled-domains.console.controller';

@Module({
  imports: [TypeOrmModule.forFeature([CustomDomain]), AccessModule],
  controllers: [CustomDomainsController, TlsCheckController, DisabledDomainsConsoleController],
  providers: [
    DomainCache,
    DomainsService,
    DestinationPolicy,
    DomainNames,
    VerificationRecords,
    ActivationProbe,
    DomainStates,
    DomainUses,
    DomainChecks,
    DomainCheckSchedule,
    CustomDomainsRepository,
    CustomDomainsService,
    DomainPresenter,
    {
      provide: DESTINATION_CHECKERS,
      useFactory: async ({ destinationDenyList: file }: Config) => (file ? [await DenyList.open(file)] : []),
      inject: [Config],
    },
  ],
  exports: [DomainCache, DomainsService, DomainUses, DestinationPolicy, DomainPresenter],
})
export class DomainsModule {}
