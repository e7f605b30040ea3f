import type { Answer } from '@waypost/client';
import type { Command } from 'commander';
import { addLinkFields, linkFieldsOf, type LinkFieldOptions } from '../link-fields';
import { endOption, jsonOption, startOption } from '../options';
import { Output } from '../output';
import { domainId, findCampaign, service } from '../service';
import { printStatistics } from '../statistics';
import { addExport, addImport, addList, type Lists } from './lists';

const LISTS: Lists<Answer<'listCampaigns'>['content'][number]> = {
  noun: 'campaign',
  searched: 'Part of the name or alias',
  header: ['ID', 'NAME', 'LINK', 'DESTINATION', 'CLICKS', 'CREATED'],
  cells: ({ id, name, link, originalUrl, clickCount, createdAt }) => [
    id,
    name,
    link,
    originalUrl,
    clickCount,
    createdAt.slice(0, 10),
  ],
  list: (api, query) => api.campaigns.listCampaigns(query),
  export: (api, query) => api.campaigns.exportCampaigns(query),
  import: (api, params) => api.campaigns.importCampaigns(params),
};

export function addCampaigns(program: Command): void {
  const campaigns = program
    .command('campaigns')
    .description('Create, list, measure, export and import campaigns');
  addCreate(campaigns);
  addList(campaigns, LISTS);
  addStats(campaigns);
  addExport(campaigns, LISTS);
  addImport(campaigns, LISTS);
}

interface CreateOptions extends LinkFieldOptions {
  name: string;
  alias?: string;
  json?: boolean;
}

function addCreate(campaigns: Command): void {
  const create = campaigns
    .command('create')
    .description('Create a campaign')
    .argument('<url>', 'Destination')
    .requiredOption('--name <name>', 'Name')
    .option('--alias <alias>', 'Last part of its link (default: a random one)');
  addLinkFields(create).action(async (url: string, options: CreateOptions) => {
    const api = await service();
    const { name, alias, expiresAt, domain } = options;
    const campaign = await api.campaigns.createCampaign({
      ...linkFieldsOf(options),
      originalUrl: url,
      name,
      alias,
      expiresAt,
      customDomainId: domain === undefined ? undefined : await domainId(api, domain),
    });
    const output = new Output(options.json ?? false);
    if (output.json) output.document(campaign);
    else output.print(campaign.link);
  });
}

function addStats(campaigns: Command): void {
  campaigns
    .command('stats')
    .description('Show the clicks of a campaign')
    .argument('<campaign>', 'Id, alias or URL')
    .addOption(startOption())
    .addOption(endOption())
    .option('--custom-id <id>', 'Only clicks of this customer (cid)')
    .addOption(jsonOption())
    .action(
      async (
        text: string,
        options: { startDate?: string; endDate?: string; customId?: string; json?: boolean },
      ) => {
        const { json = false, ...query } = options;
        const api = await service();
        const { id } = await findCampaign(api, text);
        const statistics = await api.campaigns.getCampaignStatistics({ id, ...query });
        const output = new Output(json);
        if (json) {
          output.document(statistics);
          return;
        }
        const { campaign, totalClicks, dailyClicks, meta } = statistics;
        printStatistics(output, {
          title: `${campaign.name}: ${campaign.link}`,
          from: meta.actualStartDate,
          to: meta.actualEndDate,
          clicks: totalClicks,
          visitors: statistics.visitors,
          bots: statistics.botClicks,
          days: dailyClicks.map(({ date, clicks }) => ({ label: date, value: clicks })),
          groups: {
            Channels: statistics.topTrackers,
            Countries: statistics.topCountries,
            Regions: statistics.topRegions,
            Cities: statistics.topCities,
            Referrers: statistics.topReferrers,
            Devices: statistics.deviceTypeStats,
          },
        });
      },
    );
}
