import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../../access/access.errors';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { bodyInTurns } from '../../../common/csv/body-in-turns';
import { type CsvRow, MalformedCsv } from '../../../common/csv/csv-reader';
import { MAX_CONSOLE_ERRORS } from '../../../common/csv/import-answers.dto';
import { isFullBatch, readCsv } from '../../../common/csv/read-csv';
import { FailedValues, type Table } from '../../../common/csv/table';
import { ValidationFailed } from '../../../common/errors/errors';
import type { ApiRequest } from '../../../common/http/api-request';
import { MIB } from '../../../common/http/body-rules';
import { bodyStream } from '../../../common/http/body-stream';
import { parseJson } from '../../../common/http/json';
import { Clock } from '../../../common/time/clock';
import { checkedRequest } from '../../../common/validation/request.pipe';
import { UnsubscribeChanges } from '../unsubscribe-changes';
import { type ImportQuery, ImportRequest, type ImportResponse } from './unsubscribe-import.dto';
import { itemOf, namesOfPlainList, tableOf } from './unsubscribe-columns';
import { checkItems } from '../unsubscribe-items';
import { ImportBrokenOff } from '../../../common/errors/import-broken-off';
import { Database } from '../../../infrastructure/database/database';

/** Maximum size of a CSV file: docs/importing.md#limits. */
export const MAX_IMPORT = 1024 * MIB;
const MAX_JSON = 5 * MIB;
/** Rows per transaction. */
const BATCH = 1_000;
/** Maximum number of rows in a file: docs/importing.md#limits. */
export const MAX_ROWS = 1_000_000;

/** Imports opt-outs from the console, such as toll-free calls and lists of other systems. */
@Injectable()
export class UnsubscribeImport {
  constructor(
    private readonly changes: UnsubscribeChanges,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * Imports a body in either format: JSON is read whole, CSV is streamed, one transaction per batch.
   * @throws MalformedJson, PayloadTooLarge; ValidationFailed, also without a column of values; ImportBrokenOff at an
   * unreadable line or beyond the limit of rows; LimitReached if the maximum number of imports is running
   */
  async run(caller: Caller, query: ImportQuery, request: ApiRequest): Promise<ImportResponse> {
    const isCsv = request.headers['content-type']?.toLowerCase().startsWith('text/') === true;
    if (isCsv) {
      return this.during(caller, () => this.import(caller, query, bodyStream(request, MAX_IMPORT)));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of bodyStream(request, MAX_JSON)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = bytes.length === 0 ? undefined : parseJson(bytes);
    return this.items(caller, await checkedRequest(ImportRequest, body, 'body'));
  }

  /** @throws LimitReached */
  private items(caller: Caller, request: ImportRequest): Promise<ImportResponse> {
    return this.during(caller, async () => {
      const { importRows } = caller.organization.limits;
      const { length } = request.items;
      if (length > importRows) throw new LimitReached('rows in an import', importRows, length);
      const done = nothing(request);
      await this.register(caller, request, request.items, done);
      return done;
    });
  }

  private async import(
    caller: Caller,
    query: ImportQuery,
    file: AsyncIterable<Buffer>,
  ): Promise<ImportResponse> {
    const done = nothing(query);
    const values = new FailedValues();
    let table: Table | null = null;
    let rows: CsvRow[] = [];
    const flush = async () => {
      const lot = rows;
      const of = table;
      rows = [];
      if (!of || lot.length === 0) return;
      const { total } = done;
      const known = done.invalid.length;
      const items = lot.map(({ cells }) => itemOf(of, cells));
      await this.register(caller, query, items, done, query.maxErrors);
      for (const problem of done.invalid.slice(known)) {
        const { line = 0, cells = [] } = lot[problem.index - total] ?? {};
        Object.assign(problem, { line, values: values.of(of, cells) });
      }
    };
    try {
      for await (const row of readCsv(bodyInTurns(file), {
        maxRows: MAX_ROWS,
        includedRows: caller.organization.limits.importRows,
      })) {
        if (table) rows.push(row);
        else {
          const plain = namesOfPlainList(row.cells, query.channel);
          table = checkedTable(plain ?? row.cells, query);
          done.ignoredColumns.push(...table.ignored);
          if (plain) rows.push(row);
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

  private async register(
    caller: Caller,
    query: Pick<ImportQuery, 'channel' | 'method' | 'source'>,
    items: readonly unknown[],
    done: ImportResponse,
    maxErrors = MAX_CONSOLE_ERRORS,
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
    done.invalid.push(...invalid.slice(0, maxErrors - done.invalid.length));
  }
}

function nothing({ channel }: Pick<ImportQuery, 'channel'>): ImportResponse {
  return { channel, total: 0, accepted: 0, duplicated: 0, failed: 0, ignoredColumns: [], invalid: [] };
}

function checkedTable(header: readonly string[], { channel }: ImportQuery): Table {
  const table = tableOf(header, channel);
  if (table.repeated !== null) {
    throw ValidationFailed.field(table.repeated, 'must be one column of the header row');
  }
  if (!table.fields.includes('value')) {
    const names = channel === 'EMAIL' ? 'email' : 'phone';
    const message = `must be a column of the header row, for channel ${channel} also as ${names}`;
    throw ValidationFailed.field('value', message);
  }
  return table;
}
