import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { Page } from '../../common/pagination/page';
import { JourneysService } from './journeys.service';
import { SessionPathResponse } from './session-path.dto';
import { SessionPaths } from './session-paths';
import {
  type ListedSession,
  ListedSessionPage,
  OrganizationSessionPath,
  OrganizationSessionsQuery,
} from './sessions.dto';

@ApiTags('Console: sessions')
@Controller('api/v1/console/organizations/:organizationId/sessions')
@Access({ key: 'console', role: 'EDITOR', addOn: 'USER_JOURNEY' })
export class OrganizationSessionsConsoleController {
  constructor(
    private readonly journeys: JourneysService,
    private readonly paths: SessionPaths,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listOrganizationSessions',
    summary: 'List sessions',
    description:
      "Sessions of all apps that started in the range, newest first. Covers the last 30 days by default, at most 366, in the organization's time zone.",
    response: { type: ListedSessionPage, description: 'A page of sessions' },
  })
  list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: OrganizationSessionsQuery,
  ): Promise<Page<ListedSession>> {
    return this.journeys.list(caller, query);
  }

  @Get(':sessionId')
  @ApiEndpoint({
    operationId: 'getOrganizationSession',
    summary: 'Get the path of a session',
    description:
      'What led to the session, and everything that happened in it, in the order of time: at most 1,000 entries. ' +
      'Amounts of money are null without the add-on REVENUE_ANALYTICS or the permission revenue.view.',
    response: { type: SessionPathResponse, description: 'The session and its path' },
  })
  get(
    @Caller() caller: Caller,
    @Param() { sessionId }: OrganizationSessionPath,
  ): Promise<SessionPathResponse> {
    return this.paths.get(caller, sessionId);
  }
}
