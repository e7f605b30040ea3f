import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OpenApi, type Schema } from '../support/openapi';
import { useTestApp } from '../support/test-app';

const ROOT = resolve(__dirname, '../..');
const PAGES = 'console/src/pages';
const SHARED = `${PAGES}/links/form/shared-values.ts`;

/** Parameters of the call, not fields of the form. */
const CALLING = ['findIfExists'];

describe('every field of the API is in the console', () => {
  const app = useTestApp();
  let api: OpenApi;
  beforeAll(async () => {
    api = await OpenApi.of(app);
  });

  /** Fields of the body of an operation. */
  const fieldsOf = (operationId: string): string[] => {
    const route = api.routes().find((each) => each.operationId === operationId);
    const names = (given: Schema): string[] => {
      const { properties = {}, allOf = [] } = given.$ref ? api.resolve(given) : given;
      return [...Object.keys(properties), ...allOf.flatMap(names)];
    };
    return names(route?.requestBody?.content?.['application/json']?.schema ?? {});
  };

  it.each([
    ['createOrganizationShortUrl', `${PAGES}/links/form/values.ts`],
    ['createOrganizationShortUrl', `${PAGES}/link/field-list.tsx`],
    ['createOrganizationCampaign', `${PAGES}/campaigns/form/values.ts`],
    ['createOrganizationCampaign', `${PAGES}/link/field-list.tsx`],
  ])('%s: %s', (operationId, file) => {
    const code = [file, SHARED].map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
    const fields = fieldsOf(operationId);
    expect(fields.length).toBeGreaterThan(20);
    // The page has the alias in the address above.
    const elsewhere = file.endsWith('field-list.tsx') ? ['customAlias', 'alias', ...CALLING] : CALLING;
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
