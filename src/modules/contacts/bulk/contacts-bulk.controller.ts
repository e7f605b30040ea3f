import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ServiceRequirements } from '../../../access/guards/service-requirements';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { BulkBody } from '../../../common/http/body-rules';
import {
  BulkJobPath,
  BulkJobResponse,
  BulkJobStarted,
  toBulkJobResponse,
} from '../../../infrastructure/jobs/bulk-job.dto';
import { BulkJobs } from '../../../infrastructure/jobs/bulk-jobs';
import { BulkContactsQuery, BulkContactsResponse } from './contacts-bulk.dto';
import { ContactsBulkService, MAX_ITEMS } from './contacts-bulk.service';
import { ContactRequest } from '../contacts.dto';

@ServiceController('messaging/contacts', 'Contacts')
@Access({ key: 'service', scope: 'contacts', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactsBulkController {
  constructor(
    private readonly bulk: ContactsBulkService,
    private readonly jobs: BulkJobs,
    private readonly requirements: ServiceRequirements,
  ) {}

  @Post('bulk')
  @BulkBody()
  @ApiEndpoint({
    operationId: 'saveContacts',
    summary: 'Create or update many contacts',
    description:
      'Up to 1000 contacts by the rules of the single call, in order and in one transaction. An invalid ' +
      'item fails alone. With `returnIds` the response has the contact id of each item. The body is ' +
      'limited to 5 MiB.',
    response: { type: BulkContactsResponse, description: 'The results' },
  })
  @ApiBody({ type: ContactRequest, isArray: true, description: `1 to ${MAX_ITEMS} contacts` })
  @ApiAcceptedResponse({ type: BulkJobStarted, description: 'The job that saves them (`async=true`)' })
  async save(
    @Caller() caller: Caller,
    @Query() query: BulkContactsQuery,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkContactsResponse | BulkJobStarted> {
    if (!query.async) {
      const { items, ...counts } = await this.bulk.save(caller, body, query.groupId);
      return query.returnIds ? { ...counts, items } : counts;
    }
    if (query.returnIds) throw ValidationFailed.field('returnIds', 'must be omitted with async');
    response.status(202);
    return { jobId: await this.bulk.enqueue(caller, body, query.groupId) };
  }

  /** Requires the same as starting the job: for opt-outs the access to opt-outs, for contacts that to contacts. */
  @Get('bulk-jobs/:jobId')
  @Access({ key: 'service', scope: 'contacts' })
  @ApiEndpoint({
    operationId: 'getBulkJob',
    summary: 'Get a bulk job',
    description:
      'The progress of a job, of contacts or of opt-outs. A job of contacts requires MESSAGING and a ' +
      'listed IP address, a job of opt-outs requires neither. Kept for 7 days after the job has ended.',
    response: { type: BulkJobResponse, description: 'The job' },
  })
  async job(@Caller() caller: Caller, @Param() { jobId }: BulkJobPath): Promise<BulkJobResponse> {
    const job = await this.jobs.find(caller.organizationId, jobId);
    if (job?.type !== 'UNSUBSCRIBES') await this.requirements.checkContacts(caller);
    if (!job) throw new NotFound('Bulk job');
    return toBulkJobResponse(job);
  }
}
