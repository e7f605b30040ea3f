import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { bodyInTurns } from '../../../common/csv/body-in-turns';
import { type CsvRow, MalformedCsv } from '../../../common/csv/csv-reader';
import type { ImportRowsQuery } from '../../../common/csv/import-answers.dto';
import { isFullBatch, readCsv } from '../../../common/csv/read-csv';
import { FailedValues, type Table } from '../../../common/csv/table';
import { ValidationFailed } from '../../../common/errors/errors';
import { requestOfRow, tableOf } from './contact-columns';
import type { ImportContactsResponse } from '../contacts.console.dto';
import { ContactsBulkService } from './contacts-bulk.service';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';

const BATCH = 500;
export const MAX_IMPORT_ROWS = 200_000;

interface Run {
  readonly caller: Caller;
  readonly done: ImportContactsResponse;
  readonly maxErrors: number;
  readonly values: FailedValues;
}

/** Imports CSV by the rules of bulk requests, a few hundred rows per transaction. */
@Injectable()
export class ContactImport {
  constructor(
    private readonly bulk: ContactsBulkService,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * @param isGone whether the client has disconnected, in which case the import stops
   * @throws ValidationFailed if no column is a contact field; LimitReached if the maximum number of imports is running;
   * ImportBrokenOff at an unreadable line, or beyond the maximum number of rows
   */
  run(
    caller: Caller,
    file: AsyncIterable<Buffer>,
    query: ImportRowsQuery,
    isGone: () => boolean = () => false,
  ): Promise<ImportContactsResponse> {
    const { organizationId, organization } = caller;
    return this.uses.during('imports', organizationId, organization.limits.concurrentImports, () =>
      this.import(caller, file, query, isGone),
    );
  }

  private async import(
    caller: Caller,
    file: AsyncIterable<Buffer>,
    { maxErrors }: ImportRowsQuery,
    isGone: () => boolean,
  ): Promise<ImportContactsResponse> {
    const { importRows: includedRows } = caller.organization.limits;
    const counts = { total: 0, created: 0, updated: 0, failed: 0 };
    const done: ImportContactsResponse = { ...counts, ignoredColumns: [], errors: [] };
    const run = { caller, done, maxErrors, values: new FailedValues() };
    let table: Table | null = null;
    let rows: CsvRow[] = [];
    const save = async () => {
      const lot = rows;
      rows = [];
      if (table && lot.length > 0) await this.save(run, table, lot);
    };
    try {
      for await (const row of readCsv(bodyInTurns(file), { maxRows: MAX_IMPORT_ROWS, includedRows })) {
        if (table) rows.push(row);
        else {
          table = checkedTable(row.cells);
          done.ignoredColumns.push(...table.ignored);
        }
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
    if (!table) checkedTable([]);
    await save();
    return done;
  }

  private async save(
    { caller, done, maxErrors, values }: Run,
    table: Table,
    rows: readonly CsvRow[],
  ): Promise<void> {
    const items = rows.map(({ cells }) => requestOfRow(table, cells));
    const { created, updated, failed, errors } = await this.bulk.save(caller, items, null, 'CSV');
    done.total += rows.length;
    done.created += created;
    done.updated += updated;
    done.failed += failed;
    for (const { index, ...problem } of errors.slice(0, maxErrors - done.errors.length)) {
      const { line = 0, cells = [] } = rows[index] ?? {};
      done.errors.push({ line, ...problem, values: values.of(table, cells) });
    }
  }
}

function checkedTable(header: readonly string[]): Table {
  const table = tableOf(header);
  if (table.repeated !== null) {
    throw ValidationFailed.field(table.repeated, 'must be one column of the header row');
  }
  if (table.fields.every((field) => field === null)) {
    throw ValidationFailed.field('header', 'must name fields of contacts, such as externalUserId and email');
  }
  return table;
}
