import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiFailures } from '../../common/errors/api-failures';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller, Requester } from '../caller';
import {
  CreateOrganizationRequest,
  OrganizationPage,
  OrganizationPath,
  OrganizationResponse,
  toOrganizationResponse,
  UpdateOrganizationRequest,
} from './organizations.dto';
import { OrganizationsService } from './organizations.service';

@ApiTags('Console: organizations')
@Controller('api/v1/console/organizations')
export class OrganizationsConsoleController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Access({ key: 'console', only: 'platform' })
  @ApiOperation({
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: 'Every organization, newest first. Platform token only.',
  })
  @ApiOkResponse({ type: OrganizationPage, description: 'A page of organizations' })
  @ApiFailures(400)
  async list(@Query() query: PageQuery): Promise<OrganizationPage> {
    const [rows, total] = await this.organizations.list(query);
    return Page.of(rows.map(toOrganizationResponse), total, query);
  }

  @Post()
  @Access({ key: 'console', only: 'platform' })
  @ApiOperation({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description: 'Makes an organization without users, keys or add-ons. Platform token only.',
  })
  @ApiCreatedResponse({ type: OrganizationResponse, description: 'The organization' })
  @ApiFailures(400)
  async create(
    @Requester() requester: Requester,
    @Body() body: CreateOrganizationRequest,
  ): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.create(requester, body));
  }

  @Get(':orgId')
  @Access({ key: 'console' })
  @ApiOperation({
    operationId: 'getOrganization',
    summary: 'Get an organization',
    description: 'The settings of one organization.',
  })
  @ApiOkResponse({ type: OrganizationResponse, description: 'The organization' })
  @ApiFailures(400, 404)
  async get(@Caller() caller: Caller, @Param() _path: OrganizationPath): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.get(caller));
  }

  @Patch(':orgId')
  @Access({ key: 'console' })
  @ApiOperation({
    operationId: 'updateOrganization',
    summary: 'Update an organization',
    description:
      'Only supplied fields change; null clears brandName, logoUrl and brandColor. With a user token: name, ' +
      'timeZone, baseCurrency, defaultRegion and the brand; plan, rates and limits need the platform token.',
  })
  @ApiOkResponse({ type: OrganizationResponse, description: 'The organization as it is now' })
  @ApiFailures(400, 404)
  async update(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: UpdateOrganizationRequest,
  ): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.update(caller, body));
  }

  @Delete(':orgId')
  @HttpCode(204)
  @Access({ key: 'console', only: 'platform' })
  @ApiOperation({
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'Its keys and console tokens stop at once, its links and campaigns answer 410, its custom domains get no more ' +
      'certificates, its apps leave the association files, and its webhooks end; its data is kept. Platform token only.',
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiFailures(400, 404)
  remove(@Caller() caller: Caller, @Param() _path: OrganizationPath): Promise<void> {
    return this.organizations.remove(caller);
  }
}
