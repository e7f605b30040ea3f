import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { findLink, type Service } from '../service';
import { answer, linkArgument, UNTRUSTED } from './tool';

const text = (description: string) => z.string().optional().describe(description);

const fields = {
  title: text('Title'),
  tags: z.array(z.string()).optional().describe('Tags'),
  expirationDate: text('When the link ends, such as 2030-12-31T23:59:59Z'),
  utmSource: text('utm_source to add to the destination'),
  utmMedium: text('utm_medium to add to the destination'),
  utmCampaign: text('utm_campaign to add to the destination'),
  utmTerm: text('utm_term to add to the destination'),
  utmContent: text('utm_content to add to the destination'),
};

export function addWriteTools(server: McpServer, api: Service): void {
  server.registerTool(
    'create_link',
    {
      title: 'Create a link',
      description: `Creates a short link.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        url: z.url().describe('Destination'),
        customAlias: text('Code of the link; a random one by default'),
        ...fields,
      }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (body) => answer(async () => ({ link: await api.links.createShortUrl(body) })),
  );

  server.registerTool(
    'update_link',
    {
      title: 'Update a link',
      description: `Changes the given fields of a short link; visitors see the change within a second.${UNTRUSTED}`,
      inputSchema: z.strictObject({
        link: linkArgument,
        url: z.url().optional().describe('Destination'),
        enabled: z.boolean().optional().describe('false: the link does not answer'),
        archived: z.boolean().optional().describe('true: lists leave it out'),
        ...fields,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ link, ...body }) =>
      answer(async () => {
        const { id } = await findLink(api, link);
        return { link: await api.links.updateShortUrl({ id, ...body }) };
      }),
  );
}
