import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { type CsvRow, isFullBatch, MalformedCsv, readCsv } from '../../../common/csv';
import { DomainError } from '../../../common/errors/domain-error';
import { ValidationFailed } from '../../../common/errors/errors';
import { ImportedLinks } from './imported-links';
import { draftsOf, LinkBatches } from '../bulk/link-batches';
import { LinkRequestCache } from '../link-drafts';
import { columnsOfHeader, type ImportColumns, requestOfRow } from './link-import-columns';
import { LinksRepository } from '../links.repository';
import { type ImportLinksResponse, toImportError } from './links-csv.dto';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';
import { Database } from '../../../infrastructure/database/database';
import { cut } from '../../../common/sanitize-text';

const BATCH = 500;
const MAX_ERRORS = 100;
/** Maximum rows per file: docs/importing.md#limits. */
export const MAX_ROWS = 100_000;

/** State of a running import. */
interface Run {
  readonly caller: Caller;
  readonly lookups: LinkRequestCache;
  /** Claims and links that a dry run has accepted so far. */
  readonly planned: { claims: Set<string>; links: number };
  readonly done: ImportLinksResponse;
}

/** Creates links from a CSV stream, one transaction per batch of rows. */
@Injectable()
export class LinkImport {
  constructor(
    private readonly imported: ImportedLinks,
    private readonly batches: LinkBatches,
    private readonly links: LinksRepository,
    private readonly database: Database,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * @throws ValidationFailed without a column for the destination, LimitReached when a limit allows no more links or
   * imports, ImportBrokenOff at a malformed line or beyond the limit of rows
   */
  run(caller: Caller, file: AsyncIterable<Buffer>, dryRun: boolean): Promise<ImportLinksResponse> {
    const { organizationId, organization } = caller;
    return this.uses.during('imports', organizationId, organization.limits.concurrentImports, () =>
      this.import(caller, file, dryRun),
    );
  }

  private async import(
    caller: Caller,
    file: AsyncIterable<Buffer>,
    dryRun: boolean,
  ): Promise<ImportLinksResponse> {
    const { importRows: includedRows } = caller.organization.limits;
    await this.links.checkLimit(caller, MAX_ROWS);
    const done = nothing(dryRun);
    const run = {
      caller,
      done,
      lookups: new LinkRequestCache(),
      planned: { claims: new Set<string>(), links: 0 },
    };
    // Within an enclosing transaction the import is all or nothing.
    const isEnclosed = this.database.current !== undefined;
    let columns: ImportColumns | null = null;
    let rows: CsvRow[] = [];
    const flush = async () => {
      const batch = rows;
      rows = [];
      if (columns && batch.length > 0) await this.importRows(run, columns, batch);
    };
    try {
      for await (const row of readCsv(file, { maxRows: MAX_ROWS, includedRows })) {
        if (columns) rows.push(row);
        else {
          columns = checkedColumns(row.cells);
          done.ignoredColumns.push(...columns.ignored);
        }
        if (isFullBatch(rows, BATCH)) await flush();
      }
    } catch (error) {
      if (!(error instanceof MalformedCsv)) throw error;
      if (!isEnclosed) await flush();
      throw brokenOff(error, isEnclosed ? null : done);
    }
    if (!columns) checkedColumns([]);
    await flush();
    return done;
  }

  private async importRows(run: Run, columns: ImportColumns, rows: readonly CsvRow[]): Promise<void> {
    const { caller, done, lookups, planned } = run;
    const drafts = await draftsOf(rows, ({ cells }) =>
      this.imported.draftOf(caller, requestOfRow(columns, cells), lookups),
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
        if (done.errors.length < MAX_ERRORS) done.errors.push(toImportError(rows[i]?.line ?? 0, outcome));
      }
    }
  }
}

function checkedColumns(header: readonly string[]): ImportColumns {
  const columns = columnsOfHeader(header);
  if (columns.repeated !== null) {
    throw ValidationFailed.field(columns.repeated, 'must be one column of the header row');
  }
  if (!columns.fields.includes('url')) {
    const names = columns.ignored.slice(0, 20).map((name) => cut(name, 50));
    const found = names.length > 0 ? `; not known are ${names.join(', ')}` : '';
    const message = `must be a column of the header row, also as long_url, target or destination${found}`;
    throw ValidationFailed.field('url', message);
  }
  return columns;
}

function nothing(dryRun: boolean): ImportLinksResponse {
  return { dryRun, total: 0, created: 0, failed: 0, generated: 0, ignoredColumns: [], errors: [] };
}

/** @param done null when the whole import is rolled back */
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
