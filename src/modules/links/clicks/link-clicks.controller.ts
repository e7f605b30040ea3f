import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ClickExport } from '../../click-statistics/click-log/click-export';
import { ClickLog } from '../../click-statistics/click-log/click-log';
import {
  ClickListResponse,
  EXPORT_CONTENT,
  EXPORT_DESCRIPTION,
  ExportClicksQuery,
  LIST_DESCRIPTION,
  ListClicksQuery,
} from '../../click-statistics/click-log/click-log.dto';
import { LinkPath } from '../links.dto';
import { LinksRepository } from '../links.repository';

@ApiTags('Short links')
@ServiceController('urls/:id/clicks')
@Access({ key: 'service', scope: 'analytics:read' })
export class LinkClicksController {
  constructor(
    private readonly links: LinksRepository,
    private readonly log: ClickLog,
    private readonly exports: ClickExport,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listShortUrlClicks',
    summary: 'List the clicks of a short link',
    description: LIST_DESCRIPTION,
    response: { type: ClickListResponse, description: 'A page of clicks' },
    errors: ['INVALID_CURSOR'],
  })
  async list(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Query() query: ListClicksQuery,
  ): Promise<ClickListResponse> {
    const { id } = await this.links.get(caller.organizationId, path.id);
    return this.log.list(caller, { kind: 'link', id }, query);
  }

  @Get('export')
  @ApiEndpoint({
    operationId: 'exportShortUrlClicks',
    summary: 'Export the clicks of a short link',
    description: EXPORT_DESCRIPTION,
    response: { content: EXPORT_CONTENT, description: 'The file' },
  })
  async export(
    @Caller() caller: Caller,
    @Param() path: LinkPath,
    @Query() query: ExportClicksQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.links.get(caller.organizationId, path.id);
    await this.exports.send(caller, { kind: 'link', id }, query, response);
  }
}
