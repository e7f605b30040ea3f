import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import {
  CustomDomainPath,
  CustomDomainResponse,
  CustomDomainSpringPage,
  ListCustomDomainsQuery,
} from '../domains/custom-domains.dto';
import { DomainPresenter } from '../domains/domain-presenter';

/** The organization's custom domains, in the format of the Service API (docs/concepts/domains.md#states). */
@ApiTags('Mobile SDK: custom domains')
@Controller('api/v1/sdk/mobile/custom-domains')
export class MobileDomainsController {
  constructor(private readonly domains: DomainPresenter) {}

  @Get()
  @Access({ key: 'app', publishable: 'no' })
  @ApiEndpoint({
    operationId: 'listAppCustomDomains',
    summary: 'List custom domains',
    description: "A page of the domains of the app's organization in every status, newest first by default.",
    response: { type: CustomDomainSpringPage, description: 'A page of domains' },
  })
  list(@App() app: AppCaller, @Query() query: ListCustomDomainsQuery): Promise<CustomDomainSpringPage> {
    return this.domains.list(app, query);
  }

  /** Declared before `:id`, which would match this path. */
  @Get('verified')
  @Access({ key: 'app', publishable: 'no' })
  @ApiEndpoint({
    operationId: 'listVerifiedAppCustomDomains',
    summary: 'List usable custom domains',
    description: 'All VERIFIED and ACTIVE domains, which links can use, by name.',
    response: { type: [CustomDomainResponse], description: 'The domains, not paged' },
  })
  verified(@App() app: AppCaller): Promise<CustomDomainResponse[]> {
    return this.domains.verified(app);
  }

  @Get(':id')
  @Access({ key: 'app', publishable: 'no' })
  @ApiEndpoint({
    operationId: 'getAppCustomDomain',
    summary: 'Get a custom domain',
    description: 'One domain with the CNAME required to verify it.',
    response: { type: CustomDomainResponse, description: 'The domain' },
  })
  get(@App() app: AppCaller, @Param() path: CustomDomainPath): Promise<CustomDomainResponse> {
    return this.domains.get(app, path.id);
  }

  @Post(':id/verify')
  @Access({ key: 'app', publishable: 'no' })
  @ApiEndpoint({
    operationId: 'verifyAppCustomDomain',
    summary: 'Check a custom domain',
    description:
      'Checks the CNAME once, immediately. A FAILED or REVOKED domain stays so: only the console can restart its ' +
      'verification.',
    response: { type: CustomDomainResponse, description: 'The domain after the check' },
  })
  verify(@App() app: AppCaller, @Param() path: CustomDomainPath): Promise<CustomDomainResponse> {
    return this.domains.check(app, path.id);
  }
}
