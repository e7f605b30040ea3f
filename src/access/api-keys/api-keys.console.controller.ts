import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import {
  ApiKeyPage,
  ApiKeyPath,
  ApiKeyResponse,
  CreateApiKeyRequest,
  NewApiKeyResponse,
  RegenerateApiKeyRequest,
  toApiKeyResponse,
  toNewApiKeyResponse,
  UpdateApiKeyRequest,
} from './api-keys.dto';
import { ApiKeysService } from './api-keys.service';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'ADMIN' })
@ConsoleController('api-keys', 'Console: API keys')
export class ApiKeysConsoleController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

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
    return Page.of(
      rows.map((row) => toApiKeyResponse(row, this.clock.now())),
      total,
      query,
    );
  }

  @Post()
  @ApiEndpoint({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The key is only shown in this response. 404 if the organization has no such user. It ' +
      'cannot act as a user who has permissions that the caller lacks.',
    response: { status: 201, type: NewApiKeyResponse, description: 'The key' },
    errors: ['PERMISSION_DENIED'],
  })
  async create(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    return toNewApiKeyResponse(await this.keys.create(caller, body), this.clock.now());
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getApiKey',
    summary: 'Get an API key',
    description: 'Without the secret part.',
    response: { type: ApiKeyResponse, description: 'The key' },
  })
  async get(@Caller() caller: Caller, @Param() { id }: ApiKeyPath): Promise<ApiKeyResponse> {
    return toApiKeyResponse(await this.keys.get(caller, id), this.clock.now());
  }

  @Post(':id/regenerate')
  @ApiEndpoint({
    operationId: 'regenerateApiKey',
    summary: 'Replace an API key',
    description:
      'Id, name, user, scopes and expiry stay. The old key stops working at once, or after ' +
      '`overlapHours`; an older one stops at once. The new key is only shown in this response.',
    response: { status: 201, type: NewApiKeyResponse, description: 'The key' },
    errors: ['PERMISSION_DENIED'],
  })
  async regenerate(
    @Caller() caller: Caller,
    @Param() { id }: ApiKeyPath,
    @Body() body: RegenerateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    return toNewApiKeyResponse(await this.keys.regenerate(caller, id, body), this.clock.now());
  }

  @Patch(':id')
  @Editable({ lock: row('api_keys') })
  @ApiEndpoint({
    operationId: 'updateApiKey',
    summary: 'Change an API key',
    description:
      'Only supplied fields change, on every process within a second; `expiresAt: null` clears it. The key ' +
      'itself stays.',
    response: { type: ApiKeyResponse, description: 'The key' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: ApiKeyPath,
    @Body() body: UpdateApiKeyRequest,
  ): Promise<ApiKeyResponse> {
    return toApiKeyResponse(await this.keys.update(caller, id, body), this.clock.now());
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'The key stops working at once, and so does its predecessor.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() { id }: ApiKeyPath): Promise<void> {
    return this.keys.remove(caller, id);
  }
}
