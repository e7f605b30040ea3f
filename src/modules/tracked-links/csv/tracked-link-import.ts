import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { type CsvRow, MalformedCsv } from '../../../common/csv/csv-reader';
import { isFullBatch, withinBounds } from '../../../common/csv/read-csv';
import { FailedValues, type Table } from '../../../common/csv/table';
import type { TrackedLinkKind } from '../../clicks/click';
import { isWord } from '../../domains/codes';
import { DomainError } from '../../../common/errors/domain-error';
import { ValidationFailed } from '../../../common/errors/errors';
import { type ImportedRow, ImportedRows } from './imported-rows';
import { BulkCreation, draftsOf } from '../bulk/bulk-creation';
import { FIELD_NAMES } from '../fields/field-names';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import { DraftCache } from '../tracked-link-drafts';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksService } from '../tracked-links.service';
import { requestOfRow, tableOf } from './import-columns';
import { type LinkImportQuery, type LinkImportResponse, toImportError } from './import.dto';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';
import { Database } from '../../../infrastructure/database/database';
import { cut } from '../../../common/sanitize-text';

const BATCH = 500;
/** Maximum rows per file: docs/importing.md#limits. */
export const MAX_ROWS = 100_000;

interface Run<T extends TrackedLinkEntity, R extends TrackedLinkResponse> {
  readonly service: TrackedLinksService<T, R>;
  readonly rowClass: new () => ImportedRow;
  readonly caller: Caller;
  readonly lookups: DraftCache;
  /** Claims and rows that a dry run has accepted so far. */
  readonly planned: { claims: Set<string>; accepted: number };
  readonly done: LinkImportResponse;
  readonly maxErrors: number;
  readonly values: FailedValues;
}

/** Creates links or campaigns from the rows of a file, one transaction per batch of rows. */
@Injectable()
export class TrackedLinkImport {
  constructor(
    private readonly imported: ImportedRows,
    private readonly bulk: BulkCreation,
    private readonly database: Database,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * @param rowClass the fields of a row
   * @param file its rows, header first
   * @throws ValidationFailed without a column for the destination; LimitReached if a limit allows no further one, or
   * no further import; ImportBrokenOff at a malformed line or beyond the limit of rows
   */
  run<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    service: TrackedLinksService<T, R>,
    rowClass: new () => ImportedRow,
    caller: Caller,
    file: AsyncIterable<CsvRow>,
    query: LinkImportQuery,
  ): Promise<LinkImportResponse> {
    const { organizationId, organization } = caller;
    return this.uses.during('imports', organizationId, organization.limits.concurrentImports, () =>
      this.import(service, rowClass, caller, file, query),
    );
  }

  private async import<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    service: TrackedLinksService<T, R>,
    rowClass: new () => ImportedRow,
    caller: Caller,
    file: AsyncIterable<CsvRow>,
    { dryRun = false, maxErrors }: LinkImportQuery,
  ): Promise<LinkImportResponse> {
    const { importRows: includedRows } = caller.organization.limits;
    await service.limit.check(caller, MAX_ROWS);
    const done = nothing(dryRun);
    const run = {
      service,
      rowClass,
      caller,
      done,
      lookups: new DraftCache(),
      planned: { claims: new Set<string>(), accepted: 0 },
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
      for await (const row of withinBounds(file, { maxRows: MAX_ROWS, includedRows })) {
        if (table) rows.push(row);
        else {
          table = checkedTable(service.rows.kind, row.cells);
          done.ignoredColumns.push(...table.ignored);
        }
        if (isFullBatch(rows, BATCH)) await flush();
      }
    } catch (error) {
      if (!(error instanceof MalformedCsv)) throw error;
      if (!isEnclosed) await flush();
      throw brokenOff(error, isEnclosed ? null : done);
    }
    if (!table) checkedTable(service.rows.kind, []);
    await flush();
    return done;
  }

  private async importRows<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    run: Run<T, R>,
    table: Table,
    rows: readonly CsvRow[],
  ): Promise<void> {
    const { service, rowClass, caller, done, lookups, planned, maxErrors, values } = run;
    const { kind } = service.rows;
    const drafts = await draftsOf(rows, ({ cells }) =>
      this.imported.draftOf(service, rowClass, caller, requestOfRow(kind, table, cells), lookups),
    );
    const outcomes = done.dryRun
      ? await this.bulk.check(service, caller, drafts, planned)
      : await this.bulk.createFromDrafts(service, caller, drafts);
    for (const [i, outcome] of outcomes.entries()) {
      done.total++;
      const draft = drafts[i];
      if (!(outcome instanceof DomainError)) {
        done.created++;
        if (!draft || draft instanceof DomainError) continue;
        if (draft.code === '') done.generated++;
        else if (!isWord(draft.code)) done.legacyCodes++;
      } else {
        done.failed++;
        const { line = 0, cells = [] } = rows[i] ?? {};
        if (done.errors.length < maxErrors)
          done.errors.push(toImportError(line, outcome, values.of(table, cells)));
      }
    }
  }
}

function checkedTable(kind: TrackedLinkKind, header: readonly string[]): Table {
  const table = tableOf(kind, header);
  const { destination } = FIELD_NAMES[kind];
  if (table.repeated !== null) {
    throw ValidationFailed.field(table.repeated, 'must be one column of the header row');
  }
  if (!table.fields.includes(destination)) {
    const names = table.ignored.slice(0, 20).map((name) => cut(name, 50));
    const found = names.length > 0 ? `; not known are ${names.join(', ')}` : '';
    const message = `must be a column of the header row, also as long_url, target or destination${found}`;
    throw ValidationFailed.field(destination, message);
  }
  return table;
}

function nothing(dryRun: boolean): LinkImportResponse {
  return {
    dryRun,
    total: 0,
    created: 0,
    failed: 0,
    generated: 0,
    legacyCodes: 0,
    ignoredColumns: [],
    errors: [],
  };
}

/** @param done null if the whole import is rolled back */
function brokenOff(
  { line, problem, includedRows }: MalformedCsv,
  done: Pick<LinkImportResponse, 'dryRun' | 'created' | 'failed'> | null,
): ImportBrokenOff {
  const before = done
    ? `of the rows before it ${done.created} ${done.dryRun ? 'can be created' : 'were created'} and ${done.failed} failed`
    : 'nothing was imported';
  const { created, failed } = done ?? { created: 0, failed: 0 };
  return new ImportBrokenOff(`line ${line}`, `${problem}; ${before}`, { created, failed }, includedRows);
}
