import { Get, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { NoParameters } from '../../common/validation/known-names';
import { AttentionResponse } from './attention.dto';
import { AttentionService } from './attention.service';

@Access({ key: 'service', scope: 'analytics:read' })
@ServiceController('attention', 'Overview')
export class AttentionController {
  constructor(private readonly attention: AttentionService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getAttention',
    summary: 'List what needs attention',
    description:
      'Unhealthy links and campaigns, custom domains that do not work; for users with the role ADMIN also webhook ' +
      'endpoints, their backlog, and API keys that expire within 14 days. Kinds without anything are left out, and so are, ' +
      'for an API key, those that its scopes do not let it read.',
    response: { type: AttentionResponse, description: 'What needs attention, by kind' },
  })
  get(@Caller() caller: Caller, @Query() _query: NoParameters): Promise<AttentionResponse> {
    return this.attention.get(caller);
  }
}
