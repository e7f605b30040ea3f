import { Controller, Get, Module, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { Access } from '../../src/access/access.decorator';
import { hashKey, makeKey } from '../../src/access/api-keys/key-format';
import { App, type AppCaller } from '../../src/access/caller';
import { IpAllowListService } from '../../src/access/ip-allow-list/ip-allow-list.service';
import { OrganizationsService } from '../../src/access/organizations/organizations.service';
import { KeyedApps } from '../../src/access/app-keys/keyed-apps';
import { NotFound } from '../../src/common/errors/errors';
import { PathId } from '../../src/common/validation/atoms';
import { registerApp } from '../support/apps';
import { heard } from '../support/eventually';
import {
  ApiClient,
  appApi,
  auditLog,
  callerOf,
  consoleApi,
  createOrganization,
  type OrganizationOverrides,
  type TestOrganization,
} from '../support/factories';
import { perSuite, useTestApp } from '../support/test-app';

class ThingPath {
  @PathId()
  id!: number;
}

/** One route for every kind of access statement, under the prefix of either API. */
class Probe {
  @Get()
  @Access({ key: 'app', publishable: 'yes' })
  plain(@App() app: AppCaller) {
    return { ...app, addOns: [...app.addOns].sort(), permissions: [...app.permissions] };
  }

  @Get('journey/:id')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  journey(@Param() { id }: ThingPath) {
    if (id === 404) throw new NotFound();
    return {};
  }
}

@ApiExcludeController()
@Controller('api/v1/sdk/mobile/key-probe')
class MobileProbeController extends Probe {}

@ApiExcludeController()
@Controller('api/v1/cross-platform/key-probe')
class CrossPlatformProbeController extends Probe {}

@Module({ controllers: [MobileProbeController, CrossPlatformProbeController] })
class ProbesModule {}

const modules = [ProbesModule];
const MOBILE = '/api/v1/sdk/mobile/key-probe';
const CROSS_PLATFORM = '/api/v1/cross-platform/key-probe';
const MISSING = 'The headers X-App-ID and X-Mobile-App-API-Key are both required';
const NO_PAIR = 'X-App-ID and X-Mobile-App-API-Key do not match';
const NOW = '2026-11-20T08:32:00.000Z';

type Registered = Awaited<ReturnType<typeof registerApp>>;

describe('the keys of apps', () => {
  const app = useTestApp({ at: NOW, modules });
  const own = perSuite(() => createOrganization(app));
  const registered = perSuite(() => registerApp(own));

  /** Sends headers unchanged; undefined ones are omitted. */
  const send = (path: string, id: string | undefined, key: string | undefined, of = app) =>
    new ApiClient(of, {
      ...(id !== undefined && { 'X-App-ID': id }),
      ...(key !== undefined && { 'X-Mobile-App-API-Key': key }),
    }).get(path);
  const newApp = async (overrides: OrganizationOverrides = {}) => {
    const organization = await createOrganization(app, overrides);
    return { organization, registered: await registerApp(organization) };
  };
  const settingsOf = ({ organizationId }: TestOrganization, { id }: { id: number }) =>
    `/api/v1/console/organizations/${organizationId}/mobile-apps/${id}/settings`;
  const setRate = (organization: TestOrganization, of: { id: number }, sdkRatePerMinute: number) =>
    consoleApi(app).patch(settingsOf(organization, of), { sdkRatePerMinute }).expect(200);

  it('identify the app, with plan and add-ons of its organization', async () => {
    const { organization, registered: shop } = await newApp({ addOns: ['USER_JOURNEY'] });
    const by = await callerOf(app, organization.organizationId);
    await app.get(OrganizationsService).update(by, { plan: 'FREE' });
    const { body } = await appApi(app, shop).get(MOBILE).set('X-Forwarded-For', '198.51.100.9').expect(200);
    const { organizationId } = organization;
    expect(body).toEqual({
      organizationId,
      appId: shop.id,
      key: 'secret',
      appPlatform: 'iOS',
      organization: expect.objectContaining({ id: organizationId, plan: 'FREE', baseCurrency: 'USD' }),
      addOns: ['USER_JOURNEY'],
      actor: { type: 'APP', id: shop.id, name: 'Shop' },
      role: null,
      userId: null,
      username: null,
      permissions: [],
      ip: '198.51.100.9',
    });
  });

  it('need no address of the allow-list, which is for the Service API', async () => {
    const { organization, registered: shop } = await newApp();
    const by = await callerOf(app, organization.organizationId);
    await app.get(IpAllowListService).add(by, { cidr: '203.0.113.7' });
    await appApi(app, shop).get(MOBILE).set('X-Forwarded-For', '198.51.100.9').expect(200);
  });

  describe.each([MOBILE, CROSS_PLATFORM])('are refused at %s', (path) => {
    const common = (status: number, error: string, code: string, message: string, more = {}) =>
      path === CROSS_PLATFORM
        ? { error: message }
        : { status, error, code, message, timestamp: '2026-11-20T08:32:00Z', ...more };
    const expectMissing = async (id?: string, key?: string) => {
      const { status, body } = await send(path, id, key);
      expect([status, body]).toEqual([401, common(401, 'Unauthorized', 'API_KEY_MISSING', MISSING)]);
    };
    const expectNoPair = async (id: string, key: string) => {
      const { status, body, headers } = await send(path, id, key);
      expect([status, body]).toEqual([401, common(401, 'Unauthorized', 'API_KEY_INVALID', NO_PAIR)]);
      expect(headers['ratelimit-limit']).toBeUndefined();
    };

    it('when a header is missing or empty', async () => {
      const id = String(registered.id);
      await expectMissing();
      await expectMissing(id);
      await expectMissing(undefined, registered.apiKey);
      await expectMissing('', registered.apiKey);
      await expectMissing(id, '');
      await expectMissing('abc');
    });

    it.each(['abc', '1e3', '٣'])('when X-App-ID is %j, which is not a number', async (id) => {
      const sent = Buffer.from(id, 'utf8').toString('latin1');
      const { status, body } = await send(path, sent, registered.apiKey);
      const message = 'X-App-ID: must be numeric';
      const details = [{ field: 'X-App-ID', message: 'must be numeric' }];
      const expected = common(400, 'Bad Request', 'VALIDATION_FAILED', message, { details });
      expect([status, body]).toEqual([400, expected]);
    });

    it('when id and key do not match, whatever is wrong', async () => {
      const id = String(registered.id);
      const other = await registerApp(await createOrganization(app));
      const sibling = await registerApp(own);
      const { apiKey } = registered;
      const changed = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a');
      for (const key of [other.apiKey, sibling.apiKey, own.apiKey, makeKey('wp_app_'), changed]) {
        await expectNoPair(id, key);
      }
      for (const key of ['x', apiKey.toLowerCase(), `${apiKey}, ${apiKey}`, 'x'.repeat(8_000)]) {
        await expectNoPair(id, key);
      }
      for (const unknown of [other.id, sibling.id, 0, -1, 2 ** 53].map(String)) {
        await expectNoPair(unknown, apiKey);
      }
      for (const unknown of ['9223372036854775808', '9'.repeat(400)]) {
        await expectNoPair(unknown, apiKey);
      }
    });

    it('when the app or its organization has been deleted', async () => {
      const { organization, registered: shop } = await newApp();
      const id = String(shop.id);
      await send(path, id, shop.apiKey).expect(200);
      await organization.api.delete(`/api/v1/service/mobile-apps/${shop.id}`).expect(204);
      await expectNoPair(id, shop.apiKey);
      const left = await newApp();
      await send(path, String(left.registered.id), left.registered.apiKey).expect(200);
      const by = await callerOf(app, left.organization.organizationId);
      await app.get(OrganizationsService).remove(by);
      await expectNoPair(String(left.registered.id), left.registered.apiKey);
    });

    it('after rate and before validation, when the add-on is not booked', async () => {
      const { organization, registered: shop } = await newApp({ addOns: ['MESSAGING'] });
      await setRate(organization, shop, 1);
      const { status, body } = await appApi(app, shop).get(`${path}/journey/x`);
      expect([status, body]).toEqual([
        403,
        {
          status: 403,
          error: 'ADDON_REQUIRED',
          code: 'ADDON_REQUIRED',
          message: 'The add-on USER_JOURNEY is required',
          timestamp: '2026-11-20T08:32:00Z',
          addonCode: 'USER_JOURNEY',
        },
      ]);
      const refused = await appApi(app, shop).get(`${path}/journey/x`);
      expect([refused.status, refused.body]).toEqual([
        429,
        {
          status: 429,
          error: 'Too Many Requests',
          code: 'RATE_LIMITED',
          message: 'Too many requests; try again in 60 s',
          timestamp: '2026-11-20T08:32:00Z',
        },
      ]);
      const booked = await newApp({ addOns: ['USER_JOURNEY'] });
      const invalid = await appApi(app, booked.registered).get(`${path}/journey/x`).expect(400);
      expect(invalid.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'id' }] });
      await appApi(app, booked.registered).get(`${path}/journey/404`).expect(404);
      await appApi(app, booked.registered).get(`${path}/journey/1`).expect(200);
    });
  });

  it('are looked up the same way and without a query, whether or not the app exists', async () => {
    const finds = jest.spyOn(app.get(KeyedApps), 'find');
    const queries = jest.spyOn(app.get(DataSource), 'query');
    await send(MOBILE, String(registered.id), makeKey('wp_app_')).expect(401);
    await send(MOBILE, '987654321', makeKey('wp_app_')).expect(401);
    queries.mockClear();
    for (let i = 0; i < 5; i++) {
      await send(MOBILE, String(registered.id), makeKey('wp_app_')).expect(401);
      await send(MOBILE, '987654321', makeKey('wp_app_')).expect(401);
      await appApi(app, registered).get(MOBILE).expect(200);
    }
    expect(finds).toHaveBeenCalledTimes(17);
    expect(queries.mock.calls.filter(([sql]) => /apps|organizations/.test(sql))).toEqual([]);
    finds.mockRestore();
    queries.mockRestore();
  });

  describe('have settings in the console', () => {
    it('which show and change the rate', async () => {
      const { organization, registered: shop } = await newApp();
      const path = settingsOf(organization, shop);
      expect((await consoleApi(app).get(path).expect(200)).body).toEqual({
        sdkRatePerMinute: 1000,
        onShortDomain: false,
      });
      expect(limits(await appApi(app, shop).get(MOBILE))).toEqual(['1000', '999', '60', undefined]);
      const { body } = await setRate(organization, shop, 5);
      expect(body).toEqual({ sdkRatePerMinute: 5, onShortDomain: false });
      expect(limits(await appApi(app, shop).get(MOBILE))).toEqual(['5', '3', '60', undefined]);
      const beacon = (appId?: number) =>
        new ApiClient(app, {}).post('/api/v1/sdk/web/deeplink/track-store-visit', {
          token: 'x',
          ...(appId && { appId }),
        });
      const ofPages = [(await beacon(shop.id)).headers, (await beacon(987_654_321)).headers];
      expect(ofPages.map((headers) => headers['ratelimit-limit'])).toEqual(['5', '100']);
      for (const sent of [{}, { sdkRatePerMinute: null }, { other: 1 }]) {
        expect((await consoleApi(app).patch(path, sent).expect(200)).body).toEqual(body);
      }
      const [entry] = await auditLog(app, organization, { size: 1 });
      expect(entry).toMatchObject({
        action: 'app.update',
        resourceId: String(shop.id),
        changes: { sdkRatePerMinute: { from: 1000, to: 5 } },
      });
    });
  });

  describe('that change', () => {
    const second = useTestApp(() => ({ modules, database: app.database }));

    /** An app that both processes have cached. */
    const known = async () => {
      const made = await newApp();
      await appApi(app, made.registered).get(MOBILE).expect(200);
      await appApi(second, made.registered).get(MOBILE).expect(200);
      return made;
    };

    it('stop working immediately on every process, and the new one works', async () => {
      const { organization, registered: shop } = await known();
      const { body } = await consoleApi(app)
        .post(settingsOf(organization, shop).replace('settings', 'regenerate-key'))
        .expect(201);
      expect(body).toEqual({ ...shop, apiKey: expect.stringMatching(/^wp_app_\w{38}$/) });
      expect(body.apiKey).not.toBe(shop.apiKey);
      await appApi(app, shop).get(MOBILE).expect(401);
      await heard(() => appApi(second, shop).get(MOBILE).expect(401));
      await appApi(app, body as Registered)
        .get(MOBILE)
        .expect(200);
      await appApi(second, body as Registered)
        .get(MOBILE)
        .expect(200);
      const [row] = await app.sql('SELECT api_key_hash FROM apps WHERE id = $1', [shop.id]);
      expect(row?.api_key_hash).toEqual(hashKey(body.apiKey as string));
      const shown = await organization.api.get(`/api/v1/service/mobile-apps/${shop.id}`).expect(200);
      expect(shown.body).toEqual(body);
    });

    it('of a deleted app stop working on every process', async () => {
      const { organization, registered: shop } = await known();
      await organization.api.delete(`/api/v1/service/mobile-apps/${shop.id}`).expect(204);
      await appApi(app, shop).get(MOBILE).expect(401);
      await heard(() => appApi(second, shop).get(MOBILE).expect(401));
    });

    it('allow exactly the limit of 200 parallel calls on two processes, separately for each app', async () => {
      second.clock.set('2026-11-20T08:32:00.300Z');
      const { organization, registered: shop } = await newApp();
      await setRate(organization, shop, 30);
      const apis = [appApi(app, shop), appApi(second, shop)];
      const calls = Array.from({ length: 100 }, () => apis.map((api) => api.get(MOBILE))).flat();
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(30);
      expect(statuses.filter((status) => status === 429)).toHaveLength(170);
      const refused = await appApi(app, shop).get(CROSS_PLATFORM).expect(429);
      expect(limits(refused)).toEqual(['30', '0', '60', '60']);
      await appApi(app, await registerApp(organization))
        .get(MOBILE)
        .expect(200);
      // The window may have begun on the second process, whose clock is ahead.
      app.clock.advance(60_300);
      await appApi(app, shop).get(CROSS_PLATFORM).expect(200);
    });
  });
});

/** RateLimit-Limit, -Remaining, -Reset, Retry-After. */
function limits({ headers }: Response): (string | undefined)[] {
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
  return names.map((name) => headers[name]);
}
