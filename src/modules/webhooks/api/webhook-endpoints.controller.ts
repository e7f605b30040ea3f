import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiBodyExample } from '../../../common/http/api-body-content';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { Page, PageQuery } from '../../../common/pagination/page';
import {
  CreateWebhookRequest,
  EVENTS,
  UpdateWebhookRequest,
  URL_TEXT,
  WebhookPage,
  WebhookPath,
  WebhookResponse,
  WebhookWithSecretResponse,
} from './webhook-endpoints.dto';
import { WebhookEndpointPresenter } from './webhook-endpoint-presenter';
import { WebhookEndpointsService } from './webhook-endpoints.service';
import { Editable, row } from '../../../infrastructure/edits/editable.decorator';

@Access({ key: 'service', scope: 'webhooks' })
@ServiceController('webhooks', 'Webhooks')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly presenter: WebhookEndpointPresenter,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    description:
      'Newest first, each with its state, its last error, and the deliveries of the last 24 hours.',
    response: { type: WebhookPage, description: 'A page of endpoints' },
  })
  async list(@Caller() caller: Caller, @Query() query: PageQuery): Promise<WebhookPage> {
    const [rows, total] = await this.endpoints.list(caller, query);
    return Page.of(await this.presenter.list(caller.organizationId, rows), total, query);
  }

  @Post()
  @ApiBodyExample({ url: URL_TEXT.example, events: EVENTS.example })
  @ApiEndpoint({
    operationId: 'createWebhook',
    summary: 'Add a webhook endpoint',
    description:
      'Events from now on are posted to the endpoint, or pulled from it, signed with the secret in this response. One more endpoint ' +
      'than the limit of the organization is 403 LIMIT_REACHED.',
    response: { status: 201, type: WebhookWithSecretResponse, description: 'The endpoint, with its secret' },
    errors: ['LIMIT_REACHED'],
  })
  async create(
    @Caller() caller: Caller,
    @Body() body: CreateWebhookRequest,
  ): Promise<WebhookWithSecretResponse> {
    return this.presenter.withSecret(await this.endpoints.create(caller, body));
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getWebhook',
    summary: 'Get a webhook endpoint',
    description: 'The endpoint with its state, its last error, and any rotation or replay in progress.',
    response: { type: WebhookResponse, description: 'The endpoint' },
  })
  async get(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<WebhookResponse> {
    return this.presenter.of(await this.endpoints.get(caller, id));
  }

  @Patch(':id')
  @Editable({ lock: row('webhook_endpoints') })
  @ApiEndpoint({
    operationId: 'updateWebhook',
    summary: 'Update a webhook endpoint',
    description:
      'Only the fields supplied change. Due deliveries go to a new URL. `promote` ends the 24 hours after a rotation in ' +
      'which the replaced secret still signs.',
    response: { type: WebhookResponse, description: 'The endpoint' },
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: WebhookPath,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return this.presenter.of(await this.endpoints.update(caller, id, body));
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    description: 'Pending deliveries are not attempted again, and the log is deleted.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<void> {
    return this.endpoints.remove(caller, id);
  }

  @Post(':id/rotate-secret')
  @ApiEndpoint({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'For 24 hours, or until PATCH `{promote: true}`, `X-Signature-256` still uses the replaced secret, and ' +
      '`webhook-signature` contains a signature with each secret.',
    response: { type: WebhookWithSecretResponse, description: 'The endpoint, with its new secret' },
  })
  async rotate(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<WebhookWithSecretResponse> {
    return this.presenter.withSecret(await this.endpoints.rotateSecret(caller, id));
  }
}
