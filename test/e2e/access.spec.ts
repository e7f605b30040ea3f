import { PLAN_TERMS } from '../../src/access/plans';
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { Access, Public } from '../../src/access/access.decorator';
import { AddOnsService } from '../../src/access/add-ons/add-ons.service';
import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import { KeyUsage } from '../../src/access/api-keys/key-usage';
import { makeKey } from '../../src/access/api-keys/key-format';
import { Caller } from '../../src/access/caller';
import { IpAllowListService } from '../../src/access/ip-allow-list/ip-allow-list.service';
import { OrganizationsService } from '../../src/access/organizations/organizations.service';
import { UsersService } from '../../src/access/users/users.service';
import { NotFound } from '../../src/common/errors/errors';
import { PathId, Text } from '../../src/common/validation/atoms';
import { heard } from '../support/eventually';
import { callerOf, consoleApi, createOrganization, serviceApi } from '../support/factories';
import { TestApp, useTestApp } from '../support/test-app';

class ThingPath {
  @PathId()
  id!: number;
}

class ThingRequest {
  @Text({ max: 10, description: 'A name' })
  name!: string;
}

/** One route for every kind of access statement. */
@ApiExcludeController()
@Controller('api/v1/service/access-probe')
class AccessProbeController {
  @Get()
  @Access({ key: 'service', scope: 'links' })
  plain(@Caller() caller: Caller) {
    const { addOns, permissions, scopes = [] } = caller;
    return { ...caller, addOns: [...addOns], permissions: [...permissions], scopes: [...scopes] };
  }

  @Get('messaging')
  @Access({ key: 'service', scope: 'links', addOn: 'MESSAGING' })
  messaging() {
    return {};
  }

  @Get('contacts')
  @Access({ key: 'service', scope: 'links', allowListedIpOnly: true })
  contacts() {
    return {};
  }

  @Get('mau')
  @Access({ key: 'service', scope: 'links', permission: 'mau.view' })
  mau() {
    return {};
  }

  @Get('public')
  @Public('test')
  open() {
    return {};
  }

  /** Requires everything at once; resources with id 404 belong to others. */
  @Post('things/:id')
  @Access({ key: 'service', scope: 'links', addOn: 'REVENUE_ANALYTICS', permission: 'revenue.view' })
  thing(@Param() { id }: ThingPath, @Body() _body: ThingRequest) {
    if (id === 404) throw new NotFound();
    return {};
  }
}

@Module({ controllers: [AccessProbeController] })
class AccessProbeModule {}

@Controller('api/v1/service/forgotten')
class ForgottenController {
  @Get('open')
  open() {
    return { secret: true };
  }

  @Get('closed')
  @Access({ key: 'service', scope: 'links' })
  closed() {
    return {};
  }

  notARoute() {
    return {};
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

const PROBE = '/api/v1/service/access-probe';
const LISTED_IP = '203.0.113.1';

describe('access to the Service API', () => {
  const app = useTestApp({ modules: [AccessProbeModule] });

  describe('key', () => {
    it('is required', async () => {
      const { body } = await serviceApi(app, '').get(PROBE).expect(401);
      expect(body).toMatchObject({ status: 401, error: 'Unauthorized', code: 'API_KEY_MISSING' });
    });

    it.each([
      ['no key at all', 'hello'],
      ['a key that nobody has', makeKey('wp_live_')],
      ['an app key', makeKey('wp_app_')],
      ['something long', 'x'.repeat(8_000)],
      ['__proto__', '__proto__'],
    ])('is refused: %s', async (_, key) => {
      const { body } = await serviceApi(app, key).get(PROBE).expect(401);
      expect(body.code).toBe('API_KEY_INVALID');
      expect(JSON.stringify(body)).not.toContain(key);
    });

    it('is refused without a look-up when one character is wrong', async () => {
      const { apiKey } = await createOrganization(app);
      const wrong = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a');
      const queries = jest.spyOn(app.get(DataSource), 'query');
      const { body } = await serviceApi(app, wrong).get(PROBE).expect(401);
      expect(body.code).toBe('API_KEY_INVALID');
      expect(accessQueries(queries)).toEqual([]);
      queries.mockRestore();
    });

    it('is refused when sent twice', async () => {
      const { apiKey, api } = await createOrganization(app);
      await api.get(PROBE).expect(200);
      await serviceApi(app, `${apiKey}, ${apiKey}`).get(PROBE).expect(401);
    });

    it('identifies the caller', async () => {
      const { api, organizationId, userId, apiKeyId, username } = await createOrganization(app, {
        plan: 'ENTERPRISE',
        timeZone: 'Asia/Seoul',
        baseCurrency: 'KRW',
        defaultRegion: 'KR',
        permissions: ['mau.view', 'credits.view'],
        addOns: ['USER_JOURNEY'],
      });
      const { body } = await api.get(PROBE).set('X-Forwarded-For', '2001:db8:0::7').expect(200);
      expect(body).toEqual({
        organizationId,
        organization: {
          id: organizationId,
          timeZone: 'Asia/Seoul',
          timeZoneChangedAt: null,
          baseCurrency: 'KRW',
          defaultRegion: 'KR',
          plan: 'ENTERPRISE',
          deduplicationCapMinutes: 10080,
          limits: PLAN_TERMS.ENTERPRISE.limits,
          customFields: { count: 50, nameLength: 50, valueLength: 2000 },
        },
        role: 'ADMIN',
        actor: { type: 'API_KEY', id: apiKeyId, name: 'Tests' },
        userId,
        username,
        permissions: ['mau.view', 'credits.view'],
        addOns: ['USER_JOURNEY'],
        scopes: ['*'],
        ip: '2001:db8::7',
      });
    });

    it('costs no query once cached', async () => {
      const { api } = await createOrganization(app);
      await api.get(PROBE).expect(200);
      await app.get(KeyUsage).flush();
      app.clock.set('2026-11-20T08:32:10Z');
      await api.get(PROBE).expect(200);
      await app.get(KeyUsage).flush();
      const queries = jest.spyOn(app.get(DataSource), 'query');
      for (let i = 0; i < 10; i++) await api.get(PROBE).expect(200);
      await app.get(KeyUsage).flush();
      expect(accessQueries(queries)).toEqual([]);
      queries.mockRestore();
      app.clock.run();
    });
  });

  describe('lastUsedAt', () => {
    const lastUsed = async (organizationId: number): Promise<unknown> => {
      await app.get(KeyUsage).flush();
      const path = `/api/v1/console/organizations/${organizationId}/api-keys`;
      const { body } = await consoleApi(app).get(path).expect(200);
      return body.content[0].lastUsedAt;
    };
    afterEach(() => app.clock.run());

    it('is recorded with minute precision', async () => {
      const { api, organizationId } = await createOrganization(app);
      expect(await lastUsed(organizationId)).toBeNull();
      app.clock.set('2026-11-20T08:32:41Z');
      await api.get(PROBE).expect(200);
      expect(await lastUsed(organizationId)).toBe('2026-11-20T08:32:00Z');
      app.clock.set('2026-11-20T08:34:05Z');
      await api.get(PROBE).expect(200);
      expect(await lastUsed(organizationId)).toBe('2026-11-20T08:34:00Z');
    });

    it('is written periodically and on shutdown', async () => {
      const other = await TestApp.start({ database: app.database, modules: [AccessProbeModule] });
      const { apiKey, apiKeyId } = await createOrganization(app);
      await serviceApi(other, apiKey).get(PROBE).expect(200);
      await other.close();
      const [row] = await app.sql('SELECT last_used_at FROM api_keys WHERE id = $1', [apiKeyId]);
      expect(row?.last_used_at).toBeInstanceOf(Date);
    });

    it('is not lost while Postgres rejects writes', async () => {
      const { api, organizationId } = await createOrganization(app);
      await api.get(PROBE).expect(200);
      const query = jest.spyOn(app.get(DataSource), 'query').mockRejectedValueOnce(new Error('away'));
      await app.get(KeyUsage).flush();
      query.mockRestore();
      expect(await lastUsed(organizationId)).not.toBeNull();
    });
  });

  describe('IP allow-list', () => {
    it.each([
      [['203.0.113.7'], '203.0.113.7', 200],
      [['203.0.113.7'], '203.0.113.8', 403],
      [['203.0.113.0/24', '2001:db8::/32'], '203.0.113.200', 200],
      [['203.0.113.0/24', '2001:db8::/32'], '2001:db8:1::9', 200],
      [['203.0.113.0/24', '2001:db8::/32'], '2001:db9::9', 403],
      [['203.0.113.0/24'], '::ffff:203.0.113.200', 200],
      [['::ffff:203.0.113.7'], '203.0.113.7', 200],
      [['203.0.113.7'], '203.0.113.7:40000', 200],
      [['203.0.113.7'], '"[::ffff:203.0.113.7]:40000"', 200],
      [['2001:db8::/32'], '[2001:db8:1::9]:443', 200],
      [['203.0.113.7'], '203.0.113.8:40000', 403],
      [['203.0.113.0/24'], 'nonsense', 403],
    ])('%j lets %s in with %i', async (allowList, ip, status) => {
      const { api } = await createOrganization(app, { allowList });
      const { body } = await api.get(PROBE).set('X-Forwarded-For', ip).expect(status);
      if (status === 403) expect(body.code).toBe('IP_NOT_ALLOWED');
    });

    it('accepts every address while none is registered, unless one is required', async () => {
      const { api } = await createOrganization(app);
      await api.get(PROBE).set('X-Forwarded-For', '198.51.100.9').expect(200);
      const { body } = await api.get(`${PROBE}/contacts`).expect(403);
      expect(body.code).toBe('IP_NOT_ALLOWED');
    });

    it('accepts registered addresses where one is required', async () => {
      const { api } = await createOrganization(app, { allowList: ['127.0.0.0/8'] });
      await api.get(`${PROBE}/contacts`).expect(200);
      await api.get(`${PROBE}/contacts`).set('X-Forwarded-For', '198.51.100.9').expect(403);
    });

    it('trusts X-Forwarded-For only from a trusted proxy', async () => {
      const direct = await TestApp.start({ modules: [AccessProbeModule], env: { TRUST_PROXY: '192.0.2.1' } });
      const { api } = await createOrganization(direct, { allowList: ['203.0.113.7'] });
      await api.get(PROBE).set('X-Forwarded-For', '203.0.113.7').expect(403);
      await direct.close();
    });
  });

  describe('add-ons and permissions', () => {
    it('names the messaging add-on as a feature', async () => {
      const { api } = await createOrganization(app, { addOns: [] });
      const { body } = await api.get(`${PROBE}/messaging`).expect(403);
      expect(body).toMatchObject({
        error: 'Forbidden',
        code: 'FEATURE_NOT_AVAILABLE',
        feature: 'MESSAGING',
      });
    });

    it('names the others by addonCode', async () => {
      const { api } = await createOrganization(app, { addOns: ['MESSAGING'] });
      const { body } = await api.post(`${PROBE}/things/1`, { name: 'x' }).expect(403);
      expect(body).toMatchObject({
        error: 'ADDON_REQUIRED',
        code: 'ADDON_REQUIRED',
        addonCode: 'REVENUE_ANALYTICS',
      });
    });

    it('accepts an add-on until it ends', async () => {
      const { api, organizationId } = await createOrganization(app, { addOns: [] });
      const by = await callerOf(app, organizationId);
      app.clock.set('2026-11-20T08:00:00Z');
      await app.get(AddOnsService).book(by, 'MESSAGING', { activeUntil: '2026-11-20T09:00:00Z' });
      app.clock.set('2026-11-20T08:59:59Z');
      await api.get(`${PROBE}/messaging`).expect(200);
      app.clock.set('2026-11-20T09:00:00Z');
      await api.get(`${PROBE}/messaging`).expect(403);
      app.clock.run();
    });

    it('names the missing permission', async () => {
      const { api } = await createOrganization(app, { permissions: ['credits.view'] });
      const { body } = await api.get(`${PROBE}/mau`).expect(403);
      expect(body).toMatchObject({
        error: 'PERMISSION_DENIED',
        code: 'PERMISSION_DENIED',
        permission: 'mau.view',
      });
    });

    it('accepts anybody on public routes', async () => {
      await serviceApi(app, 'whatever').get(`${PROBE}/public`).expect(200);
    });
  });

  describe('order of checks', () => {
    const ORDER = [
      ['key', 401, 'API_KEY_INVALID'],
      ['plan', 403, 'FEATURE_NOT_AVAILABLE'],
      ['ip', 403, 'IP_NOT_ALLOWED'],
      ['rate', 429, 'RATE_LIMITED'],
      ['scope', 403, 'SCOPE_REQUIRED'],
      ['addOn', 403, 'ADDON_REQUIRED'],
      ['permission', 403, 'PERMISSION_DENIED'],
      ['validation', 400, 'VALIDATION_FAILED'],
      ['ownership', 404, 'NOT_FOUND'],
    ] as const;
    type Fault = (typeof ORDER)[number][0];

    /** A request with exactly these faults. */
    async function faulty(faults: ReadonlySet<Fault>) {
      const made = await createOrganization(app, {
        addOns: faults.has('addOn') ? [] : ['REVENUE_ANALYTICS'],
        permissions: faults.has('permission') ? [] : ['revenue.view'],
        allowList: faults.has('ip') ? [LISTED_IP] : [],
        serviceRatePerMinute: faults.has('rate') ? 1 : 100,
      });
      if (faults.has('rate')) await made.api.get(PROBE).set('X-Forwarded-For', LISTED_IP).expect(200);
      const by = await callerOf(app, made.organizationId);
      if (faults.has('plan')) await app.get(OrganizationsService).update(by, { plan: 'FREE' });
      if (faults.has('scope')) {
        await app.get(ApiKeysService).update(by, made.apiKeyId, { scopes: ['links:read'] });
      }
      return serviceApi(app, faults.has('key') ? makeKey('wp_live_') : made.apiKey).post(
        `${PROBE}/things/${faults.has('ownership') ? 404 : 1}`,
        { name: faults.has('validation') ? 7 : 'thing' },
      );
    }

    it('accepts a request without a fault', async () => {
      expect((await faulty(new Set())).status).toBe(201);
    });

    const pairs = ORDER.flatMap((first, i) => ORDER.slice(i).map((second) => [first, second] as const));
    it.each(pairs.map(([first, second]) => [first[0], second[0], first[1], first[2]] as const))(
      '%s comes before %s: %i %s',
      async (first, second, status, code) => {
        const { body } = await faulty(new Set([first, second]));
        expect([body.status, body.code]).toEqual([status, code]);
      },
    );

    it('answers a plan without the Service API with the feature', async () => {
      const { body } = await faulty(new Set(['plan']));
      expect(body.feature).toBe('API_ACCESS');
    });
  });

  describe('changes', () => {
    const other = useTestApp(() => ({ database: app.database, modules: [AccessProbeModule] }));

    /** A key used on both processes, so that both have cached it. */
    async function known(overrides: Parameters<typeof createOrganization>[1] = {}) {
      const made = await createOrganization(app, overrides);
      const by = await callerOf(app, made.organizationId);
      const elsewhere = serviceApi(other, made.apiKey);
      await made.api.get(PROBE).expect(200);
      await elsewhere.get(PROBE).expect(200);
      return { ...made, by, elsewhere };
    }

    it('changes to plan, addresses, add-ons and permissions apply immediately', async () => {
      const { by, userId, api, elsewhere } = await known({ addOns: [], permissions: [] });
      await api.get(`${PROBE}/mau`).expect(403);
      await app.get(UsersService).update(by, userId, { permissions: ['mau.view'] });
      await api.get(`${PROBE}/mau`).expect(200);
      await heard(() => elsewhere.get(`${PROBE}/mau`).expect(200));

      await api.get(`${PROBE}/messaging`).expect(403);
      await app.get(AddOnsService).book(by, 'MESSAGING', {});
      await api.get(`${PROBE}/messaging`).expect(200);
      await app.get(AddOnsService).remove(by, 'MESSAGING');
      await api.get(`${PROBE}/messaging`).expect(403);

      const { id } = await app.get(IpAllowListService).add(by, { cidr: LISTED_IP });
      await api.get(PROBE).expect(403);
      await app.get(IpAllowListService).remove(by, id);
      await api.get(PROBE).expect(200);

      await app.get(OrganizationsService).update(by, { plan: 'FREE' });
      await api.get(PROBE).expect(403);
      await heard(() => elsewhere.get(PROBE).expect(403));
    });
  });
});

describe('a route without an access statement', () => {
  it('is refused', async () => {
    const app = await TestApp.start({ modules: [ForgottenModule] });
    const { api } = await createOrganization(app);
    const { body } = await api.get('/api/v1/service/forgotten/open').expect(403);
    expect(body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(body.secret).toBeUndefined();
    await api.get('/api/v1/service/forgotten/closed').expect(200);
    await app.close();
  });
});

/** Queries of the access rules. */
function accessQueries(spy: jest.SpyInstance): unknown[] {
  const sql = spy.mock.calls.map((call: unknown[]) => call[0]);
  return sql.filter((text) => /organizations|users|api_keys|add_ons|ip_allow_list/.test(String(text)));
}
