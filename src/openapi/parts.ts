import type { OpenAPIObject } from '@nestjs/swagger';
import { CROSS_PLATFORM_API } from '../access/access.decorator';
import { CONSOLE_API, SERVICE_API } from '../access/service-controller';
import { declareTags } from './tags';
import { CONSOLE, CROSS_PLATFORM, ERRORS, FORMATS, SDK, SERVICE } from './texts';

/** A document for one audience. */
interface Part {
  /** Name in the URL path: `/api/openapi/<name>.json`. */
  readonly name: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Prefixes of the API paths in the document. */
  readonly paths: readonly string[];
  readonly webhooks?: true;
}

/** URL path of the complete document. */
export const WHOLE = '/api/openapi.json';

type Components = Record<string, Record<string, unknown> | undefined>;

interface Operation {
  tags?: string[];
  security?: Record<string, string[]>[];
}

export const PARTS: readonly Part[] = [
  {
    name: 'service',
    title: 'Waypost Service API',
    paragraphs: ['Links, campaigns, contacts and statistics, for your servers.', FORMATS, ERRORS, SERVICE],
    paths: [SERVICE_API],
    webhooks: true,
  },
  {
    name: 'sdk',
    title: 'Waypost SDK and cross-platform APIs',
    paragraphs: ['For apps, pages, and servers that speak for them.', FORMATS, ERRORS, CROSS_PLATFORM, SDK],
    paths: ['/api/v1/sdk/', CROSS_PLATFORM_API],
  },
  {
    name: 'console',
    title: 'Waypost Console API',
    paragraphs: ['All that an organization has, for its users and the platform.', FORMATS, ERRORS, CONSOLE],
    paths: [CONSOLE_API],
  },
];

export function addressOf({ name }: Part): string {
  return `/api/openapi/${name}.json`;
}

/**
 * The part of the complete document for an audience, with the tags and components in use. Shares objects with the
 * complete document.
 */
export function partOf(whole: OpenAPIObject, { title, paragraphs, ...part }: Part): OpenAPIObject {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).filter(([path]) => part.paths.some((prefix) => path.startsWith(prefix))),
  );
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);
  const content = { paths, ...(part.webhooks && { webhooks: whole.webhooks }) };
  const { openapi, info, servers } = whole;
  const document: OpenAPIObject = {
    openapi,
    info: { ...info, title, description: paragraphs.join('\n\n') },
    servers,
    ...content,
    components: usedComponents(content, operations, (whole.components ?? {}) as Components),
  };
  declareTags(document, new Set(operations.flatMap(({ tags = [] }) => tags)));
  return document;
}

/** The components that `content` refers to, directly or indirectly, in the order of the complete document. */
function usedComponents(content: object, operations: readonly Operation[], components: Components): object {
  const schemes = operations.flatMap(({ security = [] }) => security.flatMap(Object.keys));
  const used = new Set(schemes.map((name) => `securitySchemes/${name}`));
  const pending: unknown[] = [content];
  while (pending.length > 0) {
    for (const [, reference = ''] of JSON.stringify(pending.pop()).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (used.has(reference)) continue;
      used.add(reference);
      const [section = '', name = ''] = reference.split('/');
      pending.push(components[section]?.[name] ?? {});
    }
  }
  const sections = Object.entries(components).map(([section, all = {}]) => {
    const kept = Object.entries(all).filter(([name]) => used.has(`${section}/${name}`));
    return [section, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(sections.filter(([, kept]) => Object.keys(kept).length > 0));
}
