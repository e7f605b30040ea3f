import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { DomainsModule } from '../domains/domains.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { TargetsModule } from '../targets/targets.module';
import { Link } from './link.entity';
import { LinkAppTie } from './link-app-tie';
import { LinkBatches } from './link-batches';
import { LinkDirectory } from './link-directory';
import { LinkDrafts } from './link-drafts';
import { LinkExport } from './link-export';
import { LinkImport } from './link-import';
import { LinkListQuery } from './link-list.query';
import { LinkPasses } from './link-passes';
import { LinkQrService } from './link-qr.service';
import { LinkStatisticsService } from './link-statistics.service';
import { LinksConsoleController } from './links.console.controller';
import { LinksBulkController } from './links-bulk.controller';
import { LinksCsvController } from './links-csv.controller';
import { LinksController } from './links.controller';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';
import { OrganizationLinks } from './organization-links';
import { ShortUrlsService } from './short-urls.service';

/** Short links: what customers make, change and look at. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Link]),
    AccessModule,
    AppsModule,
    DomainsModule,
    StatisticsModule,
    TargetsModule,
  ],
  controllers: [LinksBulkController, LinksCsvController, LinksController, LinksConsoleController],
  providers: [
    LinkAppTie,
    LinkBatches,
    LinkDirectory,
    LinkDrafts,
    LinkExport,
    LinkImport,
    LinkListQuery,
    LinkPasses,
    LinkQrService,
    LinkStatisticsService,
    LinksRepository,
    LinksService,
    OrganizationLinks,
    ShortUrlsService,
  ],
  exports: [LinkDirectory, LinkPasses, LinksRepository, OrganizationLinks],
})
export class LinksModule {}
