import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiFailures } from '../../common/errors/api-failures';
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
  @HttpCode(200)
  @ApiOperation({
    operationId: 'recordSessionEvent',
    summary: 'Record an event',
    description:
      'In a session of the app. Of the same event with the same clientTimestamp there is one, whose id every repeat ' +
      'is answered with. It adds to the activity of the contact whose session it is.',
  })
  @ApiOkResponse({ type: RecordEventResponse, description: 'Kept' })
  @ApiFailures(400, 404)
  record(@App() app: AppCaller, @Body() body: RecordEventRequest): Promise<RecordEventResponse> {
    return this.events.record(app, body);
  }

  @Get(':sessionId/events')
  @ApiOperation({
    operationId: 'listSessionEvents',
    summary: 'List the events of a session',
    description: 'A page of them, in the order in which they came in.',
  })
  @ApiOkResponse({ type: SessionEventPage, description: 'A page of events' })
  @ApiFailures(400, 404)
  list(
    @App() app: AppCaller,
    @Param() { sessionId }: SessionPath,
    @Query() query: PageQuery,
  ): Promise<Page<SessionEventResponse>> {
    return this.events.list(app, sessionId, query);
  }
}
