import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { DebugSchemesService } from './debug-schemes.service';
import { DebugSchemePage, type DebugSchemeResponse, toDebugSchemeResponse } from './debug-schemes.dto';

@ApiTags('Console: debug schemes')
@Controller('api/v1/console')
export class DebugSchemesConsoleController {
  constructor(private readonly reports: DebugSchemesService) {}

  @Get('organizations/:organizationId/debug-schemes')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'listDebugSchemes',
    summary: 'List debug reports of deep links',
    description: "Reports of pages about the organization's apps in the last 24 hours, newest first.",
    response: { type: DebugSchemePage, description: 'A page of reports' },
  })
  list(
    @Caller() { organizationId }: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<Page<DebugSchemeResponse>> {
    return this.page(organizationId, query);
  }

  @Get('debug-schemes')
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'listDebugSchemesOfUnknownApps',
    summary: 'List debug reports of unregistered apps',
    description:
      'Reports of the last 24 hours whose package and scheme belong to no app, or to apps of several organizations. ' +
      'Only for the platform.',
    response: { type: DebugSchemePage, description: 'A page of reports' },
  })
  listOfUnknownApps(@Query() query: PageQuery): Promise<Page<DebugSchemeResponse>> {
    return this.page(null, query);
  }

  private async page(organizationId: number | null, query: PageQuery): Promise<Page<DebugSchemeResponse>> {
    const [rows, total] = await this.reports.list(organizationId, query);
    return Page.of(rows.map(toDebugSchemeResponse), total, query);
  }
}
