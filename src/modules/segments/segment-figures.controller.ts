import { Get, Param, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import {
  ListSegmentsQuery,
  SegmentListResponse,
  SegmentPath,
  SegmentResponse,
  toSegmentResponse,
  toSegmentSummary,
} from './segments.dto';
import { SegmentsService } from './segments.service';

@Access({ key: 'service', scope: 'segments', addOn: 'DYNAMIC_SEGMENT', permission: 'segments.view' })
@ServiceController('analytics/segments', 'Analytics')
export class SegmentFiguresController {
  constructor(private readonly segments: SegmentsService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listSegmentSizes',
    summary: 'List segments with their sizes',
    description:
      "Sorted by name. Sizes are those of the last evaluation: daily at 03:00 in the organization's " +
      'time zone, or on demand.',
    response: { type: SegmentListResponse, description: 'A page of segments' },
  })
  async list(
    @Caller() caller: Caller,
    @Query() { page, size }: ListSegmentsQuery,
  ): Promise<SegmentListResponse> {
    const { timeZone } = caller.organization;
    const [rows, totalElements] = await this.segments.list(caller, { page, size });
    const totalPages = Math.ceil(totalElements / size);
    const segments = rows.map((row) => toSegmentSummary(row, timeZone));
    return { page, size, totalElements, totalPages, timeZone, segments };
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getSegmentSize',
    summary: 'Get a segment with its size',
    description: 'The size and the conditions. No parameter lists the members.',
    response: { type: SegmentResponse, description: 'The segment' },
  })
  async get(@Caller() caller: Caller, @Param() { id }: SegmentPath): Promise<SegmentResponse> {
    return toSegmentResponse(await this.segments.get(caller, id), caller.organization.timeZone);
  }
}
