import request from 'supertest';
import { Health } from '../../src/infrastructure/health/health';
import { API_HOST, SHORT_HOST, TestApp, type TestAppOptions, useTestApp } from '../support/test-app';

/** Any port that is free. */
const WITH_PORT = { OPERATIONS_PORT: '0' };
const HOSTS = [API_HOST, SHORT_HOST, '10.0.0.11:9464', 'links.brand.test'];

describe('The operations port', () => {
  const app = useTestApp({ env: WITH_PORT });
  const get = (url: string, path: string, host: string) => request(url).get(path).set('Host', host);

  it.each(HOSTS)('answers health checks and metrics for the host %s', async (host) => {
    const live = await get(app.operationsUrl, '/health/live', host);
    expect([live.status, live.body]).toEqual([200, { status: 'ok' }]);
    const ready = await get(app.operationsUrl, '/health/ready?for=api', host);
    expect(ready.body).toMatchObject({ details: { migrations: { status: 'up' } } });
    const metrics = await get(app.operationsUrl, '/metrics', host);
    expect(metrics.status).toBe(200);
    expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(metrics.text).toMatch(/^process_cpu_seconds_total /m);
  });

  it('serves nothing else', async () => {
    for (const path of ['/', '/api/openapi.json', '/console', '/abc', '/healthy', '/metricsx']) {
      expect([path, (await get(app.operationsUrl, path, API_HOST)).status]).toEqual([path, 404]);
    }
  });

  it('is where alone metrics are', async () => {
    for (const host of HOSTS) {
      for (const path of ['/metrics', '/metrics/', '/METRICS', '/metrics?x=1', '//metrics']) {
        const { status, text } = await get(app.url, path, host);
        expect([host, path, status]).toEqual([host, path, 404]);
        expect(text).not.toContain('process_cpu_seconds_total');
      }
    }
    expect((await get(app.url, '/health/live', API_HOST)).status).toBe(200);
    expect((await get(app.url, '/health/ready', SHORT_HOST)).status).toBe(200);
  });

  describe('of a worker', () => {
    const worker = useTestApp((): TestAppOptions => ({ redis: true, env: { ...WITH_PORT, ROLE: 'worker' } }));

    it('is where alone metrics are, and readiness is that for work', async () => {
      expect((await get(worker.url, '/metrics', '10.0.0.12')).status).toBe(404);
      expect((await get(worker.operationsUrl, '/metrics', '10.0.0.12')).status).toBe(200);
      const health = jest.spyOn(worker.get(Health), 'ready');
      await get(worker.operationsUrl, '/health/ready', '10.0.0.12');
      await get(worker.operationsUrl, '/health/ready?for=api', '10.0.0.12');
      expect(health.mock.calls).toEqual([['worker'], ['api']]);
    });
  });

  it('tells probes that the process stops, until it has', async () => {
    const stopping = await TestApp.start({ env: WITH_PORT });
    const { operationsUrl } = stopping;
    await stopping.drain();
    await expect(get(stopping.url, '/health/live', API_HOST)).rejects.toThrow('ECONNREFUSED');
    const ready = await get(operationsUrl, '/health/ready', API_HOST);
    expect([ready.status, ready.body]).toMatchObject([503, { status: 'shutting_down' }]);
    expect((await get(operationsUrl, '/health/live', API_HOST)).status).toBe(200);
    await stopping.close();
    await expect(get(operationsUrl, '/health/live', API_HOST)).rejects.toThrow('ECONNREFUSED');
  });
});
