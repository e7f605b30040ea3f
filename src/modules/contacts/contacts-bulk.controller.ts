import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ApiFailures } from '../../common/errors/api-failures';
import { BulkBody } from '../../common/http/body-rules';
import { BulkJobResponse, BulkJobStarted, toBulkJobResponse } from '../../infrastructure/jobs/bulk-job.dto';
import { BulkJobs } from '../../infrastructure/jobs/bulk-jobs';
import { BulkContactsQuery, BulkContactsResponse, BulkJobPath } from './contacts-bulk.dto';
import { ContactsBulkService, MAX_ITEMS } from './contacts-bulk.service';
import { ContactRequest } from './contacts.dto';

@ApiTags('Contacts')
@Controller('api/v1/service/messaging/contacts')
@Access({ key: 'service', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactsBulkController {
  constructor(
    private readonly bulk: ContactsBulkService,
    private readonly jobs: BulkJobs,
  ) {}

  @Post('bulk')
  @HttpCode(200)
  @BulkBody()
  @ApiOperation({
    operationId: 'saveContacts',
    summary: 'Make or change many contacts',
    description:
      'Up to 1000 contacts by the rules of the single call, in order and in one transaction. A bad item fails ' +
      'alone. The body may have 5 MiB.',
  })
  @ApiBody({ type: ContactRequest, isArray: true, description: `1 to ${MAX_ITEMS} contacts` })
  @ApiOkResponse({ type: BulkContactsResponse, description: 'What became of them' })
  @ApiAcceptedResponse({ type: BulkJobStarted, description: 'The job that saves them (async=true)' })
  @ApiFailures(400)
  async save(
    @Caller() caller: Caller,
    @Query() query: BulkContactsQuery,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkContactsResponse | BulkJobStarted> {
    if (!query.async) return this.bulk.save(caller, body, query.groupId);
    response.status(202);
    return { jobId: await this.bulk.enqueue(caller, body, query.groupId) };
  }

  @Get('bulk-jobs/:jobId')
  @ApiOperation({
    operationId: 'getBulkJob',
    summary: 'Read a bulk job',
    description: 'How far a job is, of contacts or of unsubscribes. Kept for 7 days after its end.',
  })
  @ApiOkResponse({ type: BulkJobResponse, description: 'The job' })
  @ApiFailures(400, 404)
  async job(@Caller() caller: Caller, @Param() { jobId }: BulkJobPath): Promise<BulkJobResponse> {
    return toBulkJobResponse(await this.jobs.get(caller.organizationId, jobId));
  }
}
