import { openAsBlob, createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { type Command, Option } from 'commander';
import { EXIT, UsageError } from '../exit';
import { checkLayout, LAYOUT_NAMES, type LayoutName } from '../layouts';
import { addLinkFields, linkFieldsOf, type LinkFieldOptions } from '../link-fields';
import {
  collectList,
  collect,
  endOption,
  jsonOption,
  limitOption,
  startOption,
  wholeNumber,
} from '../options';
import { Output } from '../output';
import { readStdin } from '../prompt';
import { domainId, findLink, service, take } from '../service';
import { printStatistics } from '../statistics';

const STATES = ['true', 'false', 'all'];

export function addLinks(program: Command): void {
  const links = program.command('links').description('Create, list, measure, export and import short links');
  addCreate(links);
  addList(links);
  addStats(links);
  addExport(links);
  addImport(links);
}

interface CreateOptions extends LinkFieldOptions {
  alias?: string;
  tag?: string[];
  maxClicks?: number;
  findIfExists?: boolean;
  json?: boolean;
}

function addCreate(links: Command): void {
  const create = links
    .command('create')
    .description('Create a short link')
    .argument('<url>', 'Destination')
    .option('--alias <alias>', 'Code of the link (default: a random one)')
    .option('--tag <tags>', 'Tags, separated by commas', collectList)
    .option('--max-clicks <number>', 'Clicks after which it ends', wholeNumber(1))
    .option(
      '--find-if-exists',
      'Answer with a link that has the same destination and settings, if there is one',
    );
  addLinkFields(create).action(async (url: string, options: CreateOptions) => {
    const api = await service();
    const { alias, tag, maxClicks, findIfExists, domain } = options;
    const link = await api.links.createShortUrl({
      ...linkFieldsOf(options),
      url,
      customAlias: alias,
      expirationDate: options.expiresAt,
      tags: tag,
      maxClicks,
      findIfExists,
      customDomainId: domain === undefined ? undefined : await domainId(api, domain),
    });
    const output = new Output(options.json ?? false);
    if (output.json) output.document(link);
    else output.print(link.link);
  });
}

interface ListOptions {
  search?: string;
  tag?: string[];
  archived?: 'true' | 'false' | 'all';
  sort?: string;
  limit: number;
  json?: boolean;
}

const listFilters = (command: Command) =>
  command
    .option('--search <text>', 'Part of the title, the address, the destination or a tag')
    .option('--tag <tag>', 'Only links with this tag; repeatable: with all of them', collect)
    .addOption(new Option('--archived <state>', 'true: only archived ones; all: those too').choices(STATES))
    .option('--sort <field,direction>', 'Order, such as clickCount,desc (default: createdAt,desc)')
    .addOption(jsonOption());

function addList(links: Command): void {
  listFilters(links.command('list').description('List short links'))
    .addOption(limitOption())
    .action(async ({ json = false, limit, ...query }: ListOptions) => {
      const api = await service();
      const found = await take(api.links.listShortUrls({ ...query, size: Math.min(limit, 100) }), limit);
      const output = new Output(json);
      if (json) {
        output.document(found);
        return;
      }
      output.table(
        ['ID', 'SHORT URL', 'DESTINATION', 'TITLE', 'CLICKS', 'CREATED'],
        found.map((link) => [
          link.id,
          link.link,
          link.originalUrl,
          link.title,
          link.clickCount,
          link.createdAt.slice(0, 10),
        ]),
      );
    });
}

function addStats(links: Command): void {
  links
    .command('stats')
    .description('Show the clicks of a short link')
    .argument('<link>', 'Id, code or short URL')
    .addOption(startOption())
    .addOption(endOption())
    .addOption(jsonOption())
    .action(async (text: string, options: { startDate?: string; endDate?: string; json?: boolean }) => {
      const { json = false, ...range } = options;
      const api = await service();
      const { id } = await findLink(api, text);
      const statistics = await api.links.getShortUrlStatistics({ id, ...range });
      const output = new Output(json);
      if (json) {
        output.document(statistics);
        return;
      }
      const { url, chartLabels, chartData, meta } = statistics;
      printStatistics(output, {
        title: `${url.link} → ${url.originalUrl}`,
        from: meta.actualStartDate,
        to: meta.actualEndDate,
        clicks: chartData.reduce((sum, value) => sum + value, 0),
        visitors: statistics.visitors,
        bots: statistics.botClicks,
        days: chartLabels.map((label, i) => ({ label, value: chartData[i] ?? 0 })),
        groups: {
          Countries: statistics.topCountries,
          Referrers: statistics.topReferrers,
          Devices: statistics.deviceTypeStats,
          Browsers: statistics.topBrowsers,
        },
      });
    });
}

function addExport(links: Command): void {
  listFilters(
    links.command('export').description('Write short links as CSV; with --json, one JSON object a line'),
  )
    .option('-o, --output <file>', 'File to write (default: standard output)')
    .action(
      async ({ json = false, output: file, ...query }: Omit<ListOptions, 'limit'> & { output?: string }) => {
        const api = await service();
        const target = file === undefined ? process.stdout : createWriteStream(file);
        if (json) {
          for await (const link of api.links.listShortUrls(query)) {
            await write(target, `${JSON.stringify(link)}\n`);
          }
        } else {
          const csv = await api.links.exportShortUrls(query);
          for await (const chunk of csv) await write(target, chunk);
        }
        if (file !== undefined) await new Promise<void>((done) => target.end(done));
      },
    );
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

function addImport(links: Command): void {
  links
    .command('import')
    .description('Create short links from a CSV file, such as the export of another product')
    .argument('<file>', 'CSV file; - for standard input')
    .addOption(
      new Option('--from <product>', 'Product that wrote the file: refuses one without its columns').choices(
        LAYOUT_NAMES,
      ),
    )
    .option('--dry-run', 'Check every row and create nothing')
    .option('--max-errors <number>', 'Failed rows to show', wholeNumber(1), 100)
    .addOption(jsonOption())
    .action(async (file: string, { from, dryRun = false, maxErrors, json = false }: ImportOptions) => {
      const csv = file === '-' ? new Blob([await readStdin()]) : await open(file);
      if (from) checkLayout(from, await csv.slice(0, 65_536).text());
      const api = await service();
      const result = await api.links.importShortUrls({ file: csv, dryRun, maxErrors });
      if (result.failed > 0) process.exitCode = EXIT.failure;
      const output = new Output(json);
      if (json) {
        output.document(result);
        return;
      }
      const { created, generated, failed, ignoredColumns, errors } = result;
      output.print(dryRun ? 'Dry run: nothing was created.' : 'Imported.');
      output.print(
        `${links_(created)} ${dryRun ? 'would be created' : 'created'}: ${created - generated} with the code of the file, ${generated} with a new one`,
      );
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

const links_ = (count: number) => `${count} ${count === 1 ? 'link' : 'links'}`;

async function open(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch {
    throw new UsageError(`file: ${file} cannot be read`);
  }
}
