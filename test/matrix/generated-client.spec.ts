import { createOrganization } from '../support/factories';
import { ClientFolder } from '../support/generated-client';
import { OpenApi } from '../support/openapi';
import { useTestApp } from '../support/test-app';

/** A customer's program; the compiler checks every name against the generated types. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './schema';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': apiKey } });

type Delivery = {
  [E in keyof webhooks]: webhooks[E]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** A customer's receiver: the event's name discriminates the type of data. */
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
  const redirectRequest = await fetch(short, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 Firefox/130.0' } });

  const read = await client.GET('/api/v1/service/urls/{id}', { params: { path: { id: link.id } } });
  const list = await client.GET('/api/v1/service/urls', { params: { query: { page: 0, keyword: 'spring' } } });
  const missing = await client.GET('/api/v1/service/urls/{id}', { params: { path: { id: 999_999 } } });
  const wrong = await client.PUT('/api/v1/service/urls/{id}', {
    params: { path: { id: link.id } },
    body: { title: 'x'.repeat(201) },
  });
  const imported = await client.POST('/api/v1/service/urls/import', {
    headers: { 'Content-Type': 'text/csv' },
    body: 'url,customAlias\\r\\nhttps://shop.example.com/autumn,autumn\\r\\n',
    bodySerializer: (text) => text,
  });
  console.log(JSON.stringify({
    imported: imported.data?.created,
    told: told({
      event: 'webhook.test',
      delivery_id: 'one',
      organization_id: 1,
      created_at: '2026-11-20T08:32:00Z',
      data: { message: 'hello' },
    }),
    id: link.id,
    expiresAt: link.expiresAt,
    redirectRequest: [redirectRequest.status, redirectRequest.headers.get('location')],
    title: read.data?.title,
    listed: list.data?.content.map((item) => item.id),
    missing: missing.error?.code,
    wrong: wrong.error?.details?.map((detail) => detail.field),
  }));
}

void main();

// @ts-expect-error A number is not a URL: the types check something.
export const misuse = () => client.POST('/api/v1/service/urls', { body: { url: 7 } });
`;

/** Ends a test that hangs: generators and compilers are slow while other suites run. */
jest.setTimeout(300_000);

describe('a client generated from the OpenAPI document', () => {
  const app = useTestApp({
    env: { BASE_URL: 'http://127.0.0.1:3000', SHORT_URL_BASE: 'http://localhost:3000' },
  });
  it('compiles, and creates, follows and reads a link', async () => {
    const { document } = await OpenApi.of(app, '127.0.0.1');
    const folder = new ClientFolder(document);
    await folder.run('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'schema.d.ts');
    await folder.compile('program', PROGRAM);
    const { apiKey } = await createOrganization(app);
    const result = (await folder.start('program', app.url, apiKey)) as { id: number };
    expect(result).toEqual({
      imported: 1,
      told: 'one',
      id: expect.any(Number),
      expiresAt: null,
      redirectRequest: [302, 'https://shop.example.com/spring'],
      title: 'Spring',
      listed: [result.id],
      missing: 'NOT_FOUND',
      wrong: ['title'],
    });
  });
});
