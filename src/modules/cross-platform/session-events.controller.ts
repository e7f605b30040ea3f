import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { type Page, PageQuery } from '../../common/pagination/page';
import {
  RecordEventRequest,
  RecordEventResponse,
  SessionEventPage,
  type SessionEventResponse,
} from './session-events.dto';
import { SessionEventsService } from './session-events.service';
import { SessionPath } from './sessions.dto';

@ApiTags('Cross-platform: sessions')
@Controller('api/v1/cross-platform/session')
export class SessionEventsController {
  constructor(private readonly events: SessionEventsService) {}

  @Post('event')
  @Access({ key: 'app', publishable: 'yes', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'recordSessionEvent',
    summary: 'Record an event',
    description:
      'Records an event in a session of the app. Repeats with the same clientTimestamp count once and return the same ' +
      "id. The event adds to the activity of the session's contact.",
    response: { type: RecordEventResponse, description: 'Recorded' },
    errors: ['NOT_FOUND'],
  })
  record(@App() app: AppCaller, @Body() body: RecordEventRequest): Promise<RecordEventResponse> {
    return this.events.record(app, body);
  }

  @Get(':sessionId/events')
  @Access({ key: 'app', publishable: 'own', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'listSessionEvents',
    summary: 'List the events of a session',
    description: 'A page of events, in order of receipt.',
    response: { type: SessionEventPage, description: 'A page of events' },
  })
  list(
    @App() app: AppCaller,
    @Param() { sessionId }: SessionPath,
    @Query() query: PageQuery,
  ): Promise<Page<SessionEventResponse>> {
    return this.events.list(app, sessionId, query);
  }
}
