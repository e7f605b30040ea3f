import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../../access/access.errors';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { type CsvRow, isFullBatch, MalformedCsv, readCsv, withoutGuard } from '../../../common/csv';
import { normalizeChannelValue } from '../../../common/phone/channel-value';
import { Clock } from '../../../common/time/clock';
import { UnsubscribeChanges } from '../unsubscribe-changes';
import type { ImportQuery, ImportRequest, ImportResponse } from './unsubscribe-import.dto';
import { columnsOf, type Columns, itemOf } from './unsubscribe-columns';
import { checkItems } from '../unsubscribe-items';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';
import { Database } from '../../../infrastructure/database/database';

/** Rows per transaction. */
const BATCH = 1_000;
const MAX_PROBLEMS = 100;
/** Maximum number of rows in a file: docs/importing.md#limits. */
export const MAX_ROWS = 1_000_000;

/** Imports opt-outs through the console: toll-free calls, lists from other systems. */
@Injectable()
export class UnsubscribeImport {
  constructor(
    private readonly changes: UnsubscribeChanges,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly uses: ConcurrentUses,
  ) {}

  /** @throws LimitReached */
  items(caller: Caller, request: ImportRequest): Promise<ImportResponse> {
    return this.during(caller, async () => {
      const { importRows } = caller.organization.limits;
      const { length } = request.items;
      if (length > importRows) throw new LimitReached('rows in an import', importRows, length);
      const done = nothing(request);
      await this.register(caller, request, request.items, done);
      return done;
    });
  }

  /**
   * Imports a CSV stream, one transaction per batch.
   * @throws ImportBrokenOff at an unreadable line or beyond the limit of rows, ValidationFailed without a column of
   * values, LimitReached if as many imports run as the limit allows
   */
  file(caller: Caller, query: ImportQuery, file: AsyncIterable<Buffer>): Promise<ImportResponse> {
    return this.during(caller, () => this.import(caller, query, file));
  }

  private async import(
    caller: Caller,
    query: ImportQuery,
    file: AsyncIterable<Buffer>,
  ): Promise<ImportResponse> {
    const done = nothing(query);
    let columns: Columns | null = null;
    let rows: CsvRow[] = [];
    const flush = async () => {
      const lot = rows;
      const of = columns;
      rows = [];
      if (!of || lot.length === 0) return;
      await this.register(
        caller,
        query,
        lot.map(({ cells }) => itemOf(of, cells)),
        done,
      );
    };
    try {
      for await (const row of readCsv(file, {
        maxRows: MAX_ROWS,
        includedRows: caller.organization.limits.importRows,
      })) {
        if (columns) rows.push(row);
        else {
          columns = columnsOf(row.cells, this.isValue(caller, query, row));
          if (!columns.header) rows.push(row);
        }
        if (isFullBatch(rows, BATCH)) await flush();
      }
    } catch (error) {
      if (!(error instanceof MalformedCsv)) throw error;
      await flush();
      const problem = `line ${error.line} ${error.problem}`;
      throw new ImportBrokenOff('body', problem, { imported: done }, error.includedRows);
    }
    await flush();
    return done;
  }

  private during<T>({ organizationId, organization }: Caller, work: () => Promise<T>): Promise<T> {
    return this.uses.during('imports', organizationId, organization.limits.concurrentImports, work);
  }

  private isValue({ organization }: Caller, { channel }: ImportQuery, { cells }: CsvRow): boolean {
    const first = withoutGuard(cells[0] ?? '');
    return normalizeChannelValue(channel, first, organization.defaultRegion).problem === null;
  }

  private async register(
    caller: Caller,
    query: ImportQuery,
    items: readonly unknown[],
    done: ImportResponse,
  ): Promise<void> {
    const { organizationId, organization } = caller;
    const { channel, method, source = null } = query;
    const now = this.clock.date();
    const { entries, invalid } = checkItems(items, {
      channel,
      method,
      source,
      region: organization.defaultRegion,
      now,
      start: done.total,
    });
    const of = { organizationId, channel };
    const created = await this.database.write((tx) => this.changes.register(tx, caller, of, entries));
    done.total += items.length;
    done.accepted += created.length;
    done.failed += invalid.length;
    done.duplicated += items.length - created.length - invalid.length;
    done.invalid.push(...invalid.slice(0, MAX_PROBLEMS - done.invalid.length));
  }
}

function nothing({ channel }: ImportQuery): ImportResponse {
  return { channel, total: 0, accepted: 0, duplicated: 0, failed: 0, invalid: [] };
}
