import { Body, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { BulkBody } from '../../common/http/body-rules';
import {
  BulkJobPath,
  BulkJobResponse,
  BulkJobStarted,
  toBulkJobResponse,
} from '../../infrastructure/jobs/bulk-job.dto';
import { BulkJobs } from '../../infrastructure/jobs/bulk-jobs';
import { UnsubscribeFeeds } from './feeds/unsubscribe-feeds';
import {
  DeletionFeedResponse,
  FeedQuery,
  UnsubscribeFeedResponse,
  WatermarkQuery,
  WatermarkResponse,
} from './feeds/unsubscribe-feeds.dto';
import {
  BulkQuery,
  BulkRegisterRequest,
  BulkRegisterResponse,
  BulkRemovedResponse,
  BulkRemoveRequest,
  CheckResponse,
  RegisteredResponse,
  RegisterRequest,
  RemovedResponse,
  toRegisteredResponse,
  ValueQuery,
} from './unsubscribes.dto';
import { UnsubscribesService } from './unsubscribes.service';

@ServiceController('messaging/unsubscribes', 'Unsubscribes')
@Access({ key: 'service', scope: 'unsubscribes' })
export class UnsubscribesController {
  constructor(
    private readonly unsubscribes: UnsubscribesService,
    private readonly feeds: UnsubscribeFeeds,
    private readonly jobs: BulkJobs,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listUnsubscribes',
    summary: 'List opt-outs',
    description:
      'Registered entries after a cursor, oldest first. Deleted entries are not listed here, but in the ' +
      'deletions.',
    response: { type: UnsubscribeFeedResponse, description: 'Entries, and the next cursor' },
  })
  list(@Caller() { organizationId }: Caller, @Query() query: FeedQuery): Promise<UnsubscribeFeedResponse> {
    return this.feeds.list(organizationId, query);
  }

  @Get('watermark')
  @ApiEndpoint({
    operationId: 'getUnsubscribeWatermark',
    summary: 'Get the watermark',
    description:
      'The cursor at which the list currently ends. Deletions change it too: if it equals yours, there ' +
      'is nothing to fetch.',
    response: { type: WatermarkResponse, description: 'The latest cursor' },
  })
  watermark(
    @Caller() { organizationId }: Caller,
    @Query() query: WatermarkQuery,
  ): Promise<WatermarkResponse> {
    return this.feeds.watermark(organizationId, query);
  }

  @Get('deletions')
  @ApiEndpoint({
    operationId: 'listUnsubscribeDeletions',
    summary: 'List removed opt-outs',
    description:
      'Deletions after a cursor, oldest first. Only remove entries whose id is a sourceId: if a value ' +
      'was registered again, that is another entry.',
    response: { type: DeletionFeedResponse, description: 'Deletions, and the next cursor' },
  })
  deletions(@Caller() { organizationId }: Caller, @Query() query: FeedQuery): Promise<DeletionFeedResponse> {
    return this.feeds.deletions(organizationId, query);
  }

  @Get('check')
  @ApiEndpoint({
    operationId: 'checkUnsubscribe',
    summary: 'Check whether a value is registered',
    description: 'Whether a value has opted out of a channel.',
    response: { type: CheckResponse, description: 'Whether the value is registered' },
  })
  check(@Caller() caller: Caller, @Query() query: ValueQuery): Promise<CheckResponse> {
    return this.unsubscribes.check(caller, query);
  }

  @Post()
  @ApiEndpoint({
    operationId: 'registerUnsubscribe',
    summary: 'Register an opt-out',
    description:
      'No advertising is sent to a registered value. A value that is already registered stays unchanged.',
    response: { status: 201, type: RegisteredResponse, description: 'The new entry' },
  })
  @ApiOkResponse({ type: RegisteredResponse, description: 'The existing entry' })
  async register(
    @Caller() caller: Caller,
    @Body() body: RegisterRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RegisteredResponse> {
    const { entry, duplicated } = await this.unsubscribes.register(caller, body);
    response.status(duplicated ? 200 : 201);
    return toRegisteredResponse(body.channel, entry, duplicated);
  }

  @Post('bulk')
  @BulkBody()
  @ApiEndpoint({
    operationId: 'registerUnsubscribes',
    summary: 'Register many opt-outs',
    description:
      'Up to 1000 values at once; an invalid value does not affect the others. With `async`, a job ' +
      'registers them.',
    response: { type: BulkRegisterResponse, description: 'The results' },
  })
  @ApiAcceptedResponse({ type: BulkJobStarted, description: 'With `async`: the job that registers them' })
  async registerMany(
    @Caller() caller: Caller,
    @Query() query: BulkQuery,
    @Body() body: BulkRegisterRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkRegisterResponse | BulkJobStarted> {
    if (!query.async) return this.unsubscribes.registerMany(caller, body);
    response.status(202);
    return { jobId: await this.unsubscribes.registerLater(caller, body) };
  }

  @Get('bulk-jobs/:jobId')
  @ApiEndpoint({
    operationId: 'getUnsubscribeBulkJob',
    summary: 'Get a bulk job of opt-outs',
    description:
      'The progress of a job. A job of contacts is not found here. Kept for 7 days after the job has ended.',
    response: { type: BulkJobResponse, description: 'The job' },
  })
  async job(@Caller() { organizationId }: Caller, @Param() { jobId }: BulkJobPath): Promise<BulkJobResponse> {
    return toBulkJobResponse(await this.jobs.get(organizationId, jobId, 'UNSUBSCRIBES'));
  }

  @Delete()
  @ApiEndpoint({
    operationId: 'deleteUnsubscribe',
    summary: 'Delete an opt-out',
    description:
      'Deletes by value. The deletion is listed in the deletions; if registered again, the value is a new ' +
      'entry.',
    response: { type: RemovedResponse, description: 'Whether it was registered' },
  })
  remove(@Caller() caller: Caller, @Query() query: ValueQuery): Promise<RemovedResponse> {
    return this.unsubscribes.remove(caller, query);
  }

  @Delete('bulk')
  @BulkBody()
  @ApiEndpoint({
    operationId: 'deleteUnsubscribes',
    summary: 'Delete many opt-outs',
    description:
      'Deletes by value, up to 1000 at once. Values that are invalid or not registered count as not found.',
    response: { type: BulkRemovedResponse, description: 'The results' },
  })
  removeMany(@Caller() caller: Caller, @Body() body: BulkRemoveRequest): Promise<BulkRemovedResponse> {
    return this.unsubscribes.removeMany(caller, body);
  }
}
