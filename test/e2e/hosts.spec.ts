import { connect } from 'node:net';
import { createOrganization } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { API_HOST, perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';

const BRAND = 'links.brand.test';
const IDN = 'xn--bcher-kva.test';
const SUB = `brand.${SHORT_HOST}`;
const API_PATH = '/api/v1/service/custom-domains/verified';

/** Sends a raw request. @returns the status of the response */
function exchange(app: TestApp, lines: string[]): Promise<number> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n'), 'latin1'),
    );
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(answer.split(' ')[1])));
  });
}

describe('routing by host', () => {
  const app = useTestApp();
  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    await createLink(organization, { customAlias: 'default' });
    for (const [name, alias] of [
      [BRAND, 'brand'],
      [IDN, 'idn'],
      [SUB, 'sub'],
    ] as const) {
      const customDomainId = await createDomain(app, organization, name, 'ACTIVE');
      await createLink(organization, { customDomainId, customAlias: alias });
    }
  });

  /** The responses under a host: of the API, and of a link on each domain. */
  async function places(...headers: string[]): Promise<string> {
    const paths = { api: API_PATH, default: '/default', brand: '/brand', idn: '/idn', sub: '/sub' };
    const open: string[] = [];
    for (const [place, path] of Object.entries(paths)) {
      const key = `X-API-KEY: ${organization.apiKey}`;
      const status = await exchange(app, [`GET ${path} HTTP/1.1`, ...headers, key]);
      if (status === 200 || status === 302) open.push(place);
      else expect([place, status]).toEqual([place, 404]);
    }
    return open.join(' ');
  }

  it('treats a Host value longer than any name as an unknown host', async () => {
    for (const host of [`${'a'.repeat(300)}.test`, 'a.'.repeat(6_000), `${SHORT_HOST}:${'8'.repeat(300)}`]) {
      expect(await exchange(app, ['GET /default HTTP/1.1', `Host: ${host}`])).toBe(404);
    }
  });

  it.each([
    [API_HOST, 'api'],
    [API_HOST.toUpperCase(), 'api'],
    [`${API_HOST}.:80`, 'api'],
    [SHORT_HOST, 'api default'],
    [`${SHORT_HOST}:8443`, 'api default'],
    [BRAND, 'brand'],
    [`${BRAND.toUpperCase()}.:1`, 'brand'],
    [IDN, 'idn'],
    ['XN--BCHER-KVA.TEST.', 'idn'],
    [SUB, 'sub'],
    [`BRAND.${SHORT_HOST}.:81`, 'sub'],
    // Similar, but different hosts.
    ['b\u00fccher.test', ''],
    [`${BRAND}..`, ''],
    [`.${BRAND}`, ''],
    [`x.${BRAND}`, ''],
    [`${BRAND}.evil.test`, ''],
    [`evil.test/${BRAND}`, ''],
    [`${BRAND}@evil.test`, ''],
    [`${BRAND}, evil.test`, ''],
    [`x.${SHORT_HOST}`, ''],
    ['127.0.0.1', ''],
    ['[::1]:80', ''],
    ['[', ''],
    ['', ''],
    ['%6cinks.brand.test', ''],
    ['a'.repeat(5000), ''],
    ['__proto__', ''],
  ])('serves a request to host %s from: %s', async (host, open) => {
    expect(await places(`Host: ${host}`)).toBe(open);
  });

  it.each([
    `X-Forwarded-Host: ${API_HOST}`,
    `X-Forwarded-Host: ${SHORT_HOST}`,
    `X-HTTP-Host-Override: ${SHORT_HOST}`,
    `Forwarded: host=${SHORT_HOST}`,
    `:authority: ${SHORT_HOST}`,
  ])('ignores %s', async (header) => {
    if (header.startsWith(':')) {
      expect(await exchange(app, ['GET /default HTTP/1.1', `Host: ${BRAND}`, header])).toBe(400);
      return;
    }
    for (const [host, open] of [
      [BRAND, 'brand'],
      ['elsewhere.test', ''],
    ]) {
      expect(await places(`Host: ${host}`, header)).toBe(open);
      expect(await places(header, `Host: ${host}`)).toBe(open);
    }
  });

  it.each([
    [`http://${SHORT_HOST}/default`, BRAND, 302],
    [`http://${SHORT_HOST}/default`, SHORT_HOST, 302],
    [`HTTPS://${SHORT_HOST.toUpperCase()}:8443/default?x=1`, BRAND, 302],
    [`http://${BRAND}/default`, SHORT_HOST, 404],
    [`http://${BRAND}/brand`, SHORT_HOST, 302],
    [`http://${SHORT_HOST}`, BRAND, 200],
    [`http://${API_HOST}/health/live`, SHORT_HOST, 200],
    [`http://elsewhere.test/default`, SHORT_HOST, 404],
    [`http://x@${SHORT_HOST}/default`, SHORT_HOST, 400],
    ['http:///default', SHORT_HOST, 400],
    [`ftp://${SHORT_HOST}/default`, SHORT_HOST, 400],
    ['*', SHORT_HOST, 400],
  ])('takes the host of the target %s before Host: %s', async (target, host, status) => {
    expect(await exchange(app, [`GET ${target} HTTP/1.1`, `Host: ${host}`])).toBe(status);
    if (status === 302) expect(await exchange(app, [`GET ${target} HTTP/1.0`])).toBe(status);
  });

  it.each(['Host', 'Authorization', 'content-type'])('refuses more than one %s', async (name) => {
    const host = name === 'Host' ? [] : [`Host: ${API_HOST}`];
    const lines = [`GET ${API_PATH} HTTP/1.1`, ...host, `${name}: ${API_HOST}`, `${name}: ${API_HOST}`];
    expect(await exchange(app, lines)).toBe(400);
  });

  it('reads every header line, and refuses more than 200', async () => {
    const lines = (count: number) => Array<string>(count).fill('a: b');
    for (const [count, status] of [
      [197, 302],
      [198, 302],
      [199, 431],
      [1_900, 431],
    ] as const) {
      const answer = await exchange(app, ['GET /default HTTP/1.1', ...lines(count), `Host: ${SHORT_HOST}`]);
      expect([count, answer]).toEqual([count, status]);
    }
    const listed = await createOrganization(app, { allowList: ['203.0.113.7'] });
    const ask = (count: number) =>
      exchange(app, [
        `GET ${API_PATH} HTTP/1.1`,
        ...lines(count),
        `Host: ${API_HOST}`,
        `X-API-KEY: ${listed.apiKey}`,
        'X-Forwarded-For: 198.51.100.1',
      ]);
    expect(await ask(10)).toBe(403);
    expect(await ask(1_900)).toBe(431);
  });

  it.each([
    '/API/v1/service/custom-domains/verified',
    `${API_PATH}/`,
    '/api/V1/service/urls',
    '/Health/live',
    '/METRICS',
    '/metrics/',
    '/Internal/tls-check?domain=x.test',
  ])('knows each route by one path, which %s is not', async (path) => {
    for (const host of [API_HOST, SHORT_HOST]) {
      const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `X-API-KEY: ${organization.apiKey}`];
      expect([host, await exchange(app, lines)]).toEqual([host, 404]);
    }
  });

  it('treats requests without a Host as an unknown host', async () => {
    expect(await exchange(app, ['GET /default HTTP/1.0'])).toBe(404);
    expect(await exchange(app, ['GET /default HTTP/1.1'])).toBe(400);
  });

  it('serves only links on a custom domain', async () => {
    const paths = [
      '/api/docs',
      '/api/openapi.json',
      '/api/openapi/sdk.json',
      '/health/live',
      '/health/ready',
      '/metrics',
    ];
    const more = [
      '/internal/tls-check?domain=x.test',
      '/api/v1/console/organizations',
      '/sdk/web/latest/x.js',
    ];
    for (const path of [...paths, ...more, `//${API_HOST}/health/live`, '/brand/../health/live']) {
      expect([path, await exchange(app, [`GET ${path} HTTP/1.1`, `Host: ${BRAND}`])]).toEqual([path, 404]);
    }
  });

  it('serves both on one host, where the API takes precedence', async () => {
    const host = 'one.waypost.test';
    const env = { BASE_URL: `http://${host}`, SHORT_URL_BASE: `http://${host}:8080` };
    const one = await TestApp.start({ env, database: app.database });
    const get = (path: string, name = host) => exchange(one, [`GET ${path} HTTP/1.1`, `Host: ${name}`]);
    expect(await get('/default')).toBe(302);
    expect(await get('/health/live')).toBe(200);
    expect(await get('/api/v1/service/urls')).toBe(401);
    expect(await get('/brand', BRAND)).toBe(302);
    expect(await get('/health/live', BRAND)).toBe(404);
    await one.close();
  });
});
