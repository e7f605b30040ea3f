import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { OrganizationPath } from '../../../access/organizations/organizations.dto';
import { ApiFailures } from '../../../common/errors/api-failures';
import { Page, PageQuery } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import {
  CreateWebhookRequest,
  toWebhookResponse,
  UpdateWebhookRequest,
  WebhookPage,
  WebhookPath,
  WebhookResponse,
  WebhookWithSecretResponse,
  withSecret,
} from './webhook-endpoints.dto';
import { WebhookEndpointsService } from './webhook-endpoints.service';

@ApiTags('Console: webhooks')
@Access({ key: 'console' })
@Controller('api/v1/console/organizations/:orgId/webhooks')
export class WebhookEndpointsConsoleController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first, each with its state and its last error.',
  })
  @ApiOkResponse({ type: WebhookPage, description: 'A page of endpoints' })
  @ApiFailures(400, 404)
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<WebhookPage> {
    const [rows, total] = await this.endpoints.list(caller, query);
    const now = this.clock.now();
    return Page.of(
      rows.map((row) => toWebhookResponse(row, now)),
      total,
      query,
    );
  }

  @Post()
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Add a webhook endpoint',
    description:
      'Events from now on are posted to it, signed with the secret of this answer. An organization has at most 50: ' +
      'one more is 409 TOO_MANY_WEBHOOKS.',
  })
  @ApiCreatedResponse({ type: WebhookWithSecretResponse, description: 'The endpoint, with its secret' })
  @ApiFailures(400, 404, 'TOO_MANY_WEBHOOKS')
  async create(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateWebhookRequest,
  ): Promise<WebhookWithSecretResponse> {
    return withSecret(await this.endpoints.create(caller, body), this.clock.now());
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get a webhook endpoint',
    description: 'Its state, its last error, and whether a rotation or a replay is under way.',
  })
  @ApiOkResponse({ type: WebhookResponse, description: 'The endpoint' })
  @ApiFailures(400, 404)
  async get(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<WebhookResponse> {
    return toWebhookResponse(await this.endpoints.get(caller, id), this.clock.now());
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Update a webhook endpoint',
    description:
      'Fields that are not sent stay. What is due goes to the new URL. `promote` ends the 24 hours after a rotation ' +
      'in which the replaced secret signs too.',
  })
  @ApiOkResponse({ type: WebhookResponse, description: 'The endpoint' })
  @ApiFailures(400, 404)
  async update(
    @Caller() caller: Caller,
    @Param() { id }: WebhookPath,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return toWebhookResponse(await this.endpoints.update(caller, id, body), this.clock.now());
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    description: 'What is on its way is not attempted again, and the log goes with it.',
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiFailures(400, 404)
  remove(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<void> {
    return this.endpoints.remove(caller, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'For 24 hours, or until PATCH `{promote: true}`, `X-Signature-256` keeps the replaced secret, and ' +
      '`webhook-signature` carries a signature under each.',
  })
  @ApiOkResponse({ type: WebhookWithSecretResponse, description: 'The endpoint, with its new secret' })
  @ApiFailures(400, 404)
  async rotate(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<WebhookWithSecretResponse> {
    return withSecret(await this.endpoints.rotateSecret(caller, id), this.clock.now());
  }
}
