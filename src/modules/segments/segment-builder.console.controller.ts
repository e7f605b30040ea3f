import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import {
  CountSegmentRequest,
  SegmentCountResponse,
  SegmentPropertyResponse,
  toSegmentPropertyResponse,
} from './segment-builder.dto';
import { SegmentCounts } from './segment-counts';
import { SegmentProperties } from './segment-properties';

/** Data for the console's form in which conditions are built. */
@ApiTags('Console: segments')
@Controller('api/v1/console/organizations/:organizationId')
export class SegmentBuilderConsoleController {
  constructor(
    private readonly counts: SegmentCounts,
    private readonly properties: SegmentProperties,
  ) {}

  @Post('segments/count')
  @Access({ key: 'console', role: 'EDITOR', permission: 'segments.view' })
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
    @Param() _path: OrganizationPath,
    @Body() { conditionGroups }: CountSegmentRequest,
  ): Promise<SegmentCountResponse> {
    return { count: await this.counts.count(caller, conditionGroups) };
  }

  @Get('segment-properties')
  @Access({ key: 'console', role: 'VIEWER', permission: 'segments.view' })
  @ApiEndpoint({
    operationId: 'listSegmentProperties',
    summary: 'List the properties that conditions can name',
    description:
      'Contact fields, then the 200 most used custom fields, then the activity metrics of the organization, not paged. ' +
      'Custom fields and values are those of the newest 10,000 contacts. Values of contacts (`locale`, `tags`, ' +
      'custom fields) need the role EDITOR; they are null if there are more than 50, or one is longer than 100 ' +
      'characters.',
    response: { type: [SegmentPropertyResponse], description: 'The properties' },
  })
  async list(@Caller() caller: Caller, @Param() _path: OrganizationPath): Promise<SegmentPropertyResponse[]> {
    return (await this.properties.list(caller)).map(toSegmentPropertyResponse);
  }
}
