import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const PAGES = 'console/src/pages';
const SHARED = `${PAGES}/links/form/shared-values.ts`;

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
}
const document = JSON.parse(readFileSync(join(ROOT, 'dist/openapi/console.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Fields of the body of an operation. */
function fieldsOf(operationId: string): string[] {
  const operation = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .find((each) => each.operationId === operationId);
  const names = (schema: Schema): string[] => {
    const { properties = {}, allOf = [] } = schema.$ref
      ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
      : schema;
    return [...Object.keys(properties), ...allOf.flatMap(names)];
  };
  return names(operation?.requestBody?.content['application/json']?.schema ?? {});
}

/** Parameters of the call, not fields of the form. */
const CALLING = ['findIfExists'];

describe('every field of the API is in the console', () => {
  it.each([
    ['createOrganizationShortUrl', `${PAGES}/links/form/values.ts`],
    ['createOrganizationShortUrl', `${PAGES}/link/field-list.tsx`],
    ['createOrganizationCampaign', `${PAGES}/campaigns/form/values.ts`],
    ['createOrganizationCampaign', `${PAGES}/campaigns/campaign/settings-tab.tsx`],
  ])('%s: %s', (operationId, file) => {
    const code = [file, SHARED].map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
    const fields = fieldsOf(operationId);
    expect(fields.length).toBeGreaterThan(20);
    // The page of a link has its alias in the address above.
    const elsewhere = file.endsWith('field-list.tsx') ? ['customAlias', ...CALLING] : CALLING;
    expect(fields.filter((field) => !elsewhere.includes(field) && !code.includes(field))).toEqual([]);
  });

  it('campaigns know every field of links that they do not have', () => {
    const code = readFileSync(join(ROOT, 'src/modules/campaigns/campaigns.dto.ts'), 'utf8');
    const [, named = ''] = /const NAMED_ELSEWHERE = \{(.*?)\n\}/s.exec(code) ?? [];
    const own = fieldsOf('createOrganizationCampaign');
    const missing = fieldsOf('createOrganizationShortUrl').filter(
      (field) => !own.includes(field) && !named.includes(`${field}:`),
    );
    expect(missing).toEqual([]);
  });
});
