import { createWriteStream, openAsBlob } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Answer, Params } from '@waypost/client';
import { type Command, Option } from 'commander';
import { EXIT, UsageError } from '../exit';
import { checkLayout, isJson, LAYOUT_NAMES, type LayoutName } from '../layouts';
import { collect, jsonOption, limitOption, wholeNumber } from '../options';
import { Output } from '../output';
import { readStdin } from '../prompt';
import { service, type Service, take } from '../service';
import { amount } from '../text';

type Query = Pick<Params<'listShortUrls'>, 'search' | 'tag' | 'archived' | 'sort' | 'size'>;

/** What differs between links and campaigns in lists, exports and imports. */
export interface Lists<T> {
  noun: 'link' | 'campaign';
  /** What `--search` finds. */
  searched: string;
  header: string[];
  cells: (item: T) => (string | number | null)[];
  list: (api: Service, query: Query) => AsyncIterable<T>;
  export: (api: Service, query: Query) => Promise<AsyncIterable<Uint8Array>>;
  import: (api: Service, params: Params<'importShortUrls'>) => Promise<Answer<'importShortUrls'>>;
}

interface ListOptions extends Omit<Query, 'size'> {
  limit: number;
  json?: boolean;
}

const STATES = ['true', 'false', 'all'];

function filtered<T>(command: Command, { noun, searched }: Lists<T>): Command {
  return command
    .option('--search <text>', searched)
    .option('--tag <tag>', `Only ${noun}s with this tag; repeatable: with all of them`, collect)
    .addOption(new Option('--archived <state>', 'true: only archived ones; all: those too').choices(STATES))
    .option('--sort <field,direction>', 'Order, such as clickCount,desc (default: createdAt,desc)')
    .addOption(jsonOption());
}

export function addList<T>(parent: Command, of: Lists<T>): void {
  filtered(parent.command('list').description(`List ${of.noun}s`), of)
    .addOption(limitOption())
    .action(async ({ json = false, limit, ...query }: ListOptions) => {
      const api = await service();
      const found = await take(of.list(api, { ...query, size: Math.min(limit, 100) }), limit);
      const output = new Output(json);
      if (json) output.document(found);
      else output.table(of.header, found.map(of.cells));
    });
}

interface ExportOptions extends Omit<ListOptions, 'limit'> {
  output?: string;
}

export function addExport<T>(parent: Command, of: Lists<T>): void {
  const description = `Write ${of.noun}s as CSV; with --json, one JSON object a line`;
  filtered(parent.command('export').description(description), of)
    .option('-o, --output <file>', 'File to write (default: standard output)')
    .action(async ({ json = false, output: file, ...query }: ExportOptions) => {
      const api = await service();
      const target = file === undefined ? process.stdout : createWriteStream(file);
      if (json) {
        for await (const item of of.list(api, query)) await write(target, `${JSON.stringify(item)}\n`);
      } else {
        for await (const chunk of await of.export(api, query)) await write(target, chunk);
      }
      if (file !== undefined) await new Promise<void>((done) => target.end(done));
    });
}

/** Waits while the reader is slower. */
function write(target: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    target.write(chunk, (error) => {
      if (error) reject(error);
      else resolve();
    }),
  );
}

interface ImportOptions {
  from?: LayoutName;
  dryRun?: boolean;
  maxErrors: number;
  json?: boolean;
}

export function addImport<T>(parent: Command, of: Lists<T>): void {
  const command = parent
    .command('import')
    .description(`Create ${of.noun}s from a file, such as an export`)
    .argument('<file>', 'CSV or JSON file; - for standard input');
  // Exports of other products have no names, which campaigns need.
  if (of.noun === 'link') {
    command.addOption(
      new Option('--from <product>', 'Product that wrote the file: refuses one without its columns').choices(
        LAYOUT_NAMES,
      ),
    );
  }
  command
    .option('--dry-run', 'Check every row and create nothing')
    .option('--max-errors <number>', 'Failed rows to show', wholeNumber(1), 100)
    .addOption(jsonOption())
    .action(async (file: string, { from, dryRun = false, maxErrors, json = false }: ImportOptions) => {
      const content = file === '-' ? new Blob([await readStdin()]) : await open(file);
      const start = await content.slice(0, 65_536).text();
      if (from) checkLayout(from, start);
      const rows = isJson(start) ? content.slice(0, content.size, 'application/json') : content;
      const api = await service();
      const result = await of.import(api, { file: rows, dryRun, maxErrors });
      if (result.failed > 0) process.exitCode = EXIT.failure;
      const output = new Output(json);
      if (json) {
        output.document(result);
        return;
      }
      const { created, generated, legacyCodes, failed, ignoredColumns, errors } = result;
      output.print(dryRun ? 'Dry run: nothing was created.' : 'Imported.');
      output.print(
        `${amount(created, of.noun)} ${dryRun ? 'would be created' : 'created'}: ${created - generated} with the code of the file, ${generated} with a new one`,
      );
      if (legacyCodes > 0)
        output.print(`Codes that new ones cannot have, and which are kept: ${legacyCodes}`);
      if (ignoredColumns.length > 0) output.print(`Ignored columns: ${ignoredColumns.join(', ')}`);
      if (failed === 0) return;
      output.print(`${failed} refused:`);
      output.table(
        ['LINE', 'CODE', 'REASON'],
        errors.map(({ line, code, message }) => [line, code, message]),
      );
      if (failed > errors.length) output.print(`… and ${failed - errors.length} more (--max-errors)`);
    });
}

async function open(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch {
    throw new UsageError(`file: ${file} cannot be read`);
  }
}
