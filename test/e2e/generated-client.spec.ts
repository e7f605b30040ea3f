import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createOrganization, type TestOrganization } from '../support/factories';
import { OpenApi } from '../support/openapi';
import { TestApp } from '../support/test-app';

const ROOT = resolve(__dirname, '../..');

/** What a customer would write with the generated types; every name in it is checked by the compiler. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './schema';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': apiKey } });

type Delivery = {
  [E in keyof webhooks]: webhooks[E]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** What a receiver would do: the event's name says what data is. */
function told(delivery: Delivery): string {
  switch (delivery.event) {
    case 'link.clicked':
      return delivery.data.shortCode;
    case 'contact.opt_out':
      return delivery.data.externalUserId ?? String(delivery.data.id);
    case 'unsubscribe.deleted':
      return String(delivery.data.sourceId + delivery.data.id);
    default:
      return delivery.delivery_id;
  }
}

async function main(): Promise<void> {
  const { data: created, error } = await client.POST('/api/v1/service/urls', {
    params: { header: { 'Idempotency-Key': 'client-1' } },
    body: { url: 'https://shop.example.com/spring', title: 'Spring', goalType: null },
  });
  if (!created) throw new Error(error.code);
  const link: components['schemas']['ShortUrlResponse'] = created;

  const short = new URL(link.shortUrl);
  short.port = new URL(baseUrl).port;
  const followed = await fetch(short, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 Firefox/130.0' } });

  const read = await client.GET('/api/v1/service/urls/{id}', { params: { path: { id: link.id } } });
  const list = await client.GET('/api/v1/service/urls', { params: { query: { page: 0, keyword: 'spring' } } });
  const missing = await client.GET('/api/v1/service/urls/{id}', { params: { path: { id: 999_999 } } });
  const wrong = await client.PUT('/api/v1/service/urls/{id}', {
    params: { path: { id: link.id } },
    body: { title: 'x'.repeat(201) },
  });
  console.log(JSON.stringify({
    told: told({
      event: 'webhook.test',
      delivery_id: 'one',
      organization_id: 1,
      created_at: '2026-11-20T08:32:00Z',
      data: { message: 'hello' },
    }),
    id: link.id,
    expiresAt: link.expiresAt,
    followed: [followed.status, followed.headers.get('location')],
    title: read.data?.title,
    listed: list.data?.content.map((item) => item.id),
    missing: missing.error?.code,
    wrong: wrong.error?.details?.map((detail) => detail.field),
  }));
}

void main();
`;

/** Must not compile: the types would be worth nothing if everything did. */
const MISUSE = `
import createClient from 'openapi-fetch';
import type { paths } from './schema';
export const misuse = createClient<paths>().POST('/api/v1/service/urls', { body: { url: 7 } });
`;

describe('a client generated from the OpenAPI document', () => {
  let app: TestApp;
  let organization: TestOrganization;
  let folder: string;

  beforeAll(async () => {
    app = await TestApp.start({
      env: { BASE_URL: 'http://127.0.0.1:3000', SHORT_URL_BASE: 'http://localhost:3000' },
    });
    organization = await createOrganization(app);
    mkdirSync(join(ROOT, 'test/.tmp'), { recursive: true });
    folder = mkdtempSync(join(ROOT, 'test/.tmp/client-'));
    const { document } = await OpenApi.of(app, '127.0.0.1');
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    await run('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'schema.d.ts');
  });
  afterAll(() => app.close());

  const node = async (...parameters: string[]) => {
    try {
      return (await promisify(execFile)(process.execPath, parameters, { cwd: folder })).stdout;
    } catch (error) {
      // The compiler says on standard output what is wrong.
      throw new Error((error as { stdout: string }).stdout, { cause: error });
    }
  };
  const run = (tool: string, ...options: string[]) => node(join(ROOT, 'node_modules', tool), ...options);

  const compile = (program: string, name: string) => {
    writeFileSync(join(folder, `${name}.ts`), program);
    const options = ['--ignoreConfig', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck'];
    const target = ['--module', 'node20', '--target', 'es2023', '--types', 'node'];
    return run('typescript/bin/tsc', ...options, ...target, `${name}.ts`);
  };

  it('compiles, and creates, follows and reads a link', async () => {
    await compile(PROGRAM, 'program');
    const result = JSON.parse(await node('program.js', app.url, organization.apiKey)) as { id: number };
    expect(result).toEqual({
      told: 'one',
      id: expect.any(Number),
      expiresAt: null,
      followed: [302, 'https://shop.example.com/spring'],
      title: 'Spring',
      listed: [result.id],
      missing: 'NOT_FOUND',
      wrong: ['title'],
    });
  });

  it('does not compile where the API would refuse', async () => {
    await expect(compile(MISUSE, 'misuse')).rejects.toThrow(
      "Type 'number' is not assignable to type 'string'",
    );
  });
});
