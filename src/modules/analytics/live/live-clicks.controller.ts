import { Get, Headers, Query, Res } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { LiveClicksQuery, STREAM_CONTENT } from './live-clicks.dto';
import { LiveClicksService } from './live-clicks.service';

@ServiceController('clicks', 'Analytics')
@Access({ key: 'service', scope: 'analytics:read' })
export class LiveClicksController {
  constructor(private readonly streams: LiveClicksService) {}

  @Get('live')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'Id of the last event received: the stream continues after it. `EventSource` sends it by itself',
    schema: { type: 'string', example: '' },
  })
  @ApiEndpoint({
    operationId: 'streamClicks',
    summary: 'Stream clicks as they are counted',
    description:
      'Server-sent events, each within two seconds after its clicks have been counted. `clicks` holds an array of ' +
      'clicks, each once, also across reconnections with the id of the last event. `ready` tells that from here on ' +
      'clicks come as they are counted, `reset` that clicks since the last event may be missing because it is more than ' +
      'ten minutes old. A comment every 15 seconds keeps the connection open. The service ends a stream after five ' +
      'minutes, and clients continue with another. One more stream than the limit of the organization is 403 LIMIT_REACHED.',
    response: { content: STREAM_CONTENT, description: 'The events' },
    errors: ['INVALID_CURSOR', 'NOT_FOUND', 'LIMIT_REACHED'],
  })
  stream(
    @Caller() caller: Caller,
    @Query() query: LiveClicksQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.stream(caller, query, lastEventId, response);
  }
}
