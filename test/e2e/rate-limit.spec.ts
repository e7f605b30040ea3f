import { Controller, Get, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import request, { type Response } from 'supertest';
import { Access } from '../../src/access/access.decorator';
import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import { OrganizationsService } from '../../src/access/organizations/organizations.service';
import { NotFound } from '../../src/common/errors/errors';
import { RedisStore } from '../../src/infrastructure/redis/redis';
import { registerApp } from '../support/apps';
import { type ApiClient, appHeaders, callerOf, createOrganization, serviceApi } from '../support/factories';
import { RedisServer } from '../support/servers';
import { API_HOST, TestApp, useTestApp } from '../support/test-app';

@ApiExcludeController()
@Controller('api/v1/service/rate-probe')
class RateProbeController {
  @Get()
  @Access({ key: 'service', scope: 'links' })
  plain() {
    return {};
  }

  @Get('missing')
  @Access({ key: 'service', scope: 'links' })
  missing() {
    throw new NotFound();
  }

  @Get('add-on')
  @Access({ key: 'service', scope: 'links', addOn: 'USER_JOURNEY' })
  addOn() {
    return {};
  }
}

@Module({ controllers: [RateProbeController] })
class RateProbeModule {}

const PROBE = '/api/v1/service/rate-probe';
const modules = [RateProbeModule];

describe('rate limit of the Service API', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00.000Z', modules });
  afterEach(() => app.clock.run());

  it('reports the remaining quota on every call', async () => {
    const { api } = await createOrganization(app, { serviceRatePerMinute: 3 });
    expect(limits(await api.get(PROBE).expect(200))).toEqual(['3', '2', '60', undefined]);
    app.clock.advance(20_500);
    expect(limits(await api.get(PROBE).expect(200))).toEqual(['3', '1', '40', undefined]);
    app.clock.advance(10_000);
    expect(limits(await api.get(PROBE).expect(200))).toEqual(['3', '0', '30', undefined]);
    const refused = await api.get(PROBE).expect(429);
    expect(limits(refused)).toEqual(['3', '0', '30', '30']);
    expect(refused.body).toMatchObject({ status: 429, error: 'Too Many Requests', code: 'RATE_LIMITED' });
  });

  it('resets after a minute', async () => {
    const { api } = await createOrganization(app, { serviceRatePerMinute: 1 });
    await api.get(PROBE).expect(200);
    app.clock.advance(59_999);
    expect(limits(await api.get(PROBE).expect(429))).toEqual(['1', '0', '1', '1']);
    app.clock.advance(1);
    expect(limits(await api.get(PROBE).expect(200))).toEqual(['1', '0', '60', undefined]);
  });

  it('is reported on errors after its check, but not on those before', async () => {
    const { api } = await createOrganization(app, { serviceRatePerMinute: 9, addOns: [] });
    expect(limits(await api.get(`${PROBE}/missing`).expect(404))).toEqual(['9', '8', '60', undefined]);
    expect(limits(await api.get(`${PROBE}/add-on`).expect(403))).toEqual(['9', '7', '60', undefined]);
    const none = [undefined, undefined, undefined, undefined];
    expect(limits(await serviceApi(app, 'x').get(PROBE).expect(401))).toEqual(none);
  });

  it('counts calls to unknown paths and methods with a valid key', async () => {
    const { api } = await createOrganization(app, { serviceRatePerMinute: 3 });
    const nowhere = '/api/v1/service/nowhere';
    expect(limits(await api.get(nowhere).expect(404))).toEqual(['3', '2', '60', undefined]);
    const other = await api.delete(PROBE).expect(405);
    expect([other.headers.allow, ...limits(other)]).toEqual(['GET, HEAD', '3', '1', '60', undefined]);
    await api.get(PROBE).expect(200);
    expect(limits(await api.get(nowhere).expect(429))).toEqual(['3', '0', '60', '60']);
    const none = [undefined, undefined, undefined, undefined];
    for (const stranger of [serviceApi(app, 'x'), serviceApi(app, '')]) {
      expect(limits(await stranger.get(nowhere).expect(404))).toEqual(none);
      expect(limits(await stranger.delete(PROBE).expect(405))).toEqual(none);
    }
  });

  it('counts them in the other APIs as well', async () => {
    const organization = await createOrganization(app, {});
    const headers = appHeaders(await registerApp(organization));
    for (const path of ['/api/v1/sdk/mobile/nowhere', '/api/v1/cross-platform/nowhere']) {
      const { headers: answered } = await request(app.url)
        .get(path)
        .set({ Host: API_HOST, ...headers });
      expect(Number(answered['ratelimit-remaining'])).toBeGreaterThan(0);
      const anonymous = await request(app.url).get(path).set('Host', API_HOST).expect(404);
      expect(anonymous.headers).not.toHaveProperty('ratelimit-limit');
    }
    const web = await request(app.url).get('/api/v1/sdk/web/nowhere').set('Host', API_HOST).expect(404);
    expect(web.headers['ratelimit-limit']).toBe('100');
  });

  it('counts calls with all keys of an organization together', async () => {
    const { api, organizationId, userId } = await createOrganization(app, { serviceRatePerMinute: 2 });
    const by = await callerOf(app, organizationId);
    const second = await app.get(ApiKeysService).create(by, { name: 'Second', userId });
    const other = await createOrganization(app, { serviceRatePerMinute: 2 });
    await api.get(PROBE).expect(200);
    await serviceApi(app, second.apiKey).get(PROBE).expect(200);
    await serviceApi(app, second.apiKey).get(PROBE).expect(429);
    await api.get(PROBE).expect(429);
    await other.api.get(PROBE).expect(200);
  });

  it('does not count calls refused before its check', async () => {
    const { api } = await createOrganization(app, {
      serviceRatePerMinute: 1,
      allowList: ['203.0.113.7'],
    });
    await api.get(PROBE).set('X-Forwarded-For', '203.0.113.8').expect(403);
    await api.get(PROBE).set('X-Forwarded-For', '203.0.113.7').expect(200);
  });

  it('is 30 per minute by default, and can be raised', async () => {
    const { api, organizationId } = await createOrganization(app, { serviceRatePerMinute: undefined });
    expect(limits(await api.get(PROBE))[0]).toBe('30');
    const by = await callerOf(app, organizationId);
    await app.get(OrganizationsService).update(by, { serviceRatePerMinute: 40 });
    expect(limits(await api.get(PROBE)).slice(0, 2)).toEqual(['40', '38']);
  });

  it('locks nobody out when the clock is set back', async () => {
    const { api } = await createOrganization(app, { serviceRatePerMinute: 1 });
    await api.get(PROBE).expect(200);
    app.clock.set('2026-11-19T08:00:00Z');
    expect(limits(await api.get(PROBE).expect(200))).toEqual(['1', '0', '60', undefined]);
  });

  describe('allows exactly the limit of 200 parallel calls', () => {
    it('on two processes', async () => {
      const second = await TestApp.start({ modules, database: app.database });
      second.clock.set('2026-11-20T08:32:00.300Z');
      const { api, apiKey } = await createOrganization(app, { serviceRatePerMinute: 30 });
      await expectExactly(30, [api, serviceApi(second, apiKey)]);
      await second.close();
    });

    it('without Redis', async () => {
      const alone = await TestApp.start({ modules, redis: false });
      alone.clock.set('2026-11-20T08:32:00Z');
      const { api } = await createOrganization(alone, { serviceRatePerMinute: 30 });
      await expectExactly(30, [api]);
      alone.clock.advance(60_000);
      await api.get(PROBE).expect(200);
      await alone.close();
    });

    it('while Redis is down', async () => {
      const redis = await RedisServer.start();
      const cut = await TestApp.start({ modules, env: { REDIS_URL: redis.url } });
      cut.clock.set('2026-11-20T08:32:00Z');
      const { api } = await createOrganization(cut, { serviceRatePerMinute: 30 });
      await api.get(PROBE).expect(200);
      await redis.stop('SIGKILL');
      while (cut.get(RedisStore).readyFor('any')) await new Promise((resolve) => setImmediate(resolve));
      await expectExactly(30, [api]);
      await cut.close();
    });
  });
});

/** RateLimit-Limit, -Remaining, -Reset, Retry-After. */
function limits({ headers }: Response): (string | undefined)[] {
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
  return names.map((name) => headers[name]);
}

async function expectExactly(limit: number, apis: readonly ApiClient[]): Promise<void> {
  const calls = Array.from({ length: 200 / apis.length }, () => apis.map((api) => api.get(PROBE))).flat();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(200 - limit);
}
