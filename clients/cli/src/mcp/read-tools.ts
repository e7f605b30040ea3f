import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { explain } from '../explain';
import { rangeBefore } from '../range';
import { findCampaign, findLink, type Service } from '../service';
import {
  answer,
  day,
  type Dimension,
  DIMENSIONS,
  filterArguments,
  linkArgument,
  pageArguments,
  UNTRUSTED,
} from './tool';

const annotations = { readOnlyHint: true, openWorldHint: false } as const;

const rangeArguments = {
  startDate: day('First day')
    .optional()
    .describe('First day, as YYYY-MM-DD; default: 30 days with the last one'),
  endDate: day('Last day').optional().describe('Last day, inclusive, as YYYY-MM-DD; default: today'),
};

/** What explains a change most often; each is a call. */
const EXPLAINED: Dimension[] = ['link', 'campaign', 'country', 'device', 'referrer', 'utmSource'];

const listArguments = {
  tags: z.array(z.string()).max(20).optional().describe('Only those with all of these tags'),
  archived: z.enum(['true', 'false', 'all']).optional().describe('true: only archived ones; all: those too'),
  sort: z.string().optional().describe('field,direction, such as clickCount,desc or createdAt,asc'),
  ...pageArguments,
};

export function addReadTools(server: McpServer, api: Service): void {
  server.registerTool(
    'find_links',
    {
      title: 'Find links',
      description: `Short links that match a search, newest first by default.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        search: z.string().max(100).optional().describe('Part of the title, address, destination or a tag'),
        ...listArguments,
      }),
      annotations,
    },
    ({ tags: tag, limit: size, ...query }) =>
      answer(async () => {
        const found = await api.links.listShortUrls({ ...query, tag, size });
        return { total: found.totalElements, links: found.content.map(summaryOf) };
      }),
  );

  server.registerTool(
    'get_link',
    {
      title: 'Get a link',
      description: `Everything about one short link.${UNTRUSTED}`,
      inputSchema: z.strictObject({ link: linkArgument }),
      annotations,
    },
    ({ link }) => answer(async () => ({ link: await findLink(api, link) })),
  );

  server.registerTool(
    'list_campaigns',
    {
      title: 'List campaigns',
      description: `Campaigns that match a search, newest first by default.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        search: z.string().max(100).optional().describe('Part of the name or alias'),
        ...listArguments,
      }),
      annotations,
    },
    ({ tags: tag, limit: size, ...query }) =>
      answer(async () => {
        const found = await api.campaigns.listCampaigns({ ...query, tag, size });
        const campaigns = found.content.map(
          ({ id, name, alias, link, originalUrl, tags, clickCount, createdAt, expiresAt, archived }) => ({
            id,
            name,
            alias,
            link,
            originalUrl,
            tags,
            clickCount,
            createdAt,
            expiresAt,
            archived,
          }),
        );
        return { total: found.totalElements, campaigns };
      }),
  );

  server.registerTool(
    'click_figures',
    {
      title: 'Read click figures',
      description:
        'Clicks, visitors or clicks of bots in a range, by period and by one dimension: of the whole organization, of a link ' +
        `or of a campaign.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        ...rangeArguments,
        ...filterArguments,
        groupBy: z.enum(DIMENSIONS).optional().describe('Dimension of the groups'),
        interval: z.enum(['hour', 'day', 'week', 'month']).default('day').describe('Length of the periods'),
        metric: z
          .enum(['clicks', 'visitors', 'bots'])
          .default('clicks')
          .describe('Clicks of people, different people a day, or clicks of programs'),
        limit: z.int().min(1).max(100).default(10).describe('Groups before the rest is summed up'),
      }),
      annotations,
    },
    ({ link, campaign, filters, ...query }) =>
      answer(async () => ({
        ...(await api.analytics.getClickAnalytics({
          ...query,
          ...(await filterOf(api, { link, campaign, filters })),
        })),
      })),
  );

  server.registerTool(
    'explain_clicks',
    {
      title: 'Explain a change of clicks',
      description:
        'Compares the clicks of two ranges, and lists which values of which dimensions changed most. Every click counts once ' +
        `in each dimension, so changes of different dimensions overlap.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        startDate: day('First day of the range to explain'),
        endDate: day('Last day of the range to explain, inclusive'),
        compareStartDate: day('First day of the range to compare with').optional(),
        compareEndDate: day('Last day of the range to compare with').optional(),
        ...filterArguments,
        dimensions: z
          .array(z.enum(DIMENSIONS))
          .min(1)
          .max(8)
          .default(EXPLAINED)
          .describe('Dimensions to look at'),
        limit: z.int().min(1).max(50).default(10).describe('Changes to list'),
      }),
      annotations,
    },
    ({ startDate, endDate, compareStartDate, compareEndDate, link, campaign, filters, dimensions, limit }) =>
      answer(async () => {
        const range = { startDate, endDate };
        const before = rangeBefore(range);
        const query = {
          ...range,
          compareStartDate: compareStartDate ?? before.startDate,
          compareEndDate: compareEndDate ?? before.endDate,
          ...(await filterOf(api, { link, campaign, filters })),
        };
        return { ...(await explain(api, query, dimensions, limit)) };
      }),
  );

  server.registerTool(
    'conversion_figures',
    {
      title: 'Read conversions',
      description:
        'Conversions and revenue in a range by one dimension. Needs the add-on REVENUE_ANALYTICS; figures that the user of the ' +
        `key may not see are null.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        ...rangeArguments,
        ...filterArguments,
        groupBy: z.enum(DIMENSIONS).default('link').describe('Dimension of the groups'),
      }),
      annotations,
    },
    ({ link, campaign, filters, ...query }) =>
      answer(async () => ({
        ...(await api.analytics.listConversionGroups({
          ...query,
          ...(await filterOf(api, { link, campaign, filters })),
        })),
      })),
  );
}

type Link = Awaited<ReturnType<typeof findLink>>;

function summaryOf({
  id,
  link,
  originalUrl,
  title,
  tags,
  clickCount,
  createdAt,
  expiresAt,
  enabled,
  archived,
}: Link) {
  return { id, link, originalUrl, title, tags, clickCount, createdAt, expiresAt, enabled, archived };
}

interface Filter {
  link?: string;
  campaign?: string;
  filters?: Partial<Record<Dimension, string[]>>;
}

async function filterOf(
  api: Service,
  { link, campaign, filters }: Filter,
): Promise<Partial<Record<Dimension, string[]>>> {
  return {
    ...filters,
    ...(link !== undefined && { link: [String((await findLink(api, link)).id)] }),
    ...(campaign !== undefined && { campaign: [String((await findCampaign(api, campaign)).id)] }),
  };
}
