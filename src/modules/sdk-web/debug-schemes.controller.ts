import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { DebugSchemesService } from './debug-schemes.service';
import { DebugSchemePage, type DebugSchemeResponse, toDebugSchemeResponse } from './debug-schemes.dto';

@ServiceController('debug-schemes', 'Apps')
@Access({ key: 'service', scope: 'apps' })
export class DebugSchemesController {
  constructor(private readonly reports: DebugSchemesService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listDebugSchemes',
    summary: 'List debug reports of deep links',
    description: "Reports of pages about the organization's apps in the last 24 hours, newest first.",
    response: { type: DebugSchemePage, description: 'A page of reports' },
  })
  list(@Caller() { organizationId }: Caller, @Query() query: PageQuery): Promise<Page<DebugSchemeResponse>> {
    return pageOf(this.reports, organizationId, query);
  }
}

@ApiTags('Console: debug schemes')
@Controller('api/v1/console/debug-schemes')
@Access({ key: 'console', role: 'PLATFORM' })
export class DebugSchemesConsoleController {
  constructor(private readonly reports: DebugSchemesService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listDebugSchemesOfUnknownApps',
    summary: 'List debug reports of unregistered apps',
    description:
      'Reports of the last 24 hours whose package and scheme belong to no app, or to apps of several organizations. ' +
      'Only for the platform.',
    response: { type: DebugSchemePage, description: 'A page of reports' },
  })
  listOfUnknownApps(@Query() query: PageQuery): Promise<Page<DebugSchemeResponse>> {
    return pageOf(this.reports, null, query);
  }
}

async function pageOf(
  reports: DebugSchemesService,
  organizationId: number | null,
  query: PageQuery,
): Promise<Page<DebugSchemeResponse>> {
  const [rows, total] = await reports.list(organizationId, query);
  return Page.of(rows.map(toDebugSchemeResponse), total, query);
}
