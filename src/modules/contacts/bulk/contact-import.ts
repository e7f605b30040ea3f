import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { type CsvRow, isFullBatch, MalformedCsv, readCsv } from '../../../common/csv';
import { ValidationFailed } from '../../../common/errors/errors';
import { type Column, columnsOfHeader, requestOfRow } from './contact-columns';
import type { ImportContactsResponse } from '../console/contacts.console.dto';
import { ContactsBulkService } from './contacts-bulk.service';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';

const BATCH = 500;
const MAX_ERRORS = 100;
/** Maximum number of rows in a file. */
export const MAX_IMPORT_ROWS = 200_000;

/** Imports a CSV stream like bulk requests: a few hundred rows per transaction. */
@Injectable()
export class ContactImport {
  constructor(
    private readonly bulk: ContactsBulkService,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * @param isGone whether the client has disconnected; the import stops then
   * @throws ValidationFailed if no column is a contact field; LimitReached if as many imports run as the limit allows;
   * ImportBrokenOff at an unreadable line, or after the maximum number of rows
   */
  run(
    caller: Caller,
    file: AsyncIterable<Buffer>,
    isGone: () => boolean = () => false,
  ): Promise<ImportContactsResponse> {
    const { organizationId, organization } = caller;
    return this.uses.during('imports', organizationId, organization.limits.concurrentImports, () =>
      this.import(caller, file, isGone),
    );
  }

  private async import(
    caller: Caller,
    file: AsyncIterable<Buffer>,
    isGone: () => boolean,
  ): Promise<ImportContactsResponse> {
    const { importRows: includedRows } = caller.organization.limits;
    const done: ImportContactsResponse = { total: 0, created: 0, updated: 0, failed: 0, errors: [] };
    let columns: Column[] | null = null;
    let rows: CsvRow[] = [];
    const save = async () => {
      const lot = rows;
      rows = [];
      if (lot.length > 0) await this.save(caller, columns ?? [], lot, done);
    };
    try {
      for await (const row of readCsv(file, { maxRows: MAX_IMPORT_ROWS, includedRows })) {
        if (columns) rows.push(row);
        else columns = checkedColumns(row.cells);
        if (isFullBatch(rows, BATCH)) await save();
        if (isGone()) return done;
      }
    } catch (error) {
      if (!(error instanceof MalformedCsv)) throw error;
      await save();
      const { created, updated, failed } = done;
      const before = `of the rows before it, ${created} were created, ${updated} updated and ${failed} failed`;
      const progress = { created, updated, failed };
      throw new ImportBrokenOff(
        `line ${error.line}`,
        `${error.problem}; ${before}`,
        progress,
        error.includedRows,
      );
    }
    if (!columns) checkedColumns([]);
    await save();
    return done;
  }

  private async save(
    caller: Caller,
    columns: readonly Column[],
    rows: readonly CsvRow[],
    done: ImportContactsResponse,
  ): Promise<void> {
    const items = rows.map(({ cells }) => requestOfRow(columns, cells));
    const { created, updated, failed, errors } = await this.bulk.save(caller, items, null, 'CSV');
    done.total += rows.length;
    done.created += created;
    done.updated += updated;
    done.failed += failed;
    const room = MAX_ERRORS - done.errors.length;
    done.errors.push(
      ...errors.slice(0, room).map(({ index, ...problem }) => ({ line: rows[index]?.line ?? 0, ...problem })),
    );
  }
}

function checkedColumns(header: readonly string[]): Column[] {
  const columns = columnsOfHeader(header);
  const names = columns.flatMap((column) => (column === null ? [] : Object.values(column)));
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw ValidationFailed.field(repeated, 'must be one column of the header row');
  if (names.length === 0) {
    throw ValidationFailed.field('header', 'must name fields of contacts, such as externalUserId and email');
  }
  return columns;
}
