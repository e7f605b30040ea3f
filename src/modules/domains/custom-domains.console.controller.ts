import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organizations/organizations.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { PageQuery } from '../../common/pagination/page';
import {
  ConsoleCustomDomainResponse,
  CreateCustomDomainRequest,
  CustomDomainPage,
  DeleteDomainQuery,
  OrganizationDomainPath,
  UpdateCustomDomainRequest,
} from './custom-domains.dto';
import { CustomDomainsService } from './custom-domains.service';
import { DomainRemoval } from './domain-removal';
import { DomainPresenter } from './domain-presenter';

@ApiTags('Console: custom domains')
@Controller('api/v1/console/organizations/:orgId/custom-domains')
@Access({ key: 'console' })
export class CustomDomainsConsoleController {
  constructor(
    private readonly domains: CustomDomainsService,
    private readonly removal: DomainRemoval,
    private readonly presenter: DomainPresenter,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listOrganizationDomains',
    summary: 'List custom domains',
    description: 'Domains in every status, newest first, with what the last checks have found.',
    response: { type: CustomDomainPage, description: 'A page of domains' },
  })
  list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<CustomDomainPage> {
    return this.presenter.listForConsole(caller, query);
  }

  @Post()
  @ApiEndpoint({
    operationId: 'addCustomDomain',
    summary: 'Add a custom domain',
    description:
      'The answer names the CNAME that proves the domain. It is looked for at once, then every ten minutes; after 72 ' +
      'hours without it the domain is FAILED. A sub-domain of the short domain is ACTIVE at once. A domain that any ' +
      'organization holds is 409 DOMAIN_TAKEN.',
    response: { status: 201, type: ConsoleCustomDomainResponse, description: 'The domain' },
    errors: ['DOMAIN_TAKEN'],
  })
  add(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateCustomDomainRequest,
  ): Promise<ConsoleCustomDomainResponse> {
    return this.presenter.create(caller, body.domainName);
  }

  @Patch(':id')
  @ApiEndpoint({
    operationId: 'updateCustomDomain',
    summary: 'Update the fallback redirects of a custom domain',
    description:
      'Only supplied fields change; null clears them. Where one is set, visitors are redirected (302) in place of ' +
      "the domain's page: `rootUrl` for `/`, `notFoundUrl` for a link that does not exist, `expiredUrl` for one " +
      'that has expired or was opened as often as it may be. Changes take effect within a second.',
    response: { type: ConsoleCustomDomainResponse, description: 'The domain as it is now' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: OrganizationDomainPath,
    @Body() body: UpdateCustomDomainRequest,
  ): Promise<ConsoleCustomDomainResponse> {
    return this.presenter.forConsole(await this.domains.update(caller, id, body));
  }

  @Post(':id/verify')
  @ApiEndpoint({
    operationId: 'verifyCustomDomain',
    summary: 'Check a custom domain now',
    description:
      'A FAILED or REVOKED one waits for its CNAME again, for 72 hours, unless another organization has the name by ' +
      'now: 409 DOMAIN_TAKEN.',
    response: { type: ConsoleCustomDomainResponse, description: 'The domain after one check' },
    errors: ['DOMAIN_TAKEN'],
  })
  verify(
    @Caller() caller: Caller,
    @Param() { id }: OrganizationDomainPath,
  ): Promise<ConsoleCustomDomainResponse> {
    return this.presenter.verify(caller, id);
  }

  @Post(':id/revoke')
  @ApiEndpoint({
    operationId: 'revokeCustomDomain',
    summary: 'Revoke a custom domain',
    description:
      'Its links stop answering at once, until it is verified again. One that is PENDING or FAILED is 409 ' +
      'DOMAIN_NOT_VERIFIED; one that is REVOKED stays so.',
    response: { type: ConsoleCustomDomainResponse, description: 'The domain' },
    errors: ['DOMAIN_NOT_VERIFIED'],
  })
  async revoke(
    @Caller() caller: Caller,
    @Param() { id }: OrganizationDomainPath,
  ): Promise<ConsoleCustomDomainResponse> {
    return this.presenter.forConsole(await this.domains.revoke(caller, id));
  }

  @Post(':id/request-deletion')
  @ApiEndpoint({
    operationId: 'requestCustomDomainDeletion',
    summary: 'Request the deletion of a custom domain',
    description:
      'A mark for the administrator who deletes it; the domain goes on. Asking again changes nothing.',
    response: { type: ConsoleCustomDomainResponse, description: 'The domain' },
  })
  async requestDeletion(
    @Caller() caller: Caller,
    @Param() { id }: OrganizationDomainPath,
  ): Promise<ConsoleCustomDomainResponse> {
    return this.presenter.forConsole(await this.domains.requestDeletion(caller, id));
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteCustomDomain',
    summary: 'Delete a custom domain',
    description:
      'A domain with links or campaigns that have neither been deleted nor expired is 409 DOMAIN_IN_USE, with `links` ' +
      'and `campaigns` saying how many. With `force=true` it is deleted nevertheless: they stay in the lists under its ' +
      'name, but answer no more, and never will, as whoever adds the name again has another domain.',
    response: { description: 'Deleted' },
    errors: ['DOMAIN_IN_USE'],
  })
  remove(
    @Caller() caller: Caller,
    @Param() { id }: OrganizationDomainPath,
    @Query() { force }: DeleteDomainQuery,
  ): Promise<void> {
    return this.removal.remove(caller, id, force);
  }
}
