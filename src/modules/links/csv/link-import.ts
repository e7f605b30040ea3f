import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { bodyInTurns } from '../../../common/csv/body-in-turns';
import { type CsvRow, MalformedCsv } from '../../../common/csv/csv-reader';
import { isFullBatch, readCsv } from '../../../common/csv/read-csv';
import { FailedValues, type Table } from '../../../common/csv/table';
import { DomainError } from '../../../common/errors/domain-error';
import { ValidationFailed } from '../../../common/errors/errors';
import { ImportedLinks } from './imported-links';
import { draftsOf, LinkBatches } from '../bulk/link-batches';
import { LinkRequestCache } from '../link-drafts';
import { requestOfRow, tableOf } from './link-import-columns';
import { LinkLimit } from '../link-limit';
import { type ImportLinksQuery, type ImportLinksResponse, toImportError } from './links-csv.dto';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';
import { Database } from '../../../infrastructure/database/database';
import { cut } from '../../../common/sanitize-text';

const BATCH = 500;
/** Maximum rows per file: docs/importing.md#limits. */
export const MAX_ROWS = 100_000;

/** State of a running import. */
interface Run {
  readonly caller: Caller;
  readonly lookups: LinkRequestCache;
  /** Claims and links that a dry run has accepted so far. */
  readonly planned: { claims: Set<string>; links: number };
  readonly done: ImportLinksResponse;
  readonly maxErrors: number;
  readonly values: FailedValues;
}

/** Creates links from a CSV stream, one transaction per batch of rows. */
@Injectable()
export class LinkImport {
  constructor(
    private readonly imported: ImportedLinks,
    private readonly batches: LinkBatches,
    private readonly limit: LinkLimit,
    private readonly database: Database,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * @throws ValidationFailed without a column for the destination; LimitReached if a limit allows no more links or
   * imports; ImportBrokenOff at a malformed line or beyond the limit of rows
   */
  run(caller: Caller, file: AsyncIterable<Buffer>, query: ImportLinksQuery): Promise<ImportLinksResponse> {
    const { organizationId, organization } = caller;
    return this.uses.during('imports', organizationId, organization.limits.concurrentImports, () =>
      this.import(caller, file, query),
    );
  }

  private async import(
    caller: Caller,
    file: AsyncIterable<Buffer>,
    { dryRun = false, maxErrors }: ImportLinksQuery,
  ): Promise<ImportLinksResponse> {
    const { importRows: includedRows } = caller.organization.limits;
    await this.limit.check(caller, MAX_ROWS);
    const done = nothing(dryRun);
    const run = {
      caller,
      done,
      lookups: new LinkRequestCache(),
      planned: { claims: new Set<string>(), links: 0 },
      maxErrors,
      values: new FailedValues(),
    };
    // Within an enclosing transaction, the import is all or nothing.
    const isEnclosed = this.database.current !== undefined;
    let table: Table | null = null;
    let rows: CsvRow[] = [];
    const flush = async () => {
      const batch = rows;
      rows = [];
      if (table && batch.length > 0) await this.importRows(run, table, batch);
    };
    try {
      for await (const row of readCsv(bodyInTurns(file), { maxRows: MAX_ROWS, includedRows })) {
        if (table) rows.push(row);
        else {
          table = checkedTable(row.cells);
          done.ignoredColumns.push(...table.ignored);
        }
        if (isFullBatch(rows, BATCH)) await flush();
      }
    } catch (error) {
      if (!(error instanceof MalformedCsv)) throw error;
      if (!isEnclosed) await flush();
      throw brokenOff(error, isEnclosed ? null : done);
    }
    if (!table) checkedTable([]);
    await flush();
    return done;
  }

  private async importRows(run: Run, table: Table, rows: readonly CsvRow[]): Promise<void> {
    const { caller, done, lookups, planned, maxErrors, values } = run;
    const drafts = await draftsOf(rows, ({ cells }) =>
      this.imported.draftOf(caller, requestOfRow(table, cells), lookups),
    );
    const outcomes = done.dryRun
      ? await this.batches.check(caller, drafts, planned)
      : await this.batches.createFromDrafts(caller, drafts);
    for (const [i, outcome] of outcomes.entries()) {
      done.total++;
      const draft = drafts[i];
      if (!(outcome instanceof DomainError)) {
        done.created++;
        if (draft && 'code' in draft && draft.code === '') done.generated++;
      } else {
        done.failed++;
        const { line = 0, cells = [] } = rows[i] ?? {};
        if (done.errors.length < maxErrors)
          done.errors.push(toImportError(line, outcome, values.of(table, cells)));
      }
    }
  }
}

function checkedTable(header: readonly string[]): Table {
  const table = tableOf(header);
  if (table.repeated !== null) {
    throw ValidationFailed.field(table.repeated, 'must be one column of the header row');
  }
  if (!table.fields.includes('url')) {
    const names = table.ignored.slice(0, 20).map((name) => cut(name, 50));
    const found = names.length > 0 ? `; not known are ${names.join(', ')}` : '';
    const message = `must be a column of the header row, also as long_url, target or destination${found}`;
    throw ValidationFailed.field('url', message);
  }
  return table;
}

function nothing(dryRun: boolean): ImportLinksResponse {
  return { dryRun, total: 0, created: 0, failed: 0, generated: 0, ignoredColumns: [], errors: [] };
}

/** @param done null if the whole import is rolled back */
function brokenOff(
  { line, problem, includedRows }: MalformedCsv,
  done: Pick<Run['done'], 'dryRun' | 'created' | 'failed'> | null,
): ImportBrokenOff {
  const before = done
    ? `of the rows before it ${done.created} ${done.dryRun ? 'can become' : 'became'} links and ${done.failed} failed`
    : 'nothing was imported';
  const { created, failed } = done ?? { created: 0, failed: 0 };
  return new ImportBrokenOff(`line ${line}`, `${problem}; ${before}`, { created, failed }, includedRows);
}
