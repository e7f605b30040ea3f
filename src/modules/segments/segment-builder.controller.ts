import { Body, Get, Post } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { CountSegmentRequest, SegmentCountResponse, SegmentPropertyResponse } from './segment-builder.dto';
import { SegmentCounts } from './segment-counts';
import { SegmentProperties } from './segment-properties';

/** What a form in which conditions are built needs. */
@Access({ key: 'service', scope: 'segments', addOn: 'DYNAMIC_SEGMENT', permission: 'segments.view' })
@ServiceController('segments', 'Segments')
export class SegmentBuilderController {
  constructor(
    private readonly counts: SegmentCounts,
    private readonly properties: SegmentProperties,
  ) {}

  @Post('count')
  @ApiEndpoint({
    operationId: 'countSegment',
    summary: 'Count the contacts that meet conditions',
    description:
      'Counts active contacts now, and stores nothing. Conditions are those of a segment. It takes at most 3 ' +
      "seconds; an organization's counts run one after the other.",
    response: { type: SegmentCountResponse, description: 'The count' },
  })
  async count(
    @Caller() caller: Caller,
    @Body() { conditionGroups }: CountSegmentRequest,
  ): Promise<SegmentCountResponse> {
    return { count: await this.counts.count(caller, conditionGroups) };
  }

  @Get('properties')
  @ApiEndpoint({
    operationId: 'listSegmentProperties',
    summary: 'List the properties that conditions can name',
    description:
      'Contact fields, then the 200 most used custom fields, then the activity metrics of the organization, not paged. ' +
      'Custom fields and values are those of the newest 10,000 contacts. Values of contacts (`locale`, `tags`, ' +
      'custom fields) need the role EDITOR, and for a key the scope contacts:read; they are null if there are more than 50, or one is longer than 100 ' +
      'characters.',
    response: { type: [SegmentPropertyResponse], description: 'The properties' },
  })
  list(@Caller() caller: Caller): Promise<SegmentPropertyResponse[]> {
    return this.properties.list(caller);
  }
}
