import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ApiBodyContent, csvContent } from '../../../common/http/api-body-content';
import type { ApiRequest } from '../../../common/http/api-request';
import { Bodies, CSV_TYPES, MIB } from '../../../common/http/body-rules';
import { bodyStream } from '../../../common/http/body-stream';
import { Clock } from '../../../common/time/clock';
import { LinkExport } from './link-export';
import { LinkImport, MAX_ROWS } from './link-import';
import { ImportLinksQuery, ImportLinksResponse } from './links-csv.dto';
import { ExportLinksQuery } from '../links.dto';

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
  @ApiEndpoint({
    operationId: 'exportShortUrls',
    summary: 'Export short links as CSV',
    description:
      'All links that the list would show with the same filters, newest first, as they come: RFC 4180, UTF-8, with ' +
      'a header row. The file is a backup: an import makes the same links of it, generated codes included (`code`), ' +
      'but for passwords, which are not in it. `tags` is a line of CSV in a cell, `targeting` and `variants` are ' +
      'JSON. A cell that a spreadsheet would take for a formula starts with an apostrophe, which an import takes away.',
    response: { content: csv, description: 'The file' },
  })
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
  @Bodies({ limit: 5 * MIB, types: CSV_TYPES, streamed: MAX_IMPORT })
  @ApiEndpoint({
    operationId: 'importShortUrls',
    summary: 'Import short links from CSV',
    description:
      'Creates a link of each row by the rules of the single call; a bad row fails alone. The header row names create ' +
      'fields, columns of an export, or columns of the exports of YOURLS, Dub, Short.io, Bitly, Kutt and Rebrandly ' +
      '(`long_url`, `target`, `keyword`, `slug`, …); letter case, spaces and underscores do not count. Only `url` must ' +
      'be there; columns that are not used are in `ignoredColumns`, empty cells are fields that are not given. Commas, ' +
      'semicolons or tabs separate cells. An alias or code that a row names is the one that the link gets, or the row ' +
      'fails; `code` keeps a generated code of an export while it is free. With `createdAt` links may have expired. ' +
      'A row whose `hasPassword` is true needs a `password`. `tags` is a line of CSV in a cell, `targeting` and ' +
      '`variants` are JSON. At most 20 different passwords.\n\n' +
      `The file may have ${MAX_ROWS.toLocaleString('en-US')} rows and 100 MiB after decompression. It is worked on as ` +
      'it comes, 500 rows a transaction: where it can not be read any further, or has more rows, the answer is 400, ' +
      'names the line, and says what the rows before it came to. The import ends when the client leaves; what was ' +
      'made stays. Rows beyond the links that the plan includes fail with LIMIT_REACHED; where it includes no more at ' +
      'all, so does the call. With an Idempotency-Key the file may have 5 MiB, and is imported as a whole, though the ' +
      'client leaves, or, where it can not be read, not at all.',
    response: { type: ImportLinksResponse, description: 'What the rows came to' },
    errors: ['LIMIT_REACHED'],
  })
  @ApiBodyContent('The file', csvContent(EXAMPLE))
  import(
    @Caller() caller: Caller,
    @Query() { dryRun = false }: ImportLinksQuery,
    @Req() request: ApiRequest,
  ): Promise<ImportLinksResponse> {
    return this.imports.run(caller, bodyStream(request, MAX_IMPORT), dryRun);
  }
}
