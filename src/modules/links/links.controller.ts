import { Body, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import type { Page } from '../../common/pagination/page';
import {
  InstallStatisticsRequest,
  InstallStatisticsResponse,
} from '../sessions/installs/install-statistics.dto';
import { DateRangeQuery } from '../click-statistics/statistics.dto';
import { QrQuery, QrResponse } from './qr/link-qr.dto';
import { LinkQrService } from './qr/link-qr.service';
import { LinkStatisticsResponse } from './statistics/link-statistics.dto';
import { LinkStatisticsService } from './statistics/link-statistics.service';
import { CreateLinkRequest, LinkPath, ListLinksQuery, UpdateLinkRequest } from './links.dto';
import { LinksService } from './links.service';
import { ShortUrlPage, ShortUrlResponse } from './short-url.dto';
import { Editable, row } from '../../infrastructure/edits/editable.decorator';

@ApiTags('Short links')
@ServiceController('urls')
@Access({ key: 'service', scope: 'links' })
export class LinksController {
  constructor(
    private readonly links: LinksService,
    private readonly statistics: LinkStatisticsService,
    private readonly qr: LinkQrService,
  ) {}

  @Post()
  @ApiEndpoint({
    operationId: 'createShortUrl',
    summary: 'Create a short link',
    description:
      'Creates a short link on the default domain or a custom one, with a random code or an alias of your choice. With ' +
      '`findIfExists`, a link that has the same destination and settings is returned instead.',
    response: { status: 201, type: ShortUrlResponse, description: 'The short link was created' },
    errors: ['LIMIT_REACHED'],
  })
  @ApiOkResponse({ type: ShortUrlResponse, description: 'The short link existed, with `findIfExists`' })
  async create(
    @Caller() caller: Caller,
    @Body() body: CreateLinkRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShortUrlResponse> {
    if (!body.findIfExists) return this.links.create(caller, body);
    const { isNew, link } = await this.links.findOrCreate(caller, body);
    response.status(isNew ? 201 : 200);
    return link;
  }

  @Get()
  @ApiEndpoint({
    operationId: 'listShortUrls',
    summary: 'List short links',
    description: "A page of the organization's short links, newest first unless sorted otherwise.",
    response: { type: ShortUrlPage, description: 'A page of short links' },
  })
  list(@Caller() caller: Caller, @Query() query: ListLinksQuery): Promise<Page<ShortUrlResponse>> {
    return this.links.list(caller, query);
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getShortUrl',
    summary: 'Get a short link',
    description: 'Returns one short link with its click count.',
    response: { type: ShortUrlResponse, description: 'The short link' },
  })
  get(@Caller() caller: Caller, @Param() path: LinkPath): Promise<ShortUrlResponse> {
    return this.links.get(caller, path.id);
  }

  @Put(':id')
  @Editable({ lock: row('links') })
  @ApiEndpoint({
    operationId: 'updateShortUrl',
    summary: 'Update a short link',
    description:
      'Only supplied fields change; null clears an optional field. A new alias replaces the code, which goes on leading ' +
      'there unless `releaseOld` is true. The domain cannot be changed: a different one is 400. Read-only fields are ' +
      'ignored, so an object can be sent back as returned.',
    response: { type: ShortUrlResponse, description: 'The updated short link' },
  })
  update(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Body() body: UpdateLinkRequest,
  ): Promise<ShortUrlResponse> {
    return this.links.update(caller, path.id, body);
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'deleteShortUrl',
    summary: 'Delete a short link',
    description: 'The link stops working within a second. Its code is never given to another organization.',
    response: { description: 'Deleted' },
  })
  remove(@Caller() caller: Caller, @Param() path: LinkPath): Promise<void> {
    return this.links.remove(caller, path.id);
  }

  @Get(':id/stats')
  @Access({ key: 'service', scope: 'analytics:read' })
  @ApiEndpoint({
    operationId: 'getShortUrlStatistics',
    summary: 'Get the statistics of a short link',
    description: "Returns clicks by people over a range of days, limited to the plan's data retention.",
    response: { type: LinkStatisticsResponse, description: 'The statistics' },
  })
  stats(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Query() query: DateRangeQuery,
  ): Promise<LinkStatisticsResponse> {
    return this.statistics.clicksOf(caller, path.id, query);
  }

  @Get(':id/qr')
  @ApiEndpoint({
    operationId: 'getShortUrlQrCode',
    summary: 'Get the QR code of a short link',
    description: 'Returns a QR code of the complete URL with error correction level M, as PNG or SVG.',
    response: { type: QrResponse, description: 'The image and the URL that it encodes' },
  })
  drawQr(@Caller() caller: Caller, @Param() path: LinkPath, @Query() query: QrQuery): Promise<QrResponse> {
    return this.qr.draw(caller, path.id, query);
  }

  @Get(':id/app-install-stats')
  @Access({ key: 'service', scope: 'analytics:read' })
  @ApiEndpoint({
    operationId: 'getShortUrlInstallStatistics',
    summary: 'Get the install statistics of a short link',
    description: 'Returns app installs, re-engagements and the funnel of a short link over a range of days.',
    response: { type: InstallStatisticsResponse, description: 'The statistics' },
  })
  installStats(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Query() query: InstallStatisticsRequest,
  ): Promise<InstallStatisticsResponse> {
    return this.statistics.installsOf(caller, path.id, query);
  }
}
