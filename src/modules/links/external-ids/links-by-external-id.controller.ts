import { Body, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ExternalIdPath, SavedExternalIdPath } from '../../tracked-links/fields/tracked-link-fields.dto';
import { SaveLinkRequest } from '../links.dto';
import { ShortUrlResponse } from '../short-url.dto';
import { LinksByExternalId } from './links-by-external-id';
import { Editable, row } from '../../../infrastructure/edits/editable.decorator';

@ApiTags('Short links')
@ServiceController('urls/by-external-id/:externalId')
@Access({ key: 'service', scope: 'links' })
export class LinksByExternalIdController {
  constructor(private readonly links: LinksByExternalId) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getShortUrlByExternalId',
    summary: 'Get a short link by external id',
    description: 'The short link with this `externalId`. Percent-encode the id, including slashes (`%2F`).',
    response: { type: ShortUrlResponse, description: 'The short link' },
  })
  get(@Caller() caller: Caller, @Param() { externalId }: ExternalIdPath): Promise<ShortUrlResponse> {
    return this.links.get(caller, externalId);
  }

  @Put()
  @Editable({ lock: row('links', 'externalId', 'external_id') })
  @ApiEndpoint({
    operationId: 'saveShortUrlByExternalId',
    summary: 'Create or update a short link by external id',
    description:
      'Updates the short link with this `externalId` (200), or creates one (201). An update changes the fields that are ' +
      'supplied, as `PUT /urls/{id}` does. The body may repeat the external id of the path, but not contain another one.',
    response: { type: ShortUrlResponse, description: 'The short link was updated' },
    errors: ['LIMIT_REACHED'],
  })
  @ApiCreatedResponse({ type: ShortUrlResponse, description: 'The short link was created' })
  async save(
    @Caller() caller: Caller,
    @Param() { externalId }: SavedExternalIdPath,
    @Body() body: SaveLinkRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShortUrlResponse> {
    const { isNew, saved } = await this.links.save(caller, externalId, body);
    response.status(isNew ? 201 : 200);
    return saved;
  }

  @Delete()
  @ApiEndpoint({
    operationId: 'deleteShortUrlByExternalId',
    summary: 'Delete a short link by external id',
    description: 'As `DELETE /urls/{id}`. The external id is free again.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() { externalId }: ExternalIdPath): Promise<void> {
    return this.links.remove(caller, externalId);
  }
}
