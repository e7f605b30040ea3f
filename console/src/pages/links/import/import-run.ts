import { client, queries, type Schemas } from '../../../api/client';
import { Store } from '../../../api/store';
import { csvParts } from '../../../kit/csv-import/csv-parts';
import { unwrap } from '../../../kit/form';
import { errorText, showDone } from '../../../kit/toasts';
import { formatNumber } from '../../../texts/format';
import { textOf } from '../../../texts/texts';
import { importTexts } from './texts';

export type RowError = Schemas['ImportErrorResponse'];

/** A dry run or an import; it goes on while other pages are open. */
export interface ImportRun {
  readonly file: File;
  readonly dryRun: boolean;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly rows: number;
  readonly rowsDone: number;
  readonly created: number;
  readonly failed: number;
  readonly generated: number;
  readonly ignoredColumns: readonly string[];
  readonly errors: readonly RowError[];
  /** What ended it early. */
  readonly problem: string | null;
}

export const importRun = new Store<ImportRun | null>(null);

/** A part is one call, which an Idempotency-Key makes safe to send again; its files have at most 5 MiB. */
const IMPORT_PART = { rows: 500, bytes: 1 << 20 };
/** A dry run finds aliases that occur twice only within a part. */
const DRY_RUN_PART = { rows: Infinity, bytes: 4 << 20 };
const ERRORS_SHOWN = 100;

export async function runImport(file: File, dryRun: boolean): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts = csvParts(bytes, dryRun ? DRY_RUN_PART : IMPORT_PART, true);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  importRun.set({
    file,
    dryRun,
    state: 'running',
    rows,
    rowsDone: 0,
    created: 0,
    failed: 0,
    generated: 0,
    ignoredColumns: [],
    errors: [],
    problem: null,
  });
  addEventListener('beforeunload', warn);
  try {
    for (const part of parts) {
      const result = await unwrap(
        client.POST('/urls/import', {
          params: { query: { dryRun } },
          body: '',
          bodySerializer: () => part.body,
          headers: { 'Content-Type': 'text/csv' },
        }),
      );
      update((run) => ({
        rowsDone: part.rowsBefore + part.rows,
        created: run.created + result.created,
        failed: run.failed + result.failed,
        generated: run.generated + result.generated,
        ignoredColumns: result.ignoredColumns,
        errors: [
          ...run.errors,
          ...result.errors.map((error) => ({ ...error, line: error.line + part.lineOffset })),
        ].slice(0, ERRORS_SHOWN),
      }));
      if (importRun.get()?.state === 'stopped') return;
    }
    update(() => ({ state: 'done' }));
    const created = importRun.get()?.created ?? 0;
    if (!dryRun)
      showDone(textOf(importTexts, 'imported', { count: created, formatted: formatNumber(created) }));
  } catch (error) {
    update(() => ({ state: 'failed', problem: errorText(error) }));
  } finally {
    removeEventListener('beforeunload', warn);
    if (!dryRun) void queries.invalidateQueries();
  }
}

/** What was created stays. */
export function stopImport(): void {
  update(() => ({ state: 'stopped' }));
}

function update(change: (run: ImportRun) => Partial<ImportRun>): void {
  const run = importRun.get();
  if (run) importRun.set({ ...run, ...change(run) });
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
