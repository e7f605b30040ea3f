import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import request from 'supertest';
import { OpenApi } from '../support/openapi';
import { API_HOST, useTestApp } from '../support/test-app';

const ROOT = resolve(__dirname, '../..');

/** The documents by audience, with the groups of their tags. */
const AUDIENCES = [
  ['service', ['Service API']],
  ['sdk', ['Mobile SDK', 'Web SDK', 'Cross-platform']],
  ['console', ['Console']],
] as const;

describe('OpenAPI documents by audience', () => {
  const app = useTestApp();
  let whole: OpenApi;
  const documents = new Map<string, OpenApi>();
  const documentOf = (name: string) => documents.get(name) as OpenApi;

  beforeAll(async () => {
    whole = await OpenApi.of(app);
    for (const [name] of AUDIENCES) {
      documents.set(name, await OpenApi.of(app, API_HOST, `/api/openapi/${name}.json`));
    }
  });

  it('have every operation once, as the whole document has it, except those of operators', () => {
    const operations = [...documents.values()].flatMap((each) => each.routes());
    const key = ({ path, method }: { path: string; method: string }) => `${path} ${method}`;
    const expected = whole.routes().filter(({ tags }) => tags[0] !== 'Operations');
    expect(expected.length).toBeGreaterThan(150);
    const sorted = (routes: typeof expected) => routes.sort((a, b) => key(a).localeCompare(key(b)));
    expect(sorted(operations)).toEqual(sorted(expected));
    const ids = whole.routes().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have the webhooks in the one for servers, which receive them', () => {
    expect(documentOf('service').document.webhooks).toEqual(whole.document.webhooks);
    expect(documentOf('sdk').document.webhooks).toBeUndefined();
    expect(documentOf('console').document.webhooks).toBeUndefined();
  });

  it.each(AUDIENCES)('%s.json has the tags that it uses, in groups', (name, groups) => {
    const { document } = documentOf(name);
    const used = new Set(
      documentOf(name)
        .routes()
        .flatMap(({ tags }) => tags),
    );
    expect(new Set(document.tags.map((tag) => tag.name))).toEqual(used);
    expect(document['x-tagGroups']).toEqual(
      whole.document['x-tagGroups'].filter((group) => (groups as readonly string[]).includes(group.name)),
    );
  });

  it.each(AUDIENCES)('%s.json has exactly the components that it refers to', (name) => {
    const { document } = documentOf(name);
    const { components, ...rest } = document;
    const { securitySchemes = {}, ...referred } = components;
    const declared = Object.entries(referred).flatMap(([section, all]) =>
      Object.keys(all).map((each) => `${section}/${each}`),
    );
    // Of each component alone, so that one that only refers to itself does not count as used.
    const texts = Object.entries(referred).flatMap(([section, all]) =>
      Object.entries(all).map(([each, value]) => [`${section}/${each}`, JSON.stringify(value)] as const),
    );
    const usedBy = (component: string) =>
      [['', JSON.stringify(rest)] as const, ...texts].some(
        ([by, text]) => by !== component && text.includes(`"#/components/${component}"`),
      );
    expect(declared.filter((each) => !usedBy(each))).toEqual([]);
    const references = JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g);
    expect(new Set([...references].map(([, reference]) => reference))).toEqual(new Set(declared));

    const schemes = documentOf(name)
      .routes()
      .flatMap(({ security }) => security.flatMap((requirement) => Object.keys(requirement)));
    expect(new Set(Object.keys(securitySchemes))).toEqual(new Set(schemes));
  });

  it('say whom they are for', () => {
    const titles = [...documents.values()].map(({ document }) => document.info.title);
    expect(titles).toEqual([
      'Waypost Service API',
      'Waypost SDK and cross-platform APIs',
      'Waypost Console API',
    ]);
    expect(documentOf('service').document.info.description).not.toContain('X-App-ID');
    expect(documentOf('console').document.info.description).not.toContain('X-API-KEY');
  });

  it('pass redocly lint', () => {
    const folder = mkdtempSync(join(ROOT, 'test/.tmp/openapi-'));
    const files = AUDIENCES.map(([name]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(documentOf(name).document));
      return file;
    });
    const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const lint = () =>
      execFileSync(process.execPath, [cli, 'lint', ...files, `--config=${join(ROOT, 'redocly.yaml')}`], {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        stdio: 'pipe',
      });
    expect(lint).not.toThrow();
  });

  it('can be chosen on the page', async () => {
    const get = (path: string) => request(app.url).get(path).set('Host', API_HOST);
    const { text } = await get('/api/docs/swagger-ui-init.js').expect(200);
    for (const name of ['', '/service', '/sdk', '/console']) {
      const address = `/api/openapi${name}.json`;
      expect(text).toContain(`"url": "${address}"`);
      await get(address)
        .expect(200)
        .expect('Content-Type', /^application\/json/);
    }
    await get('/api/openapi/operations.json').expect(404);
  });
});
