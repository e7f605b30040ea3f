import { createOrganization } from '../support/factories';
import { ClientFolder } from '../support/generated-client';
import { OpenApi } from '../support/openapi';
import { useTestApp } from '../support/test-app';

interface Generator {
  generator: string;
  generate: (folder: ClientFolder) => Promise<unknown>;
  /** A customer's program: creates a link, and imports links, contacts and opt-outs. */
  program: string;
}

/** Shows that the types check anything. */
const misuse = (call: string) => `
// @ts-expect-error A number is not a URL.
export const misuse = () => ${call};
`;

const SETTINGS = `
const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const LINKS = 'url,title\\r\\nhttps://shop.example.com/autumn,Autumn\\r\\n';
const CONTACTS = 'externalUserId,name\\r\\nmember-1,Kim Minji\\r\\n';
const OPT_OUTS = 'value\\r\\n+821012345678\\r\\n';
`;

const HEY_API = `
import { client } from './hey/client.gen';
import { createShortUrl, importContacts, importShortUrls, importUnsubscribes } from './hey';
${SETTINGS}
client.setConfig({ baseUrl, auth: () => apiKey, throwOnError: true });

async function main(): Promise<void> {
  const link = await createShortUrl({ body: { url: 'https://shop.example.com/spring' }, throwOnError: true });
  const links = await importShortUrls({ body: LINKS, throwOnError: true });
  const contacts = await importContacts({ body: CONTACTS, throwOnError: true });
  const items = { channel: 'SMS' as const, items: [{ value: '+821012345679' }] };
  const optOuts = await importUnsubscribes({ body: items, throwOnError: true });
  const file = await importUnsubscribes({
    // The types of this generator cover only the first media type.
    body: OPT_OUTS as never,
    bodySerializer: null,
    headers: { 'Content-Type': 'text/csv' },
    throwOnError: true,
  });
  const missing = await createShortUrl({ body: { url: 'https://127.0.0.1/' }, throwOnError: false });
  console.log(JSON.stringify({
    url: link.data.originalUrl,
    links: links.data.created,
    contacts: contacts.data.created,
    optOuts: optOuts.data.accepted,
    optOutFile: file.data.accepted,
    refused: missing.error?.code,
  }));
}
void main();
${misuse('createShortUrl({ body: { url: 7 } })')}`;

const ORVAL_CONFIG = `
module.exports = {
  waypost: {
    input: './openapi.json',
    output: {
      target: './orval.ts',
      client: 'axios-functions',
      override: { mutator: { path: './instance.ts', name: 'instance' } },
    },
  },
};
`;

/** Orval's functions send through a function of the customer. */
const ORVAL_INSTANCE = `
interface Call {
  url: string;
  method: string;
  params?: object;
  data?: unknown;
  headers?: Record<string, string>;
  responseType?: 'blob';
}
export const settings = { baseUrl: '', apiKey: '' };

export async function instance<T>({ url, method, params, data, headers = {}, responseType }: Call): Promise<T> {
  const address = new URL(url, settings.baseUrl);
  for (const [name, value] of Object.entries(params ?? {})) address.searchParams.set(name, String(value));
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  const type = typeof data === 'string' ? 'text/csv' : 'application/json';
  const credentials = { 'X-API-KEY': settings.apiKey };
  const response = await fetch(address, {
    method,
    headers: { ...(data !== undefined && { 'Content-Type': type }), ...credentials, ...headers },
    ...(data !== undefined && { body }),
  });
  if (!response.ok) throw await response.json();
  return (responseType === 'blob' ? await response.blob() : await response.json()) as T;
}
`;

const ORVAL = `
import { settings } from './instance';
import {
  createShortUrl, importContacts, importShortUrls, importUnsubscribes, type ErrorResponse,
} from './orval';
${SETTINGS}
Object.assign(settings, { baseUrl, apiKey });

async function main(): Promise<void> {
  const link = await createShortUrl({ url: 'https://shop.example.com/spring' });
  const links = await importShortUrls(LINKS);
  const contacts = await importContacts(CONTACTS);
  const optOuts = await importUnsubscribes({ channel: 'SMS', items: [{ value: '+821012345679' }] });
  const file = await importUnsubscribes(OPT_OUTS);
  const refused = await createShortUrl({ url: 'https://127.0.0.1/' }).catch((error: ErrorResponse) => error.code);
  console.log(JSON.stringify({
    url: link.originalUrl,
    links: links.created,
    contacts: contacts.created,
    optOuts: optOuts.accepted,
    optOutFile: file.accepted,
    refused,
  }));
}
void main();
${misuse('createShortUrl({ url: 7 })')}`;

const SWAGGER_TYPESCRIPT_API = `
import { Api, ContentType, type ErrorResponse } from './sta/api';
${SETTINGS}
const headers = { 'X-API-KEY': apiKey };
const { api } = new Api({ baseUrl, baseApiParams: { headers } });

async function main(): Promise<void> {
  const link = await api.createShortUrl({ url: 'https://shop.example.com/spring' });
  const links = await api.importShortUrls(LINKS);
  const contacts = await api.importContacts(CONTACTS);
  const optOuts = await api.importUnsubscribes({ channel: 'SMS', items: [{ value: '+821012345679' }] });
  // The types of this generator cover only the first media type.
  const file = await api.importUnsubscribes(OPT_OUTS as never, {}, { type: ContentType.Text });
  const refused = await api
    .createShortUrl({ url: 'https://127.0.0.1/' })
    .catch(({ error }: { error: ErrorResponse }) => error.code);
  console.log(JSON.stringify({
    url: link.data.originalUrl,
    links: links.data.created,
    contacts: contacts.data.created,
    optOuts: optOuts.data.accepted,
    optOutFile: file.data.accepted,
    refused,
  }));
}
void main();
${misuse('api.createShortUrl({ url: 7 })')}`;

const GENERATORS: Generator[] = [
  {
    generator: 'hey-api',
    generate: (folder) =>
      folder.run('@hey-api/openapi-ts/bin/run.js', '--input', 'openapi.json', '--output', 'hey', '--silent'),
    program: HEY_API,
  },
  {
    generator: 'orval',
    generate: async (folder) => {
      folder.write('orval.config.cjs', ORVAL_CONFIG);
      folder.write('instance.ts', ORVAL_INSTANCE);
      await folder.run('orval/dist/bin/orval.js', '--config', 'orval.config.cjs');
    },
    program: ORVAL,
  },
  {
    generator: 'swagger-typescript-api',
    generate: (folder) =>
      folder.run(
        'swagger-typescript-api/dist/cli.mjs',
        ...['generate', '--path', 'openapi.json', '--output', 'sta', '--name', 'api.ts', '--silent'],
      ),
    program: SWAGGER_TYPESCRIPT_API,
  },
];

/** A call of each audience's client, with its credentials. */
const AUDIENCES: Record<string, string> = {
  service: `
    import { createShortUrl } from './service';
    import { client } from './service/client.gen';
    client.setConfig({ auth: 'key' });
    void createShortUrl({ body: { url: 'https://shop.example.com/spring' } });`,
  sdk: `
    import { getWebSdkVersion } from './sdk';
    void getWebSdkVersion();`,
  console: `
    import { login } from './console';
    void login({ body: { username: 'kim', password: 'secret' } });`,
};

/** Ends a test that hangs: generators and compilers are slow while other suites run. */
jest.setTimeout(300_000);

describe('a client that a generator made', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1:3000' } });

  it.each(GENERATORS)('compiles, creates a link and imports files: $generator', async (each) => {
    const { document } = await OpenApi.of(app, '127.0.0.1');
    const folder = new ClientFolder(document);
    await each.generate(folder);
    await folder.compile('program', each.program);
    const { apiKey } = await createOrganization(app, { allowList: ['127.0.0.1'] });
    const parameters = [app.url, apiKey];
    expect(await folder.start('program', ...parameters)).toEqual({
      url: 'https://shop.example.com/spring',
      links: 1,
      contacts: 1,
      optOuts: 1,
      optOutFile: 1,
      refused: 'DESTINATION_NOT_ALLOWED',
    });
  });

  it('compiles for each audience alone', async () => {
    const folder = new ClientFolder({});
    for (const name of Object.keys(AUDIENCES)) {
      const { document } = await OpenApi.of(app, '127.0.0.1', `/api/openapi/${name}.json`);
      folder.write(`${name}.json`, JSON.stringify(document));
      const options = ['--input', `${name}.json`, '--output', name, '--silent'];
      await folder.run('@hey-api/openapi-ts/bin/run.js', ...options);
    }
    await folder.compile('program', Object.values(AUDIENCES).join('\n'));
  });
});
