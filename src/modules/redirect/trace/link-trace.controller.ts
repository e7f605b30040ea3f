import { Get, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { LinkTrace } from './link-trace';
import { TraceQuery, TraceResponse } from './link-trace.dto';

@ServiceController('links/trace', 'Short links')
@Access({ key: 'service', scope: 'links' })
export class LinkTraceController {
  constructor(private readonly traces: LinkTrace) {}

  @Get()
  @ApiEndpoint({
    operationId: 'traceLink',
    summary: 'Trace a short address',
    description:
      'Tells what a visitor of a short address would get and why, by the decisions of a redirect. Counts no click and ' +
      'uses up no visit. Addresses of other organizations are answered as unknown.',
    response: { type: TraceResponse, description: 'The answer that the visitor would get' },
  })
  trace(@Caller() caller: Caller, @Query() query: TraceQuery): Promise<TraceResponse> {
    return this.traces.run(caller, query);
  }
}
