import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { bodyInTurns } from '../../../common/csv/body-in-turns';
import { readCsv } from '../../../common/csv/read-csv';
import { readJson } from '../../../common/csv/read-json';
import { ApiBodyContent, csvContent } from '../../../common/http/api-body-content';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import type { ApiRequest } from '../../../common/http/api-request';
import { Bodies, BulkBody, CSV_TYPES, JSON_TYPE, MIB } from '../../../common/http/body-rules';
import { bodyStream } from '../../../common/http/body-stream';
import { ParameterTypes } from '../../../common/http/parameter-types';
import { sendChunks } from '../../../common/http/send-chunks';
import { MatchingIds, MAX_IDS } from '../../../common/pagination/matching-ids';
import { AliasAvailabilityResponse, type AliasQuery } from '../aliases/alias-availability.dto';
import { toBulkResponse } from '../bulk/bulk.dto';
import { BulkChangeRequest, BulkChangeResponse } from '../bulk/changes.dto';
import { LinkImportQuery, LinkImportResponse } from '../csv/import.dto';
import { exportCsv } from '../csv/tracked-link-export';
import { MAX_ROWS } from '../csv/tracked-link-import';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import type { TrackedLinkFilters } from '../list/tracked-link-list.dto';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksService } from '../tracked-links.service';
import { BulkParts } from './bulk-parts';
import type { Face } from './face';

const CSV = 'text/csv';
const MAX_IMPORT = 100 * MIB;
const MAX_JSON = 5 * MIB;

/** Creates the base class of the controller of one kind, for many links or campaigns; subclasses declare the path. */
export function bulkController<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(face: Face) {
  const { operation, noun, path, types, item, csvExample } = face;
  const csv = { [CSV]: { schema: { type: 'string' }, example: csvExample } };

  @Access({ key: 'service', scope: face.kind === 'link' ? 'links' : 'campaigns' })
  abstract class BulkController {
    abstract readonly service: TrackedLinksService<T, R>;

    constructor(readonly parts: BulkParts) {}

    @Post('bulk')
    @BulkBody()
    @ApiEndpoint({
      operationId: `create${operation}s`,
      summary: `Create many ${noun}s`,
      description:
        `Creates up to 1000 ${noun}s by the rules of the single call, in one transaction. Invalid items fail ` +
        'individually: the status is 200, and the response has the result of each item. If an alias occurs twice in the ' +
        'request, the first item gets it. Items may have `findIfExists`; of items that are equal, alias included, the first ' +
        'creates one and the others find it. A request may use at most 20 different passwords, and its body at most 5 MiB. ' +
        "Items beyond the plan's limit fail with LIMIT_REACHED; if the limit is reached already, so does the call.",
      response: { type: types.bulkResponse, description: 'The result of each item' },
      errors: ['LIMIT_REACHED'],
    })
    @ParameterTypes({ 1: types.bulk })
    async create(@Caller() caller: Caller, @Body() body: { items: unknown[] }): Promise<object> {
      return toBulkResponse(await this.parts.creation.create(this.service, caller, body.items), item);
    }

    @Post('changes')
    @ApiEndpoint({
      operationId: `change${operation}s`,
      summary: `Change many ${noun}s`,
      description:
        `Makes the same change to up to 1000 ${noun}s by the rules of the single call, in transactions of 100; with an ` +
        'Idempotency-Key, in one. Those that cannot be changed fail individually: the status is 200, and the response has ' +
        'the result of each id. An id that occurs twice has one result. `ids` without a change, or `delete` with another ' +
        'one, is VALIDATION_FAILED.',
      response: { type: BulkChangeResponse, description: 'The result of each id' },
    })
    change(@Caller() caller: Caller, @Body() body: BulkChangeRequest): Promise<BulkChangeResponse> {
      return this.parts.changes.run(this.service.changes, caller, body);
    }

    @Get('ids')
    @ApiEndpoint({
      operationId: `list${operation}Ids`,
      summary: `List the ids of ${noun}s`,
      description: `Ids of all ${noun}s that match the filters of the list. \`${path}/changes\` takes 1,000 at a time.`,
      response: { type: MatchingIds, description: 'The ids' },
    })
    @ParameterTypes({ 1: types.filters })
    async listIds(
      @Caller() { organizationId }: Caller,
      @Query() query: TrackedLinkFilters,
    ): Promise<MatchingIds> {
      const ids = await this.service.ids(organizationId, query);
      return { ids: [...ids.subarray(0, MAX_IDS)], total: ids.length };
    }

    @Get('alias-availability')
    @ApiEndpoint({
      operationId: `check${operation}Alias`,
      summary: `Check an alias of a ${noun}`,
      description:
        `Tells whether a new ${noun}, or the one with the id, could have an alias, without reserving it. Links and ` +
        'campaigns may have the same alias.',
      response: { type: AliasAvailabilityResponse, description: 'Whether the alias is available' },
      errors: ['DOMAIN_NOT_USABLE', 'NOT_FOUND'],
    })
    @ParameterTypes({ 1: types.alias })
    checkAlias(
      @Caller() caller: Caller,
      @Query() query: AliasQuery & { linkId?: number; campaignId?: number },
    ): Promise<AliasAvailabilityResponse> {
      const id = query.linkId ?? query.campaignId ?? null;
      return this.parts.aliases.check(this.service.rows, caller, query, id);
    }

    @Get('export')
    @ApiEndpoint({
      operationId: `export${operation}s`,
      summary: `Export ${noun}s as CSV`,
      description:
        `Streams all ${noun}s that the list returns for the same filters, in the same order, as RFC 4180 CSV in UTF-8 with a ` +
        'header row. With `archived=all` the file is a backup: importing it restores them, including generated ' +
        'codes (`code`) but not passwords, which it does not contain, nor `formerAliases`. `tags` and `formerAliases` are ' +
        'lines of CSV in a cell; `targeting` and `variants` are JSON. A cell that a spreadsheet would interpret as a formula starts with an ' +
        'apostrophe, which an import removes.',
      response: { content: csv, description: 'The file' },
    })
    @ParameterTypes({ 1: types.filters })
    async export(
      @Caller() caller: Caller,
      @Query() query: TrackedLinkFilters,
      @Res() response: Response,
    ): Promise<void> {
      const day = this.parts.clock.date().toISOString().slice(0, 10);
      await sendChunks(response, exportCsv(this.service, caller, query), {
        'Content-Type': `${CSV}; charset=utf-8; header=present`,
        'Content-Disposition': `attachment; filename="${this.service.rows.table}-${day}.csv"`,
      });
    }

    @Post('import')
    @Bodies({ limit: MAX_JSON, types: [...CSV_TYPES, JSON_TYPE], streamed: MAX_IMPORT })
    @ApiEndpoint({
      operationId: `import${operation}s`,
      summary: `Import ${noun}s from CSV or JSON`,
      description:
        `Creates a ${noun} from each row by the rules of the single call; invalid rows fail individually. The header row ` +
        `may use the field names of \`POST /${path}\`, the columns of an export, or the columns of exports from YOURLS, Dub, ` +
        'Short.io, Bitly, Kutt, Rebrandly, Shlink, Firebase Dynamic Links and Branch (`long_url`, `target`, `keyword`, ' +
        '`slug`, …), ignoring letter case, spaces and underscores. With ' +
        '`Content-Type: application/json`, the body is a list of objects of up to 5 MiB, or an object ' +
        'with one, such as a page of the API of Shlink. Unused columns are listed in `ignoredColumns`, and empty cells count ' +
        'as omitted fields. Cells are separated by commas, semicolons or tabs. A row gets exactly its alias or code, ' +
        'or fails, even one with characters or a length that new aliases cannot have; `code` restores a generated code of ' +
        'an export if it is free. Rows with `createdAt` ' +
        'may have expired. A row whose `hasPassword` is true requires a `password`. `tags` is a line of CSV or a JSON array in a cell; ' +
        '`targeting` and `variants` are JSON. A file may use at most 20 different passwords.\n\n' +
        `The file may have ${MAX_ROWS.toLocaleString('en-US')} rows, and 100 MiB after decompression. It is imported as ` +
        'it arrives, in transactions of 500 rows. If a line is malformed or exceeds the row limit, the status is 400, ' +
        'and the error names the line and the result of the rows before it. If the client disconnects, the import stops ' +
        "and keeps what it created so far. Rows beyond the plan's limit fail with LIMIT_REACHED; if the limit is " +
        'reached already, so does the call. With an Idempotency-Key, the file may have 5 MiB, is imported even if the ' +
        'client disconnects, and is rolled back as a whole if it is malformed.',
      response: { type: LinkImportResponse, description: 'The result of the import' },
      errors: ['LIMIT_REACHED'],
    })
    @ApiBodyContent('The file', csvContent(csvExample))
    import(
      @Caller() caller: Caller,
      @Query() query: LinkImportQuery,
      @Req() request: ApiRequest,
    ): Promise<LinkImportResponse> {
      const isJson = request.headers['content-type']?.toLowerCase().startsWith(JSON_TYPE);
      const body = bodyStream(request, isJson ? MAX_JSON : MAX_IMPORT);
      const file = isJson ? readJson(body) : readCsv(bodyInTurns(body));
      return this.parts.imports.run(this.service, types.row, caller, file, query);
    }
  }
  return BulkController;
}
