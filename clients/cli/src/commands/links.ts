import type { Answer } from '@waypost/client';
import type { Command } from 'commander';
import { addLinkFields, linkFieldsOf, type LinkFieldOptions } from '../link-fields';
import { endOption, jsonOption, startOption } from '../options';
import { Output } from '../output';
import { domainId, findLink, service } from '../service';
import { printStatistics } from '../statistics';
import { addExport, addImport, addList, type Lists } from './lists';

const LISTS: Lists<Answer<'listShortUrls'>['content'][number]> = {
  noun: 'link',
  searched: 'Part of the title, the address, the destination or a tag',
  header: ['ID', 'SHORT URL', 'DESTINATION', 'TITLE', 'CLICKS', 'CREATED'],
  cells: ({ id, link, originalUrl, title, clickCount, createdAt }) => [
    id,
    link,
    originalUrl,
    title,
    clickCount,
    createdAt.slice(0, 10),
  ],
  list: (api, query) => api.links.listShortUrls(query),
  export: (api, query) => api.links.exportShortUrls(query),
  import: (api, params) => api.links.importShortUrls(params),
};

export function addLinks(program: Command): void {
  const links = program.command('links').description('Create, list, measure, export and import short links');
  addCreate(links);
  addList(links, LISTS);
  addStats(links);
  addExport(links, LISTS);
  addImport(links, LISTS);
}

interface CreateOptions extends LinkFieldOptions {
  alias?: string;
  json?: boolean;
}

function addCreate(links: Command): void {
  const create = links
    .command('create')
    .description('Create a short link')
    .argument('<url>', 'Destination')
    .option('--alias <alias>', 'Code of the link (default: a random one)');
  addLinkFields(create).action(async (url: string, options: CreateOptions) => {
    const api = await service();
    const { alias, domain } = options;
    const link = await api.links.createShortUrl({
      ...linkFieldsOf(options),
      url,
      customAlias: alias,
      expirationDate: options.expiresAt,
      customDomainId: domain === undefined ? undefined : await domainId(api, domain),
    });
    const output = new Output(options.json ?? false);
    if (output.json) output.document(link);
    else output.print(link.link);
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
          Regions: statistics.topRegions,
          Cities: statistics.topCities,
          Referrers: statistics.topReferrers,
          Devices: statistics.deviceTypeStats,
          Browsers: statistics.topBrowsers,
        },
      });
    });
}
