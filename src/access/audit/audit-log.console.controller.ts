import { Get, Param, Query } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import { AuditEntriesService } from './audit-entries.service';
import { AuditEntryPage, AuditLogQuery, toAuditEntryResponse } from './audit-log.dto';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'ADMIN' })
@ConsoleController('audit-log', 'Console: audit log')
export class AuditLogConsoleController {
  constructor(private readonly entries: AuditEntriesService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listAuditEntries',
    summary: 'List audit-log entries',
    description: 'Who changed what, when, and from which IP address; newest first.',
    response: { type: AuditEntryPage, description: 'A page of entries' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: AuditLogQuery,
  ): Promise<AuditEntryPage> {
    const [rows, total] = await this.entries.list(caller, query);
    return Page.of(rows.map(toAuditEntryResponse), total, query);
  }
}
