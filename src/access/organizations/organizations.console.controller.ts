import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller, Requester } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import {
  CreateOrganizationRequest,
  OrganizationPage,
  OrganizationResponse,
  toOrganizationResponse,
  UpdateOrganizationRequest,
} from './organizations.dto';
import { OrganizationsService } from './organizations.service';
import { lockOrganization } from '../../infrastructure/database/organization-lock';
import { Editable } from '../../infrastructure/edits/editable.decorator';

@ApiTags('Console: organizations')
@Controller('api/v1/console/organizations')
export class OrganizationsConsoleController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: 'Every organization, newest first. Platform token only.',
    response: { type: OrganizationPage, description: 'A page of organizations' },
  })
  async list(@Query() query: PageQuery): Promise<OrganizationPage> {
    const [rows, total] = await this.organizations.list(query);
    return Page.of(rows.map(toOrganizationResponse), total, query);
  }

  @Post()
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description: 'Creates an organization without users, keys or add-ons. Platform token only.',
    response: { status: 201, type: OrganizationResponse, description: 'The organization' },
  })
  async create(
    @Requester() requester: Requester,
    @Body() body: CreateOrganizationRequest,
  ): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.create(requester, body));
  }

  @Get(':organizationId')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'getOrganization',
    summary: 'Get an organization',
    description: 'The settings of an organization.',
    response: { type: OrganizationResponse, description: 'The organization' },
  })
  async get(@Caller() caller: Caller, @Param() _path: OrganizationPath): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.get(caller));
  }

  @Patch(':organizationId')
  @Editable({ lock: (tx, { values }) => lockOrganization(tx, 'organization', Number(values.organizationId)) })
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'updateOrganization',
    summary: 'Update an organization',
    description:
      'Only supplied fields change; null clears brandName, logoUrl and brandColor. A user token can ' +
      'change name, timeZone, baseCurrency, defaultRegion and the brand; plan, rates and limits require ' +
      'the platform token.',
    response: { type: OrganizationResponse, description: 'The updated organization' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: UpdateOrganizationRequest,
  ): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.update(caller, body));
  }

  @Delete(':organizationId')
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'Its keys and console tokens stop working at once, its links and campaigns return 410, its custom ' +
      'domains get no more certificates, its apps leave the association files, and its webhooks end; ' +
      'its data is kept. Platform token only.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() _path: OrganizationPath): Promise<void> {
    return this.organizations.remove(caller);
  }
}
