import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import {
  SegmentPath,
  CreateSegmentRequest,
  SegmentPage,
  SegmentResponse,
  toSegmentResponse,
  toSegmentSummary,
  UpdateSegmentRequest,
} from './segments.dto';
import { SegmentsService } from './segments.service';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';

@Access({ key: 'service', scope: 'segments', addOn: 'DYNAMIC_SEGMENT', permission: 'segments.view' })
@ServiceController('segments', 'Segments')
export class SegmentsController {
  constructor(private readonly segments: SegmentsService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listSegments',
    summary: 'List segments',
    description: 'Sorted by name.',
    response: { type: SegmentPage, description: 'A page of segments' },
  })
  async list(@Caller() caller: Caller, @Query() query: PageQuery): Promise<SegmentPage> {
    const [rows, total] = await this.segments.list(caller, query);
    const { timeZone } = caller.organization;
    return Page.of(
      rows.map((row) => toSegmentSummary(row, timeZone)),
      total,
      query,
    );
  }

  @Post()
  @ApiEndpoint({
    operationId: 'createSegment',
    summary: 'Create a segment',
    description:
      'The segment has no members until it is evaluated: on demand, or next at 03:00 in the ' +
      "organization's time zone. An organization has at most 200 segments; one more is 409 " +
      'TOO_MANY_SEGMENTS.',
    response: { status: 201, type: SegmentResponse, description: 'The segment' },
    errors: ['TOO_MANY_SEGMENTS'],
  })
  async create(@Caller() caller: Caller, @Body() body: CreateSegmentRequest): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.create(caller, body), caller.organization.timeZone);
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getSegment',
    summary: 'Get a segment',
    description: 'The size and the conditions.',
    response: { type: SegmentResponse, description: 'The segment' },
  })
  async get(@Caller() caller: Caller, @Param() { id }: SegmentPath): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.get(caller, id), caller.organization.timeZone);
  }

  @Put(':id')
  @Editable({ lock: row('segments') })
  @ApiEndpoint({
    operationId: 'updateSegment',
    summary: 'Update a segment',
    description: 'Only supplied fields change. The members stay until the next evaluation.',
    response: { type: SegmentResponse, description: 'The updated segment' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: SegmentPath,
    @Body() body: UpdateSegmentRequest,
  ): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.update(caller, id, body), caller.organization.timeZone);
  }

  @Delete(':id')
  @Access({ key: 'service', scope: 'segments', permission: 'segments.view' })
  @ApiEndpoint({
    operationId: 'deleteSegment',
    summary: 'Delete a segment',
    description: 'Its contacts stay. Requires no add-on.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() { id }: SegmentPath): Promise<void> {
    return this.segments.remove(caller, id);
  }

  @Post(':id/evaluate')
  @ApiEndpoint({
    operationId: 'evaluateSegment',
    summary: 'Evaluate a segment now',
    description:
      'Evaluates the segment, active or not, and responds when it is done: seconds for a million contacts.',
    response: { type: SegmentResponse, description: 'The segment with its new size' },
  })
  async evaluate(@Caller() caller: Caller, @Param() { id }: SegmentPath): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.evaluate(caller, id), caller.organization.timeZone);
  }
}
