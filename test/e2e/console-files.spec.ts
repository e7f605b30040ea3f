import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import request from 'supertest';
import { API_HOST, perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { OpenApi, type Schema } from '../support/openapi';

const ROOT = resolve(__dirname, '../..');
const BUILT = join(ROOT, 'dist/console');
const PAGES = 'console/src/pages';
const SHARED = `${PAGES}/links/form/shared-values.ts`;
/** Parameters of the call, not fields of the form. */
const CALLING = ['findIfExists'];
const FIRST_PAGE_LIMIT = 250 * 1024;

/** Paths below dist/console that a page refers to. */
function references(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, path = '']) => path);
}

const app = useTestApp();

describe('the files of the console', () => {
  const index = readFileSync(join(BUILT, 'index.html'), 'utf8');

  const get = (path: string, host = API_HOST) => request(app.url).get(path).set('Host', host);

  it('are a page at /console and at every path below, revalidated, under a strict policy', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/links/17?tab=settings',
      '/console/invitations/wp_invitation_x',
    ]) {
      const { status, text, headers } = await get(path);
      expect([path, status, text]).toEqual([path, 200, index]);
      expect(headers['cache-control']).toBe('no-cache');
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    const { headers } = await get('/console');
    // A browser applies these to the page that it has.
    const fresh = await get('/console/links')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
    for (const name of ['cache-control', 'content-security-policy']) {
      expect([name, fresh.headers[name]]).toEqual([name, headers[name]]);
    }
  });

  it('contain no inline script, and have hashed names that are cached for ever', async () => {
    expect(index).not.toMatch(/<script(?![^>]*\ssrc=)/);
    const assets = references(index).filter((path) => path.startsWith('assets/'));
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) {
      const { status, headers } = await get(`/console/${path}`).set('Accept-Encoding', 'br');
      expect([status, headers['content-encoding']]).toEqual([200, 'br']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('answer 404 for a script that is gone after an update', async () => {
    const { headers } = await get('/console/assets/index-00000000.js').expect(404);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('are served beside short links on one host, where `console` is no alias', async () => {
    const { text } = await get('/console', SHORT_HOST);
    expect(text).toBe(index);
  });

  it('are at most 250 KB of compressed script on the first page', () => {
    // The overview, which is the first page, is in the same script as the frame around it.
    const scripts = new Set<string>();
    for (const path of references(index)) if (path.endsWith('.js')) collect(path, scripts);
    const size = [...scripts].reduce((sum, path) => sum + statSync(join(BUILT, `${path}.gz`)).size, 0);
    expect(size).toBeLessThanOrEqual(FIRST_PAGE_LIMIT);
  });
});

/** Adds a script and what it imports statically. */
function collect(path: string, into: Set<string>): void {
  into.add(path);
  const text = readFileSync(join(BUILT, path), 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
    if (!into.has(`assets/${name}`)) collect(`assets/${name}`, into);
  }
}

describe('every field of the API is in the console', () => {
  const api = perSuite(() => OpenApi.of(app));

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
