import type { SwaggerCustomOptions } from '@nestjs/swagger';
import { TAG_GROUPS } from './tags';

/** The part of Swagger UI's tags that the search uses. */
interface Tags {
  map(change: (tag: Tag, name: string) => Tag): Tags;
  filter(keep: (tag: Tag) => boolean): Tags;
}
interface Tag {
  get(key: 'operations'): { size: number };
  update(key: 'operations', change: (operations: Operations) => Operations): Tag;
}
interface Operations {
  filter(keep: (operation: Operation) => boolean): Operations;
}
interface Operation {
  getIn(path: string[]): string | undefined;
}

/**
 * Case-insensitive search in paths, names and summaries, whereas Swagger UI's filter matches tag names only. The
 * function's source is sent to the browser, so it must be self-contained.
 */
function search() {
  return {
    fn: {
      opsFilter: (tags: Tags, phrase: string) => {
        const wanted = phrase.toLowerCase();
        const has = (text?: string) => text?.toLowerCase().includes(wanted) === true;
        const fields = [['path'], ['operation', 'operationId'], ['operation', 'summary']];
        const matches = (operation: Operation) => fields.some((field) => has(operation.getIn(field)));
        return tags
          .map((tag, name) => (has(name) ? tag : tag.update('operations', (all) => all.filter(matches))))
          .filter((tag) => tag.get('operations').size > 0);
      },
    },
  };
}

/** Swagger UI's resolver. `path` is a JSON path, such as `['paths', '/links', 'get']`. */
type Resolve = (document: Node, path: string[], options: unknown) => unknown;
type Node = Record<string, unknown>;
interface SwaggerUi {
  fn: { resolveSubtree: Resolve };
}

/**
 * Limits the resolver to the opened operation and the components that it refers to, since resolving the whole document
 * takes seconds. The function's source is sent to the browser, so it must be self-contained.
 */
function resolveParts() {
  const at = (node: unknown, key: string) => (node as Node | undefined)?.[key];
  const only = (node: unknown, [key = '', ...rest]: string[]): Node => ({
    [key]: rest.length === 0 ? at(node, key) : only(at(node, key), rest),
  });
  const excerpt = (document: Node, path: string[]): Node => {
    const components: Record<string, Node> = {};
    const follow = (value: unknown): void => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(follow);
      if (typeof value !== 'string' || !value.startsWith('#/components/')) return;
      const [, , kind = '', name = ''] = value.split('/');
      const found = (components[kind] ??= {});
      if (name in found) return;
      found[name] = at(at(document['components'], kind), name);
      follow(found[name]);
    };
    const part = only(document, path);
    follow(part);
    return { ...document, paths: {}, webhooks: {}, components, ...part };
  };
  return {
    afterLoad(this: SwaggerUi) {
      const resolve = this.fn.resolveSubtree;
      this.fn.resolveSubtree = (document, path, options) => resolve(excerpt(document, path), path, options);
    },
  };
}

/** Shows a heading above the first tag of each audience. */
const HEADINGS = TAG_GROUPS.map(({ name, description, tags }) => {
  const first = `.opblock-tag[data-tag="${tags[0]?.name ?? ''}"]`;
  return `.swagger-ui .opblock-tag-section:has(> ${first})::before { content: "${name}: ${description}" }`;
});
const HEADING =
  '.swagger-ui .opblock-tag-section::before { display: block; padding: 2.5em 10px 0.5em; font: bold 1rem sans-serif }';

/** @param urls the documents to choose from, the default first */
export function pageOptions(urls: readonly { name: string; url: string }[]): SwaggerCustomOptions {
  return {
    customSiteTitle: 'Waypost API',
    customCss: [HEADING, ...HEADINGS].join('\n'),
    explorer: true,
    swaggerOptions: {
      urls,
      // Disabled: the page works offline and sends nothing to other sites.
      validatorUrl: null,
      persistAuthorization: true,
      docExpansion: 'none',
      filter: true,
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      plugins: [search, resolveParts],
    },
  };
}
