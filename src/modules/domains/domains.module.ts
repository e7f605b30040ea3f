import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { CustomDomain } from './custom-domain.entity';
import { DenyList } from './deny-list';
import { DESTINATION_CHECKERS } from './destination-checker';
import { DestinationPolicy } from './destination-policy';
import { DomainDirectory } from './domain-directory';
import { DomainsService } from './domains.service';
import { TlsCheckController } from './tls-check.controller';

/** Short domains: the customers' own, what may stand behind a slash on them, and where their links may lead. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomDomain])],
  controllers: [TlsCheckController],
  providers: [
    DomainDirectory,
    DomainsService,
    DestinationPolicy,
    {
      provide: DESTINATION_CHECKERS,
      useFactory: async ({ destinationDenyList: file }: Config) => (file ? [await DenyList.open(file)] : []),
      inject: [CONFIG],
    },
  ],
  exports: [DomainDirectory, DomainsService, DestinationPolicy],
})
export class DomainsModule {}
