import { Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ApiBodyContent, csvContent } from '../../../common/http/api-body-content';
import type { ApiRequest } from '../../../common/http/api-request';
import { Bodies, CSV_TYPES, MIB } from '../../../common/http/body-rules';
import { bodyStream } from '../../../common/http/body-stream';
import { sendChunks } from '../../../common/http/send-chunks';
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
@ServiceController('urls')
@Access({ key: 'service', scope: 'links' })
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
      'Streams all links that the list returns for the same filters, in the same order, as RFC 4180 CSV in UTF-8 with a ' +
      'header row. With `archived=all` the file is a backup: importing it restores the links, including generated ' +
      'codes (`code`) but not passwords, which it does not contain, nor `formerAliases`. `tags` and `formerAliases` are ' +
      'lines of CSV in a cell; `targeting` and `variants` are JSON. A cell that a spreadsheet would interpret as a formula starts with an ' +
      'apostrophe, which an import removes.',
    response: { content: csv, description: 'The file' },
  })
  async export(
    @Caller() caller: Caller,
    @Query() query: ExportLinksQuery,
    @Res() response: Response,
  ): Promise<void> {
    const day = this.clock.date().toISOString().slice(0, 10);
    await sendChunks(response, this.exports.run(caller, query), {
      'Content-Type': `${CSV}; charset=utf-8; header=present`,
      'Content-Disposition': `attachment; filename="links-${day}.csv"`,
    });
  }

  @Post('import')
  @Bodies({ limit: 5 * MIB, types: CSV_TYPES, streamed: MAX_IMPORT })
  @ApiEndpoint({
    operationId: 'importShortUrls',
    summary: 'Import short links from CSV',
    description:
      'Creates a link from each row by the rules of the single call; invalid rows fail individually. The header row ' +
      'may use the field names of `POST /urls`, the columns of an export, or the columns of exports from YOURLS, Dub, ' +
      'Short.io, Bitly, Kutt, Rebrandly and Shlink (`long_url`, `target`, `keyword`, `slug`, …), ignoring letter case, spaces ' +
      'and underscores. Only `url` is required; unused columns are listed in `ignoredColumns`, and empty cells count ' +
      'as omitted fields. Cells are separated by commas, semicolons or tabs. A link gets exactly the alias or code of ' +
      'its row, or the row fails; `code` restores a generated code of an export if it is free. Rows with `createdAt` ' +
      'may have expired. A row whose `hasPassword` is true requires a `password`. `tags` is a line of CSV or a JSON array in a cell; ' +
      '`targeting` and `variants` are JSON. A file may use at most 20 different passwords.\n\n' +
      `The file may have ${MAX_ROWS.toLocaleString('en-US')} rows, and 100 MiB after decompression. It is imported as ` +
      'it arrives, in transactions of 500 rows. If a line is malformed or exceeds the row limit, the status is 400, ' +
      'and the error names the line and the result of the rows before it. If the client disconnects, the import stops ' +
      "and keeps the links created so far. Rows beyond the plan's limit fail with LIMIT_REACHED; if the limit is " +
      'reached already, so does the call. With an Idempotency-Key, the file may have 5 MiB, is imported even if the ' +
      'client disconnects, and is rolled back as a whole if it is malformed.',
    response: { type: ImportLinksResponse, description: 'The result of the import' },
    errors: ['LIMIT_REACHED'],
  })
  @ApiBodyContent('The file', csvContent(EXAMPLE))
  import(
    @Caller() caller: Caller,
    @Query() query: ImportLinksQuery,
    @Req() request: ApiRequest,
  ): Promise<ImportLinksResponse> {
    return this.imports.run(caller, bodyStream(request, MAX_IMPORT), query);
  }
}
