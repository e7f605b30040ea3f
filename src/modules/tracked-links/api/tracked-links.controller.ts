import { Body, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ParameterTypes } from '../../../common/http/parameter-types';
import type { Page, PageQuery } from '../../../common/pagination/page';
import { PathId } from '../../../common/validation/atoms';
import { Editable, row } from '../../../infrastructure/edits/editable.decorator';
import { saveByExternalId } from '../external-ids';
import { ExternalIdPath, SavedExternalIdPath } from '../fields/tracked-link-fields.dto';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import type { TrackedLinkFilters } from '../list/tracked-link-list.dto';
import { QrQuery, QrResponse } from '../qr/qr.dto';
import { QrService } from '../qr/qr.service';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from '../tracked-link.entity';
import type { DraftRequest } from '../tracked-link-drafts';
import type { TrackedLinksService } from '../tracked-links.service';
import type { Face } from './face';

/** Creates the base class of the controller of one kind, for single links or campaigns; subclasses declare the path. */
export function trackedLinksController<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
  face: Face,
) {
  const { operation, noun, path, types } = face;
  const table = TRACKED_LINK_TABLES[face.kind];

  class TrackedLinkPath {
    @PathId({ description: `Id of the ${noun}` })
    id!: number;
  }

  @Access({ key: 'service', scope: face.kind === 'link' ? 'links' : 'campaigns' })
  abstract class TrackedLinksController {
    abstract readonly service: TrackedLinksService<T, R>;

    constructor(readonly qr: QrService) {}

    @Get('by-external-id/:externalId')
    @ApiEndpoint({
      operationId: `get${operation}ByExternalId`,
      summary: `Get a ${noun} by external id`,
      description: `The ${noun} with this \`externalId\`. Percent-encode the id, including slashes (\`%2F\`).`,
      response: { type: types.response, description: `The ${noun}` },
    })
    async getByExternalId(@Caller() caller: Caller, @Param() { externalId }: ExternalIdPath): Promise<R> {
      return this.service.get(caller, await this.idOf(caller, externalId));
    }

    @Put('by-external-id/:externalId')
    @Editable({ lock: row(table, 'externalId', 'external_id') })
    @ApiEndpoint({
      operationId: `save${operation}ByExternalId`,
      summary: `Create or update a ${noun} by external id`,
      description:
        `Updates the ${noun} with this \`externalId\` (200), or creates one (201). An update changes the supplied fields ` +
        `only, as \`PUT /${path}/{id}\` does. The body may repeat the external id of the path, but not contain ` +
        'another one.',
      response: { type: types.response, description: `The ${noun} was updated` },
      errors: ['LIMIT_REACHED'],
    })
    @ApiCreatedResponse({ type: types.response, description: `The ${noun} was created` })
    @ParameterTypes({ 2: types.save })
    async saveByExternalId(
      @Caller() caller: Caller,
      @Param() { externalId }: SavedExternalIdPath,
      @Body() body: DraftRequest,
      @Res({ passthrough: true }) response: Response,
    ): Promise<R> {
      const { isNew, saved } = await saveByExternalId(this.service, caller, externalId, body);
      response.status(isNew ? 201 : 200);
      return saved;
    }

    @Delete('by-external-id/:externalId')
    @ApiEndpoint({
      operationId: `delete${operation}ByExternalId`,
      summary: `Delete a ${noun} by external id`,
      description: `As \`DELETE /${path}/{id}\`. The external id is free again.`,
      response: { description: 'Deleted' },
    })
    async removeByExternalId(
      @Caller() caller: Caller,
      @Param() { externalId }: ExternalIdPath,
    ): Promise<void> {
      await this.service.remove(caller, await this.idOf(caller, externalId));
    }

    @Post()
    @ApiEndpoint({
      operationId: `create${operation}`,
      summary: `Create a ${noun}`,
      description: `${face.created} With \`findIfExists\`, one that has the same destination and settings is returned instead.`,
      response: { status: 201, type: types.response, description: `The ${noun} was created` },
      errors: ['LIMIT_REACHED'],
    })
    @ApiOkResponse({ type: types.response, description: `The ${noun} existed, with \`findIfExists\`` })
    @ParameterTypes({ 1: types.create })
    async create(
      @Caller() caller: Caller,
      @Body() body: DraftRequest,
      @Res({ passthrough: true }) response: Response,
    ): Promise<R> {
      if (!body.findIfExists) return this.service.create(caller, body);
      const { isNew, shown } = await this.service.findOrCreate(caller, body);
      response.status(isNew ? 201 : 200);
      return shown;
    }

    @Get()
    @ApiEndpoint({
      operationId: `list${operation}s`,
      summary: `List ${noun}s`,
      description: `A page of the organization's ${noun}s, newest first unless sorted otherwise.`,
      response: { type: types.page, description: `A page of ${noun}s` },
    })
    @ParameterTypes({ 1: types.list })
    list(@Caller() caller: Caller, @Query() query: TrackedLinkFilters & PageQuery): Promise<Page<R>> {
      return this.service.list(caller, query);
    }

    @Get(':id')
    @ApiEndpoint({
      operationId: `get${operation}`,
      summary: `Get a ${noun}`,
      description: `Returns one ${noun} with its click count.`,
      response: { type: types.response, description: `The ${noun}` },
    })
    get(@Caller() caller: Caller, @Param() { id }: TrackedLinkPath): Promise<R> {
      return this.service.get(caller, id);
    }

    @Put(':id')
    @Editable({ lock: row(table) })
    @ApiEndpoint({
      operationId: `update${operation}`,
      summary: `Update a ${noun}`,
      description:
        'Only supplied fields change; null clears an optional field. A new alias replaces the code, which goes on leading ' +
        'there unless `releaseOld` is true. The domain cannot be changed: a different one is 400. Read-only fields are ' +
        'ignored, so an object can be sent back as returned.',
      response: { type: types.response, description: `The updated ${noun}` },
    })
    @ParameterTypes({ 2: types.update })
    update(
      @Caller() caller: Caller,
      @Param() { id }: TrackedLinkPath,
      @Body() body: DraftRequest,
    ): Promise<R> {
      return this.service.update(caller, id, body);
    }

    @Delete(':id')
    @ApiEndpoint({
      operationId: `delete${operation}`,
      summary: `Delete a ${noun}`,
      description: 'It stops working within a second. Its code is never given to another organization.',
      response: { description: 'Deleted' },
    })
    remove(@Caller() caller: Caller, @Param() { id }: TrackedLinkPath): Promise<void> {
      return this.service.remove(caller, id);
    }

    @Get(':id/qr')
    @ApiEndpoint({
      operationId: `get${operation}QrCode`,
      summary: `Get the QR code of a ${noun}`,
      description:
        'Returns a QR code of the complete URL as PNG or SVG, with error correction level M, or H with a logo. Presets and ' +
        'the logo are those of `qr-settings`.',
      response: { type: QrResponse, description: 'The image and the URL that it encodes' },
    })
    drawQr(
      @Caller() caller: Caller,
      @Param() { id }: TrackedLinkPath,
      @Query() query: QrQuery,
    ): Promise<QrResponse> {
      return this.qr.draw(this.service.rows, caller, id, query);
    }

    /** @throws NotFound */
    async idOf({ organizationId }: Caller, externalId: string): Promise<number> {
      return (await this.service.rows.getByExternalId(organizationId, externalId)).id;
    }
  }
  return TrackedLinksController;
}
