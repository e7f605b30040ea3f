import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organizations/organizations.dto';
import {
  ApiKeyPage,
  ApiKeyPath,
  CreateApiKeyRequest,
  NewApiKeyResponse,
  toApiKeyResponse,
  toNewApiKeyResponse,
} from './api-keys.dto';
import { ApiKeysService } from './api-keys.service';

@ApiTags('Console: API keys')
@Access({ key: 'console', role: 'ADMIN' })
@Controller('api/v1/console/organizations/:organizationId/api-keys')
export class ApiKeysConsoleController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: "The organization's API keys, newest first, without the secret part.",
    response: { type: ApiKeyPage, description: 'A page of API keys' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<ApiKeyPage> {
    const [rows, total] = await this.keys.list(caller, query);
    return Page.of(rows.map(toApiKeyResponse), total, query);
  }

  @Post()
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The key is only shown in this response. 404 if the organization has no such user. A key that ' +
      'acts as another user requires a user with every permission, or the platform token.',
    response: { status: 201, type: NewApiKeyResponse, description: 'The key' },
  })
  async create(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    return toNewApiKeyResponse(await this.keys.create(caller, body));
  }

  @Post(':id/regenerate')
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'regenerateApiKey',
    summary: 'Replace an API key',
    description:
      'Id, name and user stay; the old key stops working at once. The new key is only shown in this ' +
      'response. Replacing the key of another user requires a user with every permission, or the ' +
      'platform token.',
    response: { status: 201, type: NewApiKeyResponse, description: 'The key' },
  })
  async regenerate(@Caller() caller: Caller, @Param() { id }: ApiKeyPath): Promise<NewApiKeyResponse> {
    return toNewApiKeyResponse(await this.keys.regenerate(caller, id));
  }

  @Delete(':id')
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description:
      'The key stops working at once. Deleting the key of another user requires a user with every ' +
      'permission, or the platform token.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() { id }: ApiKeyPath): Promise<void> {
    return this.keys.remove(caller, id);
  }
}
