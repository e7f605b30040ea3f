import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { DomainsModule } from '../domains/domains.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { App } from './app.entity';
import { AppAdministration } from './app-administration';
import { AppAssociations } from './app-associations';
import { AppChanges } from './app-changes';
import { AppDeletions } from './app-deletions';
import { AppDirectory } from './app-directory';
import { AppInstallStatistics } from './app-install-statistics';
import { AppKeys } from './app-keys';
import { AppOwners } from './app-owners';
import { AppRegistry } from './app-registry';
import { AppRules } from './app-rules';
import { AppsConsoleController } from './apps.console.controller';
import { AppsController } from './apps.controller';
import { AppsRepository } from './apps.repository';
import { AppsService } from './apps.service';
import { KeyedAppsModule } from './keyed-apps.module';
import { NewApps } from './new-apps';
import { ShownApps } from './shown-apps';

/** The apps that customers register. */
@Module({
  imports: [TypeOrmModule.forFeature([App]), AccessModule, KeyedAppsModule, DomainsModule, StatisticsModule],
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
