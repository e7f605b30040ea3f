import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { DomainsModule } from '../domains/domains.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { App } from './app.entity';
import { AppAdministration } from './app-administration';
import { AppAssociations } from './associations/app-associations';
import { AppChanges } from './app-changes';
import { AppDeletions } from './app-deletions';
import { AppDirectory } from './cache/app-cache';
import { AppInstallStatistics } from './app-install-statistics';
import { AppKeys } from './keys/app-keys';
import { AppOwners } from './cache/app-owners';
import { AppRegistry } from './apps.service';
import { AppRules } from './app-rules';
import { AppsConsoleController } from './apps.console.controller';
import { AppsController } from './apps.controller';
import { AppsRepository } from './apps.repository';
import { AppsService } from './cache/app-lookup.service';
import { KeyedAppsModule } from './keys/keyed-apps.module';
import { NewApps } from './app-factory';
import { ShownApps } from './app-presenter';

/** The apps that customers register. */
@Module({
  imports: [
    TypeOrmModule.forFeature([App]),
    AccessModule,
    KeyedAppsModule,
    DomainsModule,
    SessionStatisticsModule,
  ],
  controllers: [AppsController, AppsConsoleController],
  providers: [
    AppAdministration,
    AppAssociations,
    AppChanges,
    AppDeletions,
    AppDirectory,
    AppInstallStatistics,
    AppKeys,
    AppOwners,
    AppRegistry,
    AppRules,
    AppsRepository,
    AppsService,
    NewApps,
    ShownApps,
  ],
  exports: [AppAssociations, AppDeletions, AppDirectory, AppOwners, AppsService],
})
export class AppsModule {}
