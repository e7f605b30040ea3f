import { isApiError, itemMessage, namedProblem } from '../../api/errors';
import { queries } from '../../api/client';
import { Store } from '../../api/store';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { errorText, showDone, showProblem } from '../toasts';
import type { CsvRow } from '../../../../src/common/csv/csv-reader';
import { type CsvFile, type CsvPart, csvParts, readCsvFile } from './csv-file';
import { csvTexts } from './texts';

export interface RowProblem {
  /** Line of the file, or number of the row, from 1. */
  readonly at: number;
  readonly value?: string | null;
  readonly message: string;
  readonly row: CsvRow | undefined;
}

export interface PartResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly problems: readonly RowProblem[];
  readonly ignoredColumns: readonly string[];
}

export interface CsvRun<Settings = unknown> extends PartResult {
  readonly file: File;
  readonly header: readonly string[];
  readonly settings: Settings;
  /** Whether this is a dry run, which changes nothing. */
  readonly dryRun: boolean;
  /** `stopping` waits for the response to the current part. */
  readonly state: 'running' | 'stopping' | 'done' | 'stopped' | 'failed';
  readonly rows: number;
  readonly rowsDone: number;
  /** Why it ended early. */
  readonly ended: string | null;
}

interface Options<Settings> {
  /** Imports a part; throws the API's error. */
  readonly send: (part: CsvPart, run: CsvRun<Settings>) => Promise<PartResult>;
  /** Column names for a file without a header; null if the first row is a header. */
  readonly headerOf?: (first: readonly string[], settings: Settings) => readonly string[] | null;
  /** Summary of a finished import. */
  readonly summary: (run: CsvRun) => string;
  /** Whether files are checked by a dry run first. */
  readonly checks?: boolean;
}

/**
 * Size of a part. Each part is a request, which its Idempotency-Key makes safe to repeat; the response can list that
 * many failed rows.
 */
export const PART = { rows: 500, characters: 1 << 19 };
/** Larger for a dry run, which finds duplicate values only within a part; the API accepts 5 MiB. */
const DRY_RUN_PART = { rows: Infinity, characters: 1 << 20 };

/** Imports of one kind, one at a time. An import continues while other pages are open. */
export class CsvImport<Settings> {
  readonly run = new Store<CsvRun<Settings> | null>(null);

  constructor(readonly options: Options<Settings>) {}

  start(file: File, settings: Settings, dryRun = false): Promise<void> {
    const nothing = { rows: 0, rowsDone: 0, counts: {}, failed: 0, problems: [], ignoredColumns: [] };
    this.run.set({ ...nothing, header: [], file, settings, dryRun, state: 'running', ended: null });
    return this.proceed();
  }

  /** Sends the remaining parts, starting with the one that failed. */
  async proceed(): Promise<void> {
    const { send, summary } = this.options;
    const { file, rowsDone, dryRun } = this.change(() => ({ state: 'running', ended: null }));
    let sent: CsvPart | null = null;
    addEventListener('beforeunload', warn);
    try {
      const content = await this.contentOf(file);
      this.change(() => ({ header: content.header, rows: content.rows.length }));
      if (content.broken && content.rows.length === 0) throw new UnreadableLine(content.broken);
      const parts = csvParts(content, dryRun ? DRY_RUN_PART : PART);
      for (const part of parts.filter(({ rowsBefore }) => rowsBefore >= rowsDone)) {
        if (this.current.state === 'stopping') break;
        sent = part;
        const result = await send(part, this.current);
        this.change((run) => ({
          rowsDone: part.rowsBefore + part.rows.length,
          counts: added(run.counts, result.counts),
          failed: run.failed + result.failed,
          problems: [...run.problems, ...result.problems],
          ignoredColumns: result.ignoredColumns,
        }));
      }
      if (content.broken && this.current.state === 'running') throw new UnreadableLine(content.broken);
      const { state } = this.change(({ rows, rowsDone: done }) => ({
        state: done < rows ? 'stopped' : 'done',
      }));
      if (state === 'done' && !dryRun) showDone(summary(this.current));
    } catch (error) {
      const ended = endText(error, sent);
      this.change(() => ({ state: 'failed', ended }));
      if (!dryRun) showProblem(textOf(csvTexts, 'brokenOff', { reason: ended }));
    } finally {
      removeEventListener('beforeunload', warn);
      if (!dryRun) void queries.invalidateQueries();
    }
  }

  /** Stops the import; imported rows are kept. */
  stop(): void {
    this.change(() => ({ state: 'stopping' }));
  }

  private contentOf(file: File): Promise<CsvFile> {
    const { headerOf } = this.options;
    return readCsvFile(file, (first) => headerOf?.(first, this.current.settings) ?? null);
  }

  private get current(): CsvRun<Settings> {
    const run = this.run.get();
    if (!run) throw new Error('There is no import');
    return run;
  }

  private change(changes: (run: CsvRun<Settings>) => Partial<CsvRun<Settings>>): CsvRun<Settings> {
    const run = { ...this.current, ...changes(this.current) };
    this.run.set(run);
    return run;
  }
}

/** Whether it is still sending or waiting for a response. */
export function isBusy(run: CsvRun | null): boolean {
  return run?.state === 'running' || run?.state === 'stopping';
}

function added(sums: CsvRun['counts'], more: CsvRun['counts']): CsvRun['counts'] {
  return Object.fromEntries(Object.entries(more).map(([key, count]) => [key, (sums[key] ?? 0) + count]));
}

/** The file cannot be read beyond a certain line. */
class UnreadableLine extends Error {
  constructor({ line, code }: NonNullable<CsvFile['broken']>) {
    super(textOf(csvTexts, 'unreadable', { line: formatNumber(line), problem: textOf(csvTexts, code) }));
  }
}

/** Why the import ended, with line numbers of the file instead of the part. */
function endText(error: unknown, part: CsvPart | null): string {
  if (error instanceof UnreadableLine) return error.message;
  const details = isApiError(error) ? (error.details ?? []) : [];
  if (details.length === 0) return errorText(error);
  const inFile = (text: string) =>
    text.replaceAll(/\bline (\d+)/g, (_, line: string) => `line ${part?.rowAt(Number(line))?.line ?? line}`);
  return details
    .map(({ field, message }) =>
      field.startsWith('line ')
        ? itemMessage(`${inFile(field)}: ${message}`)
        : namedProblem({ field, message: inFile(message) }),
    )
    .join('; ');
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
