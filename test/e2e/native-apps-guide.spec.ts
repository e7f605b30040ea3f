import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { publishably, registerApp } from '../support/apps';
import { createBook } from '../support/contacts';
import { appApi } from '../support/factories';
import { OpenApi, type Route, type Schema } from '../support/openapi';
import { temporaryFolder } from '../support/servers';
import { perSuite, useTestApp } from '../support/test-app';

const GUIDE = readFileSync(resolve(__dirname, '../../docs/native-apps.md'), 'utf8');
const LANGUAGES = ['swift', 'kotlin', 'dart'] as const;

/** `waypost("GET", "/api/…", …)`, in any language. */
const CALL =
  /waypost\(\s*["'](GET|POST)["'],\s*["'`](\/api\/[^"'`]+)["'`],\s*(?:mapOf\(|[[{])([\s\S]*?)[\]})]\)/g;
const FIELD = /(?:^|[{[(,\s])["']?([A-Za-z]\w*)["']?\s*(?::|\bto\b)(?=\s)/g;
const ANSWERED = /answer(?:\[["'](\w+)["']\]|\.(?:optString|isNull)\("(\w+)"\)|\.([a-z]\w*)\b(?!\())/g;
const INTERPOLATED = /\\\([^)]*\)|\$\{[^}]*\}|\$\w+/g;

interface Call {
  method: string;
  path: string;
  fields: string[];
}

interface Signed {
  externalUserId: string;
  signature: string;
}
type RequestHandler = (request: object, response: { json(body: Signed): void }) => void;

function checkSyntax(code: string): void {
  const file = join(temporaryFolder('guide'), 'server.mjs');
  writeFileSync(file, code);
  execFileSync(process.execPath, ['--check', file]);
}

describe('the guide for native apps', () => {
  const app = useTestApp();
  let routes: Route[];

  const api = perSuite(() => OpenApi.of(app));
  beforeAll(() => {
    routes = api.routes();
  });

  const blocksOf = (language: string) =>
    [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      ([, code = '']) => code,
    );
  const codeOf = (language: string) => blocksOf(language).join('\n');
  const callsOf = (language: string): Call[] =>
    [...codeOf(language).matchAll(CALL)].map(([, method = '', path = '', fields = '']) => ({
      method: method.toLowerCase(),
      path: path.replaceAll(INTERPOLATED, '*'),
      fields: [...fields.matchAll(FIELD)].map(([, field = '']) => field),
    }));
  /** An interpolated path stands for an app path and a code. */
  const routesOf = ({ method, path }: Pick<Call, 'method' | 'path'>) => {
    const pattern = new RegExp(`^${path.replace(/\*$/, '\\{\\w+\\}(?:/\\{\\w+\\})?')}$`);
    return routes.filter((route) => route.method === method && pattern.test(route.path));
  };
  const propertiesOf = (schema: Schema | undefined): Record<string, Schema> => {
    if (!schema) return {};
    const known = api.resolve(schema);
    return Object.assign({}, known.properties, ...(known.allOf ?? []).map(propertiesOf));
  };
  const fieldsOf = (route: Route) => {
    const query = (route.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const body = propertiesOf(route.requestBody?.content?.['application/json']?.schema);
    return [...query.map(({ name }) => name), ...Object.keys(body)];
  };
  const requiredOf = (route: Route) => {
    const query = (route.parameters ?? []).filter(({ in: place, required }) => place === 'query' && required);
    const schema = route.requestBody?.content?.['application/json']?.schema;
    const body = schema && api.resolve(schema);
    return [...query.map(({ name }) => name), ...(body?.required ?? [])];
  };

  it.each(LANGUAGES)('calls existing endpoints in %s, with existing fields', (language) => {
    const calls = callsOf(language);
    expect(calls.map(({ path }) => path.replace('/*', '').replace(/.*\//, ''))).toEqual(
      expect.arrayContaining([
        ...[
          'match',
          'resolve-shorturl',
          'resolve-campaign',
          'resolve-fingerprint',
          'url',
          'campaign',
          'track',
        ],
      ]),
    );
    for (const call of calls) {
      const found = routesOf(call);
      expect([call.path, found.length > 0]).toEqual([call.path, true]);
      for (const route of found) {
        expect(fieldsOf(route)).toEqual(expect.arrayContaining(call.fields));
        expect(call.fields).toEqual(expect.arrayContaining(requiredOf(route)));
      }
    }
  });

  it.each(LANGUAGES)('reads existing response fields in %s', (language) => {
    const answers = callsOf(language)
      .flatMap(routesOf)
      .flatMap((route) =>
        Object.keys(propertiesOf(route.responses['200']?.content?.['application/json']?.schema)),
      );
    const read = [...codeOf(language).matchAll(ANSWERED)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    expect(read).toEqual(expect.arrayContaining(['sessionId', 'deepLinkUrl']));
    expect(answers).toEqual(expect.arrayContaining(read));
  });

  it.each(LANGUAGES)('sends the publishable key in %s', (language) => {
    const code = codeOf(language);
    expect(code).toMatch(/"X-App-ID", "42"|"42", \w+: "X-App-ID"|'X-App-ID': '42'/);
    expect(code).toMatch(
      /["']X-Mobile-App-API-Key["'](?:, |: )["']wp_pub_|"wp_pub_…", \w+: "X-Mobile-App-API-Key"/,
    );
  });

  it.each(LANGUAGES)('shows each source of a token in %s', (language) => {
    const code = codeOf(language);
    expect(code).toContain('waypost_token');
    if (language !== 'swift') expect(code).toMatch(/InstallReferrer/);
  });

  it('names existing paths in its text', () => {
    const named = [...GUIDE.matchAll(/`(GET|POST) (\/api\/[^`]+)`/g)];
    expect(named.length).toBeGreaterThan(4);
    for (const [, method = '', path = ''] of named) {
      const call = { method: method.toLowerCase(), path: path.replace('…', '*').replace('{id}', '\\{id\\}') };
      expect([path, routesOf(call).length > 0]).toEqual([path, true]);
    }
  });

  it('allows all calls of the apps in its example server', () => {
    const [, server = ''] = blocksOf('js');
    const [, source = ''] = /^ {2}\/(\^.*\$)\/;$/m.exec(server) ?? [];
    const allowed = new RegExp(source);
    for (const { path } of LANGUAGES.flatMap(callsOf))
      expect(path.replace('*', 'k3v9qx/code')).toMatch(allowed);
    for (const path of ['identify', 'withdraw', 'session/s', 'stats/summary'])
      expect(`/api/v1/cross-platform/${path}`).not.toMatch(allowed);
    // The path must never change the host, which would receive the key.
    for (const path of [
      '//evil.example/api/v1/sdk/mobile/deeplink/match',
      '@evil.example/api/v1',
      '/../match',
    ])
      expect(path).not.toMatch(allowed);
    checkSyntax(server);
  });

  it('signs the id of the member who has signed in', async () => {
    const [route = ''] = blocksOf('js');
    checkSyntax(route);
    const book = await createBook(app);
    const shop = await registerApp(book);
    const routes: RequestHandler[] = [];
    runInNewContext(route.replace(/^import .*$/m, ''), {
      app: { get: (_path: string, _signedIn: unknown, handler: RequestHandler) => routes.push(handler) },
      signedIn: null,
      createHmac,
      process: { env: { WAYPOST_APP_KEY: shop.apiKey } },
    });
    const sent: Signed[] = [];
    const request = { member: { id: 'member-1001' }, query: { id: 'member-7' } };
    routes[0]?.(request, { json: (body) => void sent.push(body) });
    const { externalUserId, signature } = sent[0] as Signed;
    expect(externalUserId).toBe('member-1001');
    const identify = (member: string) =>
      appApi(app, publishably(shop))
        .post('/api/v1/cross-platform/identify', { externalUserId: member })
        .set('X-Identity-Signature', signature);
    await identify(externalUserId).expect(200);
    await identify('member-7').expect(401);
  });
});
