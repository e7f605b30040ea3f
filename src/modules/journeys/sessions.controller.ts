import { Get, Param, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { Page } from '../../common/pagination/page';
import { JourneysService } from './journeys.service';
import { SessionPathResponse } from './session-path.dto';
import { SessionPaths } from './session-paths';
import {
  SessionPath,
  type ListedSession,
  ListedSessionPage,
  OrganizationSessionsQuery,
} from './sessions.dto';

@Access({ key: 'service', scope: 'analytics:read', role: 'EDITOR', addOn: 'USER_JOURNEY' })
@ServiceController('sessions', 'Sessions')
export class SessionsController {
  constructor(
    private readonly journeys: JourneysService,
    private readonly paths: SessionPaths,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listSessionsOfApps',
    summary: 'List sessions',
    description:
      "Sessions of all apps that started in the range, newest first. Covers the last 30 days by default, at most 366, in the organization's time zone.",
    response: { type: ListedSessionPage, description: 'A page of sessions' },
  })
  list(@Caller() caller: Caller, @Query() query: OrganizationSessionsQuery): Promise<Page<ListedSession>> {
    return this.journeys.list(caller, query);
  }

  @Get(':sessionId')
  @ApiEndpoint({
    operationId: 'getSessionPath',
    summary: 'Get the path of a session',
    description:
      'What led to the session, and everything that happened in it, in the order of time: at most 1,000 entries. ' +
      'Amounts of money are null without the add-on REVENUE_ANALYTICS or the permission revenue.view.',
    response: { type: SessionPathResponse, description: 'The session and its path' },
  })
  get(@Caller() caller: Caller, @Param() { sessionId }: SessionPath): Promise<SessionPathResponse> {
    return this.paths.get(caller, sessionId);
  }
}
