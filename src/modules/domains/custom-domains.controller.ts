import { Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import {
  CustomDomainPath,
  CustomDomainResponse,
  CustomDomainSpringPage,
  ListCustomDomainsQuery,
} from './custom-domains.dto';
import { DomainPresenter } from './domain-presenter';
import { Tagged } from '../../infrastructure/edits/editable.decorator';

@ApiTags('Custom domains')
@ServiceController('custom-domains')
@Access({ key: 'service', scope: 'domains' })
export class CustomDomainsController {
  constructor(private readonly domains: DomainPresenter) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listCustomDomains',
    summary: 'List custom domains',
    description: "A page of the organization's domains with any status; newest first by default.",
    response: { type: CustomDomainSpringPage, description: 'A page of domains' },
  })
  list(@Caller() caller: Caller, @Query() query: ListCustomDomainsQuery): Promise<CustomDomainSpringPage> {
    return this.domains.list(caller, query);
  }

  /** Declared before `:id`, which would match this path. */
  @Get('verified')
  @ApiEndpoint({
    operationId: 'listVerifiedCustomDomains',
    summary: 'List usable custom domains',
    description: 'All VERIFIED and ACTIVE domains, by name, which links and campaigns can use.',
    response: { type: [CustomDomainResponse], description: 'The domains, not paged' },
  })
  verified(@Caller() caller: Caller): Promise<CustomDomainResponse[]> {
    return this.domains.verified(caller);
  }

  @Get(':id')
  @Tagged()
  @ApiEndpoint({
    operationId: 'getCustomDomain',
    summary: 'Get a custom domain',
    description: 'A domain with the CNAME that proves it.',
    response: { type: CustomDomainResponse, description: 'The domain' },
  })
  get(@Caller() caller: Caller, @Param() path: CustomDomainPath): Promise<CustomDomainResponse> {
    return this.domains.get(caller, path.id);
  }
}
