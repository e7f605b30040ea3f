import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { SpringPage } from '../../common/pagination/spring-page';
import {
  InstallStatisticsRequest,
  InstallStatisticsResponse,
} from '../sessions/installs/install-statistics.dto';
import { AppAdministration } from './app-administration';
import { AppInstallStatistics } from './app-install-statistics';
import { AppsService } from './apps.service';
import {
  AppPath,
  AppResponse,
  AppSpringPage,
  CreateAppRequest,
  ListAppsQuery,
  UpdateAppRequest,
} from './apps.dto';
import { AppPresenter } from './app-presenter';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';

@ServiceController('mobile-apps', 'Apps')
@Access({ key: 'service', scope: 'apps' })
export class AppsController {
  constructor(
    private readonly registry: AppsService,
    private readonly administration: AppAdministration,
    private readonly presenter: AppPresenter,
    private readonly statistics: AppInstallStatistics,
  ) {}

  @Post()
  @ApiEndpoint({
    operationId: 'createApp',
    summary: 'Register an app',
    description:
      'Registers a mobile or web app, and generates its path and its two keys for the SDK APIs. A bundle ID that the ' +
      'organization already uses on that platform is 409 BUNDLE_ID_TAKEN.',
    response: { status: 201, type: AppResponse, description: 'The app' },
    errors: ['BUNDLE_ID_TAKEN'],
  })
  async create(@Caller() caller: Caller, @Body() body: CreateAppRequest): Promise<AppResponse> {
    return this.presenter.of(caller, await this.registry.create(caller, body));
  }

  @Get()
  @ApiEndpoint({
    operationId: 'listApps',
    summary: 'List apps',
    description: "A page of the organization's apps, newest first.",
    response: { type: AppSpringPage, description: 'A page of apps' },
  })
  list(@Caller() caller: Caller, @Query() query: ListAppsQuery): Promise<SpringPage<AppResponse>> {
    return this.presenter.list(caller, query);
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getApp',
    summary: 'Get an app',
    description: 'One app with its keys.',
    response: { type: AppResponse, description: 'The app' },
  })
  get(@Caller() caller: Caller, @Param() path: AppPath): Promise<AppResponse> {
    return this.presenter.get(caller, path.id);
  }

  @Put(':id')
  @Editable({ lock: row('apps') })
  @ApiEndpoint({
    operationId: 'updateApp',
    summary: 'Update an app',
    description:
      'Only the fields supplied change; null clears optional fields. Path, keys and platform never change, because ' +
      'links refer to them. A bundle ID that another app of the organization uses is 409 ' +
      'BUNDLE_ID_TAKEN.',
    response: { type: AppResponse, description: 'The updated app' },
    errors: ['BUNDLE_ID_TAKEN'],
  })
  async update(
    @Caller() caller: Caller,
    @Param() path: AppPath,
    @Body() body: UpdateAppRequest,
  ): Promise<AppResponse> {
    return this.presenter.of(caller, await this.registry.update(caller, path.id, body));
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteApp',
    summary: 'Delete an app',
    description:
      'Links and campaigns lose the app and its deep-link path, but keep working at all their URLs. The keys stop ' +
      'working.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() path: AppPath): Promise<void> {
    return this.registry.remove(caller, path.id);
  }

  @Get(':id/install-stats')
  @Access({ key: 'service', scope: 'analytics:read' })
  @ApiEndpoint({
    operationId: 'getAppInstallStatistics',
    summary: 'Get the install statistics of an app',
    description: 'Installs, re-engagements and the funnel of an app over a range of days.',
    response: { type: InstallStatisticsResponse, description: 'The statistics' },
  })
  installStats(
    @Caller() caller: Caller,
    @Param() path: AppPath,
    @Query() query: InstallStatisticsRequest,
  ): Promise<InstallStatisticsResponse> {
    return this.statistics.of(caller, path.id, query);
  }

  @Post(':id/regenerate-key')
  @ApiEndpoint({
    operationId: 'regenerateAppKey',
    summary: "Regenerate an app's secret key",
    description:
      'The old key stops working immediately, and so do identity signatures that were made with it. The publishable ' +
      'key stays.',
    response: { status: 201, type: AppResponse, description: 'The app with its new secret key' },
  })
  async regenerateKey(@Caller() caller: Caller, @Param() { id }: AppPath): Promise<AppResponse> {
    return this.presenter.of(caller, await this.administration.regenerateKey(caller, id));
  }

  @Post(':id/regenerate-publishable-key')
  @ApiEndpoint({
    operationId: 'regenerateAppPublishableKey',
    summary: "Regenerate an app's publishable key",
    description:
      'The old key stops working immediately, in every installation of the app that has it. The secret key stays.',
    response: { status: 201, type: AppResponse, description: 'The app with its new publishable key' },
  })
  async regeneratePublishableKey(@Caller() caller: Caller, @Param() { id }: AppPath): Promise<AppResponse> {
    return this.presenter.of(caller, await this.administration.regeneratePublishableKey(caller, id));
  }
}
