import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { ApiFailures } from '../../common/errors/api-failures';
import type { ApiRequest } from '../../common/http/api-request';
import { Bodies, MIB } from '../../common/http/body-rules';
import { bodyStream } from '../../common/http/body-stream';
import { Clock } from '../../common/time/clock';
import { LinkExport } from './link-export';
import { LinkImport } from './link-import';
import { ImportLinksResponse } from './links-csv.dto';
import { ExportLinksQuery } from './links.dto';

const CSV = 'text/csv';
const MAX_IMPORT = 100 * MIB;
const EXAMPLE =
  'url,customAlias,title,tags\r\nhttps://shop.example.com/spring,spring,Spring sale,"sale,spring"\r\n';
const csv = { [CSV]: { schema: { type: 'string' }, example: EXAMPLE } };

@ApiTags('Short links')
@Controller('api/v1/service/urls')
@Access({ key: 'service' })
export class LinksCsvController {
  constructor(
    private readonly exports: LinkExport,
    private readonly imports: LinkImport,
    private readonly clock: Clock,
  ) {}

  @Get('export')
  @ApiOperation({
    operationId: 'exportShortUrls',
    summary: 'Export short links as CSV',
    description:
      'All links that the list would show with the same filters, newest first, as they come: RFC 4180, UTF-8, with ' +
      'a header row. Columns have the names of create fields where there are such, so that the file can be ' +
      'imported; `tags` is a line of CSV in a cell, `targeting` and `variants` are JSON; passwords are not in it. A cell ' +
      'that a spreadsheet would take for a formula starts with an apostrophe, which an import takes away.',
  })
  @ApiOkResponse({ content: csv, description: 'The file' })
  @ApiFailures(400)
  async export(
    @Caller() caller: Caller,
    @Query() query: ExportLinksQuery,
    @Res() response: Response,
  ): Promise<void> {
    const chunks = this.exports.run(caller, query);
    // What fails at once is answered like any error: nothing has been sent.
    const first = await chunks.next();
    const day = this.clock.date().toISOString().slice(0, 10);
    response.set({
      'Content-Type': `${CSV}; charset=utf-8; header=present`,
      'Content-Disposition': `attachment; filename="links-${day}.csv"`,
    });
    if (first.done !== true) response.write(first.value);
    await pipeline(Readable.from(chunks, { highWaterMark: 1 }), response);
  }

  @Post('import')
  @HttpCode(200)
  @Bodies({ limit: 5 * MIB, types: [CSV], streamed: MAX_IMPORT })
  @ApiOperation({
    operationId: 'importShortUrls',
    summary: 'Import short links from CSV',
    description:
      'Makes a link of each row by the rules of the single call; a bad row fails alone. The header row names create ' +
      'fields, or columns of an export, whatever their letter case; only `url` must be there, unknown columns are ' +
      'ignored, empty cells are fields that are not given. `tags` is a line of CSV in a cell, `targeting` and `variants` ' +
      'are JSON. At most 20 different passwords. The file may have 100 MiB, and is worked on as it comes, 500 rows ' +
      'a transaction: where it can not be read any further the answer is 400, names the line, and says what the rows ' +
      'before it came to. With an Idempotency-Key it may have 5 MiB, and is imported as a whole or, where it can not ' +
      'be read, not at all.',
  })
  @ApiBody({ required: true, description: 'The file', content: csv } as never)
  @ApiOkResponse({ type: ImportLinksResponse, description: 'What the rows came to' })
  @ApiFailures(400)
  import(@Caller() caller: Caller, @Req() request: ApiRequest): Promise<ImportLinksResponse> {
    return this.imports.run(caller, bodyStream(request, MAX_IMPORT));
  }
}
