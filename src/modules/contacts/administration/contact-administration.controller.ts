import { Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ImportRowsQuery } from '../../../common/csv/import-answers.dto';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { ApiBodyContent, csvContent } from '../../../common/http/api-body-content';
import type { ApiRequest } from '../../../common/http/api-request';
import { Bodies, CSV_TYPES, MIB } from '../../../common/http/body-rules';
import { bodyStream } from '../../../common/http/body-stream';
import { sendChunks } from '../../../common/http/send-chunks';
import { MatchingIds } from '../../../common/pagination/matching-ids';
import { NoParameters } from '../../../common/validation/known-names';
import { ContactAdministration } from './contact-administration';
import { ContactExport } from '../bulk/contact-export';
import { ContactImport } from '../bulk/contact-import';
import { ContactResponse } from '../contact-response.dto';
import { ImportContactsResponse, PersonExport } from '../contacts.console.dto';
import { ContactPath, DeleteContactQuery, MatchingContactsQuery } from '../contacts.dto';
import { ContactsService } from '../contacts.service';
import { PersonExports } from '../personal-data/person-export';
import { ContactPresenter } from '../contact-presenter';

const CSV = 'text/csv';
const MAX_IMPORT = 1024 * MIB;
const EXAMPLE =
  'externalUserId,name,phoneNumber,custom.grade\r\nmember-1001,Kim Minji,010-2345-6789,gold\r\n';
const csv = { [CSV]: { schema: { type: 'string' }, example: EXAMPLE } };

/**
 * Exports and deletion require no add-on, so that data can be taken out and removed after the add-on has been cancelled
 * (docs/concepts/access.md#add-ons).
 */
@ServiceController('messaging/contacts', 'Contacts')
@Access({ key: 'service', scope: 'contacts', addOn: 'MESSAGING', allowListedIpOnly: true })
export class ContactAdministrationController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly administration: ContactAdministration,
    private readonly persons: PersonExports,
    private readonly exports: ContactExport,
    private readonly imports: ContactImport,
    private readonly presenter: ContactPresenter,
  ) {}

  @Get('export')
  @Access({ key: 'service', scope: 'contacts', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'exportContacts',
    summary: 'Export contacts as CSV',
    description:
      'All active contacts as a stream: RFC 4180, UTF-8, with a header row. `tags` is a line of CSV in ' +
      'a cell, `customFields` is JSON. A cell that a spreadsheet would run as a formula starts with an ' +
      'apostrophe, which an import removes.',
    response: { content: csv, description: 'The file' },
  })
  async export(
    @Caller() caller: Caller,
    @Query() _query: NoParameters,
    @Res() response: Response,
  ): Promise<void> {
    await sendChunks(response, this.exports.run(caller), {
      'Content-Type': `${CSV}; charset=utf-8; header=present`,
      'Content-Disposition': 'attachment; filename="contacts.csv"',
    });
  }

  @Get('ids')
  @ApiEndpoint({
    operationId: 'listContactIds',
    summary: 'List the ids of contacts',
    description:
      'Ids of all active contacts that match the filters of the list, to select them all. A group takes 1,000 at a time.',
    response: { type: MatchingIds, description: 'The ids' },
    errors: ['ADDON_REQUIRED', 'PERMISSION_DENIED'],
  })
  listIds(@Caller() caller: Caller, @Query() query: MatchingContactsQuery): Promise<MatchingIds> {
    return this.presenter.matching(caller, query);
  }

  @Post('import')
  @Bodies({ limit: 5 * MIB, types: CSV_TYPES, streamed: MAX_IMPORT })
  @ApiEndpoint({
    operationId: 'importContacts',
    summary: 'Import contacts from CSV',
    description:
      'Saves a contact per row by the rules of the single call, with the origin CSV; an invalid row ' +
      'fails alone. The header row names contact fields, ignoring letter case, spaces, dashes and underscores ' +
      'and also by other names (`Phone`, `Customer ID`, `Full name`), or custom fields as `custom.<key>`; unused ' +
      'columns are listed in `ignoredColumns`, empty cells count as omitted. The file may have up to 1024 MiB and 200,000 ' +
      'rows, and is imported while it arrives, 500 rows per transaction: if it becomes unreadable or ' +
      'has more rows, the response is 400 and reports the line and the results of the rows before it. ' +
      'If the client disconnects, the import stops.',
    response: { type: ImportContactsResponse, description: 'The results' },
  })
  @ApiBodyContent('The file', csvContent(EXAMPLE))
  import(
    @Caller() caller: Caller,
    @Query() query: ImportRowsQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportContactsResponse> {
    return this.imports.run(caller, bodyStream(request, MAX_IMPORT), query, () => response.closed);
  }

  @Post(':id/block')
  @ApiEndpoint({
    operationId: 'blockContact',
    summary: 'Block a contact',
    description: 'Once deactivated, a blocked contact stays so, whoever sends its externalUserId.',
    response: { type: ContactResponse, description: 'The contact' },
  })
  async block(@Caller() caller: Caller, @Param() { id }: ContactPath): Promise<ContactResponse> {
    return this.presenter.response(await this.administration.block(caller, id, true));
  }

  @Post(':id/unblock')
  @ApiEndpoint({
    operationId: 'unblockContact',
    summary: 'Unblock a contact',
    description: 'Removes the block.',
    response: { type: ContactResponse, description: 'The contact' },
  })
  async unblock(@Caller() caller: Caller, @Param() { id }: ContactPath): Promise<ContactResponse> {
    return this.presenter.response(await this.administration.block(caller, id, false));
  }

  @Get(':id/export')
  @Access({ key: 'service', scope: 'contacts', role: 'ADMIN', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'exportPerson',
    summary: "Export a person's data",
    description:
      'Everything stored about the person, for a subject access request; also for deactivated contacts.',
    response: { type: PersonExport, description: 'The data of the person' },
  })
  person(@Caller() caller: Caller, @Param() { id }: ContactPath): Promise<PersonExport> {
    return this.persons.read(caller, id);
  }

  @Delete(':id')
  @Access({ key: 'service', scope: 'contacts', allowListedIpOnly: true })
  @ApiEndpoint({
    operationId: 'deleteContact',
    summary: 'Deactivate or erase a contact',
    description:
      'The contact leaves all lists and groups; a request with its externalUserId reactivates it. With erase=true, ' +
      'which requires the role ADMIN, everything stored about the person is deleted, also if the contact was ' +
      'deactivated before, except opt-outs, which protect people from messages. Requires no add-on.',
    response: { description: 'Done' },
  })
  remove(
    @Caller() caller: Caller,
    @Param() { id }: ContactPath,
    @Query() { erase }: DeleteContactQuery,
  ): Promise<void> {
    return erase ? this.administration.erase(caller, id) : this.contacts.deactivate(caller, id);
  }
}
