import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';
import {
  CodeCollisionsResponse,
  CreateCustomDomainRequest,
  CustomDomainPath,
  CustomDomainResponse,
  CustomDomainSpringPage,
  DeleteDomainQuery,
  ListCustomDomainsQuery,
  UpdateCustomDomainRequest,
} from './custom-domains.dto';
import { CustomDomainsService } from './custom-domains.service';
import { DomainPresenter } from './domain-presenter';
import type { SameCodes } from './domain-uses';

@ServiceController('custom-domains', 'Custom domains')
@Access({ key: 'service', scope: 'domains' })
export class CustomDomainsController {
  constructor(
    private readonly domains: CustomDomainsService,
    private readonly presenter: DomainPresenter,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listCustomDomains',
    summary: 'List custom domains',
    description: "A page of the organization's domains with any status; newest first by default.",
    response: { type: CustomDomainSpringPage, description: 'A page of domains' },
  })
  list(@Caller() caller: Caller, @Query() query: ListCustomDomainsQuery): Promise<CustomDomainSpringPage> {
    return this.presenter.list(caller, query);
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
    return this.presenter.verified(caller);
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getCustomDomain',
    summary: 'Get a custom domain',
    description: 'A domain with the CNAME that proves it.',
    response: { type: CustomDomainResponse, description: 'The domain' },
  })
  get(@Caller() caller: Caller, @Param() path: CustomDomainPath): Promise<CustomDomainResponse> {
    return this.presenter.get(caller, path.id);
  }

  @Post()
  @ApiEndpoint({
    operationId: 'addCustomDomain',
    summary: 'Add a custom domain',
    description:
      'The response has the CNAME that proves the domain. It is checked at once, then every ten ' +
      'minutes; after 72 hours without it the domain is FAILED. A subdomain of the short domain is ' +
      'ACTIVE at once. A domain held by any organization is 409 DOMAIN_TAKEN, and so is a subdomain of the short ' +
      'domain that another organization had before.',
    response: { status: 201, type: CustomDomainResponse, description: 'The domain' },
    errors: ['DOMAIN_TAKEN'],
  })
  add(@Caller() caller: Caller, @Body() body: CreateCustomDomainRequest): Promise<CustomDomainResponse> {
    return this.presenter.create(caller, body);
  }

  @Patch(':id')
  @Editable({ lock: row('custom_domains') })
  @ApiEndpoint({
    operationId: 'updateCustomDomain',
    summary: 'Update a custom domain',
    description:
      "Only supplied fields change; null clears a redirect. A redirect (302) replaces the domain's page: " +
      '`rootUrl` for `/`, `notFoundUrl` for a link that does not exist, `expiredUrl` for one that has ' +
      'expired or reached its limit. `caseSensitiveCodes: false` is 409 CODES_COLLIDE, with `total` and ' +
      '`collisions`, while codes differ in letter case alone. Changes take effect within a second.',
    response: { type: CustomDomainResponse, description: 'The updated domain' },
    errors: ['CODES_COLLIDE'],
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: CustomDomainPath,
    @Body() body: UpdateCustomDomainRequest,
  ): Promise<CustomDomainResponse> {
    return this.presenter.present(await this.domains.update(caller, id, body));
  }

  @Get(':id/code-collisions')
  @ApiEndpoint({
    operationId: 'listCodeCollisions',
    summary: 'List code collisions',
    description:
      'The codes and aliases on the domain that differ in letter case alone and lead to different links or campaigns. ' +
      'While there are any, `caseSensitiveCodes` cannot be false: rename or delete one of each. Former aliases count as ' +
      'long as they lead somewhere. Codes that lead nowhere do not collide, and stay taken only while no other has them.',
    response: { type: CodeCollisionsResponse, description: 'The collisions' },
  })
  collisions(@Caller() caller: Caller, @Param() { id }: CustomDomainPath): Promise<SameCodes> {
    return this.domains.collisions(caller, id);
  }

  @Post(':id/verify')
  @ApiEndpoint({
    operationId: 'verifyCustomDomain',
    summary: 'Check a custom domain now',
    description:
      'Looks up the records now and responds with the result in `lastCheck`, within 10 seconds. There is no limit of its ' +
      'own: a page that shows checks as they happen may call it every 5 seconds. ' +
      'A FAILED or REVOKED domain waits for its CNAME again, for 72 hours, unless another organization ' +
      'holds the name by now: 409 DOMAIN_TAKEN.',
    response: { type: CustomDomainResponse, description: 'The domain after the check' },
    errors: ['DOMAIN_TAKEN'],
  })
  verify(@Caller() caller: Caller, @Param() { id }: CustomDomainPath): Promise<CustomDomainResponse> {
    return this.presenter.verify(caller, id);
  }

  @Post(':id/revoke')
  @ApiEndpoint({
    operationId: 'revokeCustomDomain',
    summary: 'Revoke a custom domain',
    description:
      'Its links stop working at once, until it is verified again. A PENDING or FAILED domain is 409 ' +
      'DOMAIN_NOT_VERIFIED; a REVOKED one stays so.',
    response: { type: CustomDomainResponse, description: 'The domain' },
    errors: ['DOMAIN_NOT_VERIFIED'],
  })
  async revoke(@Caller() caller: Caller, @Param() { id }: CustomDomainPath): Promise<CustomDomainResponse> {
    return this.presenter.present(await this.domains.revoke(caller, id));
  }

  @Post(':id/request-deletion')
  @ApiEndpoint({
    operationId: 'requestCustomDomainDeletion',
    summary: 'Request the deletion of a custom domain',
    description:
      'Marks the domain for an administrator to delete; until then it keeps working. Repeating the ' +
      'request has no effect.',
    response: { type: CustomDomainResponse, description: 'The domain' },
  })
  async requestDeletion(
    @Caller() caller: Caller,
    @Param() { id }: CustomDomainPath,
  ): Promise<CustomDomainResponse> {
    return this.presenter.present(await this.domains.requestDeletion(caller, id));
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteCustomDomain',
    summary: 'Delete a custom domain',
    description:
      'A domain with links or campaigns that are neither deleted nor expired is 409 DOMAIN_IN_USE, with ' +
      'their numbers in `links` and `campaigns`. With `force=true` it is deleted anyway: they stay ' +
      'listed under its name but stop working for good, because the name, if added again, is another ' +
      'domain.',
    response: { description: 'Deleted' },
    errors: ['DOMAIN_IN_USE'],
  })
  remove(
    @Caller() caller: Caller,
    @Param() { id }: CustomDomainPath,
    @Query() { force }: DeleteDomainQuery,
  ): Promise<void> {
    return this.domains.remove(caller, id, force);
  }
}
