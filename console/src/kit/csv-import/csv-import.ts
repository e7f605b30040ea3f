import { isApiError } from '../../api/errors';
import { queries } from '../../api/client';
import { Store } from '../../api/store';
import { errorText, showDone } from '../toasts';
import { type CsvPart, csvParts } from './csv-parts';

/** A row that failed, and why. */
export interface RowProblem {
  /** Line of the file, or number of the row, from 1. */
  readonly at: number;
  readonly value: string | null;
  readonly message: string;
}

export interface PartResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly problems: readonly RowProblem[];
}

export interface CsvRun {
  readonly file: File;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly rows: number;
  readonly rowsDone: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly problems: readonly RowProblem[];
  /** What ended it early. */
  readonly ended: string | null;
}

interface Options<Settings> {
  /** Imports a part; throws the API's error. */
  readonly send: (part: CsvPart, settings: Settings) => Promise<PartResult>;
  /** Whether a file's first line names its columns. */
  readonly hasHeader: (firstLine: string) => boolean;
  /** What is said when it is done. */
  readonly summary: (counts: CsvRun['counts']) => string;
}

/** Each part is one call, which its Idempotency-Key makes safe to send again. */
const PART = { rows: 500, bytes: 1 << 20 };
const PROBLEMS_KEPT = 100;

/** Imports of one kind, one at a time; an import goes on while other pages are open. */
export class CsvImport<Settings> {
  readonly run = new Store<CsvRun | null>(null);

  constructor(private readonly options: Options<Settings>) {}

  async start(file: File, settings: Settings): Promise<void> {
    const { send, hasHeader, summary } = this.options;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const [firstLine = ''] = new TextDecoder().decode(bytes.subarray(0, 4096)).split('\n', 1);
    const parts = csvParts(bytes, PART, hasHeader(firstLine));
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    this.run.set({
      file,
      state: 'running',
      rows,
      rowsDone: 0,
      counts: {},
      failed: 0,
      problems: [],
      ended: null,
    });
    addEventListener('beforeunload', warn);
    let current = parts[0];
    try {
      for (const part of parts) {
        current = part;
        const result = await send(part, settings);
        this.change((run) => ({
          rowsDone: part.rowsBefore + part.rows,
          counts: added(run.counts, result.counts),
          failed: run.failed + result.failed,
          problems: [...run.problems, ...result.problems].slice(0, PROBLEMS_KEPT),
        }));
        if (this.run.get()?.state === 'stopped') return;
      }
      this.change(() => ({ state: 'done' }));
      showDone(summary(this.run.get()?.counts ?? {}));
    } catch (error) {
      this.change(() => ({ state: 'failed', ended: endText(error, current?.lineOffset ?? 0) }));
    } finally {
      removeEventListener('beforeunload', warn);
      void queries.invalidateQueries();
    }
  }

  /** What was imported stays. */
  stop(): void {
    this.change(() => ({ state: 'stopped' }));
  }

  private change(changes: (run: CsvRun) => Partial<CsvRun>): void {
    const run = this.run.get();
    if (run) this.run.set({ ...run, ...changes(run) });
  }
}

function added(sums: CsvRun['counts'], more: CsvRun['counts']): CsvRun['counts'] {
  return Object.fromEntries(Object.entries(more).map(([key, count]) => [key, (sums[key] ?? 0) + count]));
}

/** What the API said, with the lines of the file in place of those of the part. */
function endText(error: unknown, lineOffset: number): string {
  const details = isApiError(error) ? (error.details ?? []) : [];
  if (details.length === 0) return errorText(error);
  const said = details.map(({ field, message }) => `${field} ${message}`).join('; ');
  return said.replaceAll(/\bline (\d+)/g, (_, line: string) => `line ${Number(line) + lineOffset}`);
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
