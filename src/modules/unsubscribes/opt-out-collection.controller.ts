import { Body, Get, Post, Query, Req } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ServiceController } from '../../access/service-controller';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { ApiBodyContent, csvContent } from '../../common/http/api-body-content';
import type { ApiRequest } from '../../common/http/api-request';
import { Bodies, CSV_TYPES, MIB } from '../../common/http/body-rules';
import { Page, PageQuery } from '../../common/pagination/page';
import { Config } from '../../config/config';
import {
  CreateOptOutLinkRequest,
  OptOutLinkPage,
  OptOutLinkResponse,
  toOptOutLinkResponse,
} from './opt-out-links/opt-out-links.dto';
import { OptOutLinksService } from './opt-out-links/opt-out-links.service';
import { ImportQuery, ImportRequest, ImportResponse } from './import/unsubscribe-import.dto';
import { MAX_IMPORT, MAX_ROWS, UnsubscribeImport } from './import/unsubscribe-import';

const EXAMPLE = 'value,source,unsubscribedAt\r\n+821012345678,080-123-4567,2026-11-20T08:32:00Z\r\n';

@ServiceController('messaging', 'Unsubscribes')
@Access({ key: 'service', scope: 'unsubscribes' })
export class OptOutCollectionController {
  constructor(
    private readonly imports: UnsubscribeImport,
    private readonly links: OptOutLinksService,
    private readonly config: Config,
  ) {}

  @Post('unsubscribes/import')
  @Bodies({ limit: 5 * MIB, types: ['application/json', ...CSV_TYPES], streamed: MAX_IMPORT })
  @ApiEndpoint({
    operationId: 'importUnsubscribes',
    summary: 'Import opt-outs',
    description:
      'Imports toll-free calls and lists from other systems: up to 1000 items of JSON, or a CSV file of ' +
      `up to ${MAX_ROWS.toLocaleString('en-US')} rows and 1 GiB after decompression, which is imported ` +
      'while it arrives, 1000 rows per transaction. Its header row names `value` (or, by channel, `phone` or `email`), ' +
      'and optionally `source` and `unsubscribedAt`; unused columns are listed in `ignoredColumns`, and a plain list of values needs no header. Cells are ' +
      'separated by commas, semicolons or tabs. Channel, method and source of all rows are in the ' +
      'query. If the file becomes unreadable or has more rows, the response is 400 and reports the line ' +
      'and the results of the rows before it. If the client disconnects, the import stops; what was ' +
      'registered stays.',
    response: { type: ImportResponse, description: 'The results' },
  })
  @ApiExtraModels(ImportRequest)
  @ApiBodyContent('The items, or the file', {
    'application/json': { schema: { $ref: getSchemaPath(ImportRequest) } },
    ...csvContent(EXAMPLE),
  })
  import(
    @Caller() caller: Caller,
    @Query() query: ImportQuery,
    @Req() request: ApiRequest,
  ): Promise<ImportResponse> {
    return this.imports.run(caller, query, request);
  }

  @Get('opt-out-links')
  @ApiEndpoint({
    operationId: 'listOptOutLinks',
    summary: 'List opt-out links',
    description: 'Links to opt-out pages, newest first.',
    response: { type: OptOutLinkPage, description: 'A page of links' },
  })
  async listLinks(@Caller() caller: Caller, @Query() query: PageQuery): Promise<Page<OptOutLinkResponse>> {
    const [links, total] = await this.links.list(caller, query);
    return Page.of(
      links.map((link) => toOptOutLinkResponse(this.config.shortUrlBase, link)),
      total,
      query,
    );
  }

  @Post('opt-out-links')
  @ApiEndpoint({
    operationId: 'createOptOutLink',
    summary: 'Create an opt-out link',
    description:
      'A page on the short domain for opting out: for one person if the link has a value, otherwise for ' +
      'anyone who enters a number or address. Opting out takes the press of a button, and can be undone ' +
      'for ten minutes.',
    response: { status: 201, type: OptOutLinkResponse, description: 'The link' },
  })
  async createLink(
    @Caller() caller: Caller,
    @Body() body: CreateOptOutLinkRequest,
  ): Promise<OptOutLinkResponse> {
    return toOptOutLinkResponse(this.config.shortUrlBase, await this.links.create(caller, body));
  }
}
