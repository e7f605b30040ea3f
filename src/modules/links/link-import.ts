import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { type CsvRow, MalformedCsv, readCsv } from '../../common/csv';
import { DomainError } from '../../common/errors/domain-error';
import { ValidationFailed } from '../../common/errors/errors';
import { Transactions } from '../../infrastructure/database/transactions';
import { LinkBatches } from './link-batches';
import { fieldsOfHeader, requestOfRow } from './link-columns';
import { LinkLookups } from './link-drafts';
import { type ImportLinksResponse, toImportError } from './links-csv.dto';
import { ImportBrokenOff } from './links.errors';

const BATCH = 500;
const MAX_ERRORS = 100;

/** Makes links of the rows of a CSV file, as it comes: some hundred at a time, each lot in a transaction. */
@Injectable()
export class LinkImport {
  constructor(
    private readonly batches: LinkBatches,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ValidationFailed without a column `url`, ImportBrokenOff at a line that can't be read */
  async run(caller: Caller, file: AsyncIterable<Buffer>): Promise<ImportLinksResponse> {
    const done: ImportLinksResponse = { total: 0, created: 0, failed: 0, errors: [] };
    const lookups = new LinkLookups();
    let fields: ReturnType<typeof fieldsOfHeader> | null = null;
    let rows: CsvRow[] = [];
    const make = async () => {
      const lot = rows;
      rows = [];
      const items = lot.map(({ cells }) => requestOfRow(fields ?? [], cells));
      const made = lot.length > 0 ? await this.batches.create(caller, items, lookups) : [];
      for (const [i, outcome] of made.entries()) note(done, lot[i]?.line ?? 0, outcome);
    };
    try {
      for await (const row of readCsv(file)) {
        if (fields) rows.push(row);
        else fields = checkedFields(row);
        if (rows.length === BATCH) await make();
      }
    } catch (error) {
      if (!(error instanceof MalformedCsv)) throw error;
      // Within another transaction nothing of it stays.
      const undone = this.transactions.current !== undefined;
      if (!undone) await make();
      throw new ImportBrokenOff(error.line, error.problem, undone ? null : done);
    }
    if (!fields) checkedFields({ line: 1, cells: [] });
    await make();
    return done;
  }
}

function checkedFields({ cells }: CsvRow): ReturnType<typeof fieldsOfHeader> {
  const fields = fieldsOfHeader(cells);
  const known = fields.filter((field) => field !== null);
  const repeated = known.find((field, i) => known.indexOf(field) !== i);
  if (repeated !== undefined) throw ValidationFailed.field(repeated, 'must be one column of the header row');
  if (!known.includes('url')) throw ValidationFailed.field('url', 'must be a column of the header row');
  return fields;
}

function note(done: ImportLinksResponse, line: number, outcome: object): void {
  done.total++;
  if (!(outcome instanceof DomainError)) done.created++;
  else {
    done.failed++;
    if (done.errors.length < MAX_ERRORS) done.errors.push(toImportError(line, outcome));
  }
}
