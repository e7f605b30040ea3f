import type { SwaggerCustomOptions } from '@nestjs/swagger';
import { TAG_GROUPS } from './openapi-tags';

/** The tags of the page, as much of them as the search needs. */
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
 * Searches paths, names and summaries, in any letter case; Swagger UI's own filter knows the names of groups alone. Its
 * text is sent to the browser, so it can use nothing from outside of it.
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

/** A heading above the first group of each audience. */
const HEADINGS = TAG_GROUPS.map(({ name, description, tags }) => {
  const first = `.opblock-tag[data-tag="${tags[0]?.name ?? ''}"]`;
  return `.swagger-ui .opblock-tag-section:has(> ${first})::before { content: "${name}: ${description}" }`;
});
const HEADING =
  '.swagger-ui .opblock-tag-section::before { display: block; padding: 2.5em 10px 0.5em; font: bold 1rem sans-serif }';

export const PAGE_OPTIONS: SwaggerCustomOptions = {
  customSiteTitle: 'Waypost API',
  customCss: [HEADING, ...HEADINGS].join('\n'),
  swaggerOptions: {
    // The page must work offline, and tell no other site what it shows.
    validatorUrl: null,
    persistAuthorization: true,
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    plugins: [search],
  },
};
