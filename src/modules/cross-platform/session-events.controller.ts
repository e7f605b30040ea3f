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
@Access({ key: 'app', addOn: 'USER_JOURNEY' })
export class SessionEventsController {
  constructor(private readonly events: SessionEventsService) {}

  @Post('event')
  @ApiEndpoint({
    operationId: 'recordSessionEvent',
    summary: 'Record an event',
    description:
      'In a session of the app. Of the same event with the same clientTimestamp there is one, whose id every repeat ' +
      'is answered with. It adds to the activity of the contact whose session it is.',
    response: { type: RecordEventResponse, description: 'Kept' },
    errors: ['NOT_FOUND'],
  })
  record(@App() app: AppCaller, @Body() body: RecordEventRequest): Promise<RecordEventResponse> {
    return this.events.record(app, body);
  }

  @Get(':sessionId/events')
  @ApiEndpoint({
    operationId: 'listSessionEvents',
    summary: 'List the events of a session',
    description: 'A page of them, in the order in which they came in.',
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
