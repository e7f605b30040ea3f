import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { DomainsModule } from '../domains/domains.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { App } from './app.entity';
import { AppAdministration } from './app-administration';
import { AppAssociations } from './associations/app-associations';
import { AppAssociationsController } from './associations/app-associations.controller';
import { AppChanges } from './app-changes';
import { AppDeletions } from './app-deletions';
import { AppCache } from './cache/app-cache';
import { AppInstallStatistics } from './app-install-statistics';
import { AppOwners } from './cache/app-owners';
import { AssociationReports } from './associations/association-reports';
import { AppsService } from './apps.service';
import { AppRules } from './app-rules';
import { AppsConsoleController } from './apps.console.controller';
import { AppsController } from './apps.controller';
import { AppsRepository } from './apps.repository';
import { AppLookup } from './cache/app-lookup.service';
import { KeyedAppsModule } from './keys/keyed-apps.module';
import { AppFactory } from './app-factory';
import { AppPresenter } from './app-presenter';

@Module({
  imports: [
    TypeOrmModule.forFeature([App]),
    AccessModule,
    KeyedAppsModule,
    DomainsModule,
    SessionStatisticsModule,
  ],
  controllers: [AppsController, AppsConsoleController, AppAssociationsController],
  providers: [
    AppAdministration,
    AppAssociations,
    AppChanges,
    AppDeletions,
    AppCache,
    AppInstallStatistics,
    AppOwners,
    AssociationReports,
    AppsService,
    AppRules,
    AppsRepository,
    AppLookup,
    AppFactory,
    AppPresenter,
  ],
  exports: [AppAssociations, AppDeletions, AppCache, AppOwners, AppLookup],
})
export class AppsModule {}
