import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organizations/organizations.dto';
import { ApiFailures } from '../../common/errors/api-failures';
import { Page, PageQuery } from '../../common/pagination/page';
import {
  ConsoleSegmentPath,
  CreateSegmentRequest,
  SegmentPage,
  SegmentResponse,
  toSegmentResponse,
  toSegmentSummary,
  UpdateSegmentRequest,
} from './segments.dto';
import { SegmentsService } from './segments.service';

@ApiTags('Console: segments')
@Access({ key: 'console', permission: 'segments.view' })
@Controller('api/v1/console/organizations/:orgId/segments')
export class SegmentsConsoleController {
  constructor(private readonly segments: SegmentsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listConsoleSegments',
    summary: 'List segments of an organization',
    description: 'By name.',
  })
  @ApiOkResponse({ type: SegmentPage, description: 'A page of segments' })
  @ApiFailures(400, 404)
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<SegmentPage> {
    const [rows, total] = await this.segments.list(caller, query);
    const { timeZone } = caller.organization;
    return Page.of(
      rows.map((row) => toSegmentSummary(row, timeZone)),
      total,
      query,
    );
  }

  @Post()
  @ApiOperation({
    operationId: 'createSegment',
    summary: 'Create a segment',
    description:
      'It has no members before it is evaluated: on demand, or next at 03:00 of the organization. An organization has ' +
      'at most 200: one more is 409 TOO_MANY_SEGMENTS.',
  })
  @ApiCreatedResponse({ type: SegmentResponse, description: 'The segment' })
  @ApiFailures(400, 404, 'TOO_MANY_SEGMENTS')
  async create(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateSegmentRequest,
  ): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.create(caller, body), caller.organization.timeZone);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getConsoleSegment',
    summary: 'Get a segment of an organization',
    description: 'Its size and what it asks for.',
  })
  @ApiOkResponse({ type: SegmentResponse, description: 'The segment' })
  @ApiFailures(400, 404)
  async get(@Caller() caller: Caller, @Param() { id }: ConsoleSegmentPath): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.get(caller, id), caller.organization.timeZone);
  }

  @Put(':id')
  @ApiOperation({
    operationId: 'updateSegment',
    summary: 'Update a segment',
    description: 'Only supplied fields change. Its members stay until it is evaluated again.',
  })
  @ApiOkResponse({ type: SegmentResponse, description: 'The segment as it is now' })
  @ApiFailures(400, 404)
  async update(
    @Caller() caller: Caller,
    @Param() { id }: ConsoleSegmentPath,
    @Body() body: UpdateSegmentRequest,
  ): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.update(caller, id, body), caller.organization.timeZone);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteSegment',
    summary: 'Delete a segment',
    description: 'Its contacts stay.',
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiFailures(400, 404)
  remove(@Caller() caller: Caller, @Param() { id }: ConsoleSegmentPath): Promise<void> {
    return this.segments.remove(caller, id);
  }

  @Post(':id/evaluate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'evaluateSegment',
    summary: 'Evaluate a segment now',
    description:
      'Finds out who is in it, active or not, and answers when that is done: seconds for a million contacts.',
  })
  @ApiOkResponse({ type: SegmentResponse, description: 'The segment with its new size' })
  @ApiFailures(400, 404)
  async evaluate(@Caller() caller: Caller, @Param() { id }: ConsoleSegmentPath): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.evaluate(caller, id), caller.organization.timeZone);
  }
}
