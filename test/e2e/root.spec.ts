import request from 'supertest';
import { API_HOST, SHORT_HOST, useTestApp } from '../support/test-app';

const SERVICE = {
  name: 'Waypost',
  docs: `http://${API_HOST}/api/docs`,
  openapi: `http://${API_HOST}/api/openapi.json`,
  health: `http://${API_HOST}/health/ready`,
};

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('the root of the API host', () => {
  const app = useTestApp();

  const get = (path: string, accept: string, host = API_HOST) =>
    request(app.url).get(path).set({ Host: host, Accept: accept });

  it.each(['/', '/api'])('links at %s to documentation, OpenAPI document and health', async (path) => {
    for (const accept of ['*/*', 'application/json', 'image/png']) {
      const { status, body, headers } = await get(path, accept);
      expect([status, body]).toEqual([200, SERVICE]);
      expect(headers.vary).toContain('Accept');
    }
  });

  it.each([
    '/api',
    '/api/docs',
    '/api/docs/swagger-ui-init.js',
    '/console',
    '/api/openapi.json',
    '/api/v1/nothing',
  ])('lets no page show %s in a frame, nor anything be loaded from elsewhere', async (path) => {
    for (const accept of [BROWSER, 'application/json']) {
      const { headers } = await get(path, accept);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('*');
      expect(headers['x-frame-options']).toBe('DENY');
    }
  });

  it('leads browsers to the console', async () => {
    const { status, headers } = await get('/', BROWSER);
    expect([status, headers.location]).toEqual([302, `http://${API_HOST}/console`]);
  });

  it('is a page for browsers at /api, with the same links', async () => {
    const { status, text, type } = await get('/api', BROWSER);
    expect([status, type]).toEqual([200, 'text/html']);
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toEqual([SERVICE.docs, SERVICE.openapi, SERVICE.health]);
    for (const link of links) expect((await get(new URL(link).pathname, '*/*')).status).toBe(200);
  });

  it('differs from that of the short domain', async () => {
    expect((await get('/', '*/*', SHORT_HOST)).body).not.toEqual(SERVICE);
    expect((await get('/api', '*/*', SHORT_HOST)).body).toEqual(SERVICE);
  });
});

describe('one host for the API and short links', () => {
  const app = useTestApp({ env: { SHORT_URL_BASE: `http://${API_HOST}` } });

  it('leaves / to the short links, and keeps the paths of the API', async () => {
    const get = (path: string) => request(app.url).get(path).set('Host', API_HOST);
    expect((await get('/')).body).not.toEqual(SERVICE);
    expect((await get('/api')).body).toEqual(SERVICE);
    expect((await get('/api/openapi.json')).status).toBe(200);
  });
});
