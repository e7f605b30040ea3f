import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import request from 'supertest';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { Database } from '../../src/infrastructure/database/database';
import { ReadinessChecks } from '../../src/infrastructure/health/readiness-checks';
import { ClickSpool } from '../../src/modules/clicks/journal/click-spool';
import { blocks, section } from '../docs/blocks';
import { eventually } from '../support/eventually';
import { API_HOST, TestApp, createTestDatabase, useTestApp } from '../support/test-app';
import { RedisServer } from '../support/servers';

const OPERATIONS = readFileSync(resolve(__dirname, '../../docs/operations.md'), 'utf8');

interface Ready {
  details: { clicks: object };
}

describe('health and metrics', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  const app = useTestApp(() => ({ env: { REDIS_URL: redis.url } }));
  afterAll(() => redis.stop('SIGTERM'));

  const get = (path: string, of = app) => request(of.url).get(path).set('Host', API_HOST);
  /** Repeats a request until its answer is as expected, because a store that answers after a second counts as away. */
  const reports = (path: string, status: number, expected: object, of = app) =>
    eventually(async () => {
      const answer = await get(path, of);
      expect(answer.body).toMatchObject(expected);
      expect(answer.status).toBe(status);
      return answer.body;
    });

  it('is live', async () => {
    const { status, body } = await get('/health/live');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('is ready with every store', async () => {
    await reports('/health/ready', 200, {
      status: 'ok',
      error: {},
      details: { postgres: { status: 'up' }, migrations: { status: 'up' }, redis: { status: 'up' } },
    });
  });

  it('is degraded, but ready, while Redis is down', async () => {
    await redis.stop('SIGKILL');
    const degraded = { status: 'degraded', details: { redis: { status: 'degraded' } } };
    const body = (await reports('/health/ready', 200, degraded)) as Ready;
    // Not 0, because nobody can know.
    expect(body.details.clicks).not.toHaveProperty('waiting');
    await redis.restart();
    await reports('/health/ready', 200, { status: 'ok', details: { clicks: { waiting: 0 } } });
  });

  it('does not check a Redis that is not configured', async () => {
    const single = await TestApp.start({ redis: false });
    const body = await reports('/health/ready', 200, { status: 'ok' }, single);
    await single.close();
    expect(body.details).not.toHaveProperty('redis');
  });

  it('is ready only for redirects while Postgres is down, stays live, and recovers', async () => {
    const name = new URL(app.database.url).pathname.slice(1);
    const admin = await connectDataSource({ url: process.env.TEST_POSTGRES_URL ?? '' }, 1);
    const allow = (allowed: boolean) =>
      admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${allowed}`);
    try {
      await allow(false);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      for (const path of ['/health/ready', '/health/ready?for=redirects']) {
        await reports(path, 200, {
          status: 'degraded',
          error: {},
          details: { postgres: { status: 'degraded', message: 'not reachable' }, redis: { status: 'up' } },
        });
      }
      const [example] = blocks(section(OPERATIONS, '## Health checks')).filter(
        ({ language }) => language === 'json',
      );
      const documented = JSON.parse(example?.text ?? '') as unknown;
      await eventually(async () => expect((await get('/health/ready')).body).toEqual(documented));
      for (const purpose of ['api', 'worker']) {
        await reports(`/health/ready?for=${purpose}`, 503, {
          status: 'error',
          error: { postgres: { status: 'down', message: 'not reachable' } },
          details: { redis: { status: 'up' } },
        });
      }
      expect((await get('/health/live')).status).toBe(200);
    } finally {
      await allow(true);
      await admin.destroy();
    }
    await reports('/health/ready', 200, { status: 'ok' });
  });

  it('refuses an unknown purpose, by name', async () => {
    const { status, body } = await get('/health/ready?for=everything');
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'for' }] });
  });

  it('is not ready for redirects while no store accepts clicks, and recovers', async () => {
    const spool = app.get(ClickSpool);
    const full = jest.spyOn(spool, 'takesClicks').mockResolvedValue(false);
    // The spool mover runs concurrently, and would find the spool empty.
    Object.defineProperty(spool, 'inUse', { configurable: true, get: () => true, set: () => {} });
    const body = await reports('/health/ready', 503, { status: 'error' });
    expect(body.error).toEqual({ clicks: { status: 'down', message: 'no place takes clicks' } });
    full.mockRestore();
    Object.defineProperty(spool, 'inUse', { configurable: true, writable: true, value: false });
    await reports('/health/ready', 200, { status: 'ok' });
  });

  it('is not ready for redirects while neither stores nor disk take a click that has not come yet', async () => {
    const own = await RedisServer.start();
    const away = await TestApp.start({ env: { REDIS_URL: own.url } });
    const postgres = jest
      .spyOn(away.get(Database), 'single')
      .mockRejectedValue(new Error('Connection terminated unexpectedly'));
    await own.stop('SIGKILL');
    // Its folder cannot be created.
    writeFileSync(join(away.config.dataDir, 'spool'), '');
    const body = await reports('/health/ready', 503, { status: 'error' }, away);
    expect(body.error).toEqual({ clicks: { status: 'down', message: 'no place takes clicks' } });
    rmSync(join(away.config.dataDir, 'spool'));
    await reports('/health/ready', 200, { status: 'degraded' }, away);
    postgres.mockRestore();
    await away.close();
  });

  it('is not ready before the migrations', async () => {
    const database = await createTestDatabase();
    const early = await TestApp.start({ database });
    await early.sql('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    await reports('/health/ready', 503, { error: { migrations: { status: 'down', pending: 1 } } }, early);
    await early.close();
  });

  it('runs the checks of modules, and fails those that time out', async () => {
    const checks = app.get(ReadinessChecks);
    const added: { name: string; check: () => Promise<{ status: 'up'; details?: { backlog: number } }> }[] = [
      { name: 'clicks', check: async () => ({ status: 'up', details: { backlog: 3 } }) },
      { name: 'failing', check: () => Promise.reject(new Error('at 10.0.0.1')) },
      { name: 'stuck', check: () => new Promise(() => undefined) },
    ];
    const all = jest.spyOn(checks, 'all').mockReturnValue(added);
    const forRedirects = await get('/health/ready');
    const { status, body, text } = await get('/health/ready?for=api');
    all.mockRestore();
    expect(forRedirects.status).toBe(200);
    expect(forRedirects.body.details).toMatchObject({
      failing: { status: 'degraded', message: 'not reachable' },
      stuck: { status: 'degraded', message: 'no answer within 1 s' },
    });
    expect(status).toBe(503);
    expect(body.details).toEqual({
      clicks: { status: 'up', backlog: 3 },
      failing: { status: 'down', message: 'not reachable' },
      stuck: { status: 'down', message: 'no answer within 1 s' },
    });
    expect(text).not.toContain('10.0.0.1');
    expect(() => checks.add({ name: 'postgres', check: async () => ({ status: 'up' }) })).toThrow('already');
  });

  it('exposes metrics in the text format of Prometheus, responses by route pattern', async () => {
    await get('/health/live');
    await get('/no/such/path/nobody-asked');
    const { status, text, headers } = await get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    const count = (labels: string) =>
      Number(new RegExp(`^http_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(count('method="GET",route="/health/live",status="200"')).toBeGreaterThan(0);
    expect(count('method="GET",route="none",status="404"')).toBeGreaterThan(0);
    expect(text).not.toContain('nobody-asked');
  });
});
