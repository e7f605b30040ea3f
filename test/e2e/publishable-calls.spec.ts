import request, { type Response } from 'supertest';
import { openAppPage } from '../support/app-pages';
import { publishably, registerApp, signatureOf } from '../support/apps';
import { eventually } from '../support/eventually';
import {
  type ApiClient,
  appApi,
  appHeaders,
  auditLog,
  consoleApi,
  createOrganization,
} from '../support/factories';
import { createLink } from '../support/links';
import { API_HOST, perSuite, useTestApp } from '../support/test-app';
import { IPHONE } from '../support/visits';

const CREATE = '/api/v1/cross-platform/session/create';
const RESOLVE = '/api/v1/sdk/mobile/deeplink/resolve-shorturl/none';
const NOW = '2026-11-20T08:32:00.000Z';
const SHOP = 'https://shop.example.com';
const EVIL = 'https://evil.example';
const SESSION = '/api/v1/cross-platform/session';
const DEEP_LINK = '/api/v1/sdk/mobile/deeplink';
const MEMBER = 'member-1001';
const NEEDS_SECRET_KEY = [{ field: 'ipAddress', message: 'needs the secret key of the app' }];

const app = useTestApp();

describe('pages in browsers with the publishable key', () => {
  const own = perSuite(() => createOrganization(app));
  const open = perSuite(() => registerApp(own));
  const listed = perSuite(() => registerApp(own, { allowedOrigins: [SHOP, 'capacitor://localhost'] }));
  beforeEach(() => app.clock.set(NOW));

  const from = (of: { id: number; apiKey: string }, origin?: string, path = CREATE) => {
    const api = appApi(app, of);
    const call = path === CREATE ? api.post(path, { platform: 'WEB' }) : api.get(path);
    return origin === undefined ? call : call.set('Origin', origin);
  };
  const expectReadable = ({ headers }: Response) => {
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(headers['access-control-expose-headers']).toContain('RateLimit-Remaining');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers.vary).toContain('Origin');
  };

  it.each([CREATE, RESOLVE, '/api/v1/cross-platform/identify', '/api/v1/sdk/mobile/clicks/url'])(
    'are told by a preflight that they may call %s',
    async (path) => {
      const { status, headers, text } = await request(app.url).options(path).set({
        Host: API_HOST,
        Origin: EVIL,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-app-id,x-mobile-app-api-key,x-identity-signature',
      });
      expect([status, text]).toEqual([204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers':
          'Content-Type, X-Request-Id, X-App-ID, X-Mobile-App-API-Key, X-Identity-Signature, X-Link-Password',
        'access-control-max-age': '86400',
      });
    },
  );

  it('may be of any origin unless the app lists some, and read the refusal', async () => {
    for (const origin of [SHOP, EVIL, 'null', undefined]) {
      expectReadable(await from(publishably(open), origin).expect(201));
    }
    for (const origin of [SHOP, 'capacitor://localhost', undefined]) {
      expectReadable(await from(publishably(listed), origin).expect(201));
    }
    const others = [EVIL, 'null', '', `${SHOP}:8443`, 'http://shop.example.com', `${SHOP}.evil.example`];
    for (const origin of others) {
      const refused = await from(publishably(listed), origin);
      expectReadable(refused);
      expect([refused.status, refused.body]).toEqual([
        403,
        {
          status: 403,
          error: 'Forbidden',
          code: 'ORIGIN_NOT_ALLOWED',
          message: `${origin} is not one of the allowedOrigins of the app`,
          timestamp: '2026-11-20T08:32:00Z',
        },
      ]);
    }
    // A relay may forward the Origin of its caller.
    await from(listed, EVIL).expect(201);
  });

  it('read errors of every kind', async () => {
    const unknown = { id: open.id, apiKey: 'wp_pub_unknown' };
    for (const path of [CREATE, RESOLVE]) expectReadable(await from(unknown, EVIL, path).expect(401));
    expectReadable(await from(publishably(open), EVIL, RESOLVE).expect(404));
    const stats = '/api/v1/cross-platform/stats/summary';
    expectReadable(await from(publishably(open), EVIL, stats).expect(403));
    expectReadable(await from(publishably(open), EVIL, '/api/v1/cross-platform/none').expect(404));
  });

  describe('have allowed origins', () => {
    let sites = 0;
    const create = (allowedOrigins: unknown) =>
      own.api.post('/api/v1/service/mobile-apps', {
        platform: 'Web',
        appName: 'Site',
        bundleId: `site-${++sites}`,
        allowedOrigins,
      });
    const update = (allowedOrigins: unknown, { id } = listed) =>
      own.api.put(`/api/v1/service/mobile-apps/${id}`, { allowedOrigins });

    it('in the form in which browsers send them', async () => {
      const { body } = await create([
        'HTTPS://Shop.Example.com',
        'https://shop.example.com:443',
        'http://localhost:3000',
        'https://bücher.example',
        'ionic://localhost',
        'http://[::1]:8080',
      ]).expect(201);
      expect(body.allowedOrigins).toEqual([
        'https://shop.example.com',
        'http://localhost:3000',
        'https://xn--bcher-kva.example',
        'ionic://localhost',
        'http://[::1]:8080',
      ]);
      expect((await create(undefined).expect(201)).body.allowedOrigins).toEqual([]);
    });

    it.each([
      'https://shop.example.com',
      ['https://shop.example.com/'],
      ['shop.example.com'],
      ['*'],
      ['https://shop.example.com:99999'],
      ['https://user@shop.example.com'],
      [7],
      [`https://${'x'.repeat(300)}`],
    ])('and refuse %j by the name of the field', async (wrong) => {
      for (const call of [create(wrong), update(wrong)]) {
        const { body } = await call.expect(400);
        expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'allowedOrigins' }] });
      }
    });

    it('that change at once, in the audit log too', async () => {
      const app2 = await registerApp(own);
      await from(publishably(app2), EVIL).expect(201);
      expect((await update([SHOP], app2).expect(200)).body.allowedOrigins).toEqual([SHOP]);
      await from(publishably(app2), EVIL).expect(403);
      const [entry] = await auditLog(app, own, { size: 1 });
      expect(entry).toMatchObject({
        action: 'app.update',
        changes: { allowedOrigins: { from: [], to: [SHOP] } },
      });
      expect((await update(null, app2).expect(200)).body.allowedOrigins).toEqual([]);
      await from(publishably(app2), EVIL).expect(201);
    });
  });

  describe('have 300 calls a minute and address', () => {
    const call = (of: { id: number; apiKey: string }, ip: string) =>
      request(app.url)
        .get(RESOLVE)
        .set({ Host: API_HOST, ...appHeaders(of), 'X-Forwarded-For': ip });
    const limits = ({ status, headers }: Response) => [
      status,
      headers['ratelimit-limit'],
      headers['ratelimit-remaining'],
      headers['ratelimit-reset'],
      headers['retry-after'],
    ];
    const statuses = async (count: number, of: { id: number; apiKey: string }, ip: string) => {
      const all: number[] = [];
      for (let i = 0; i < count; i += 10) {
        const some = await Promise.all(Array.from({ length: Math.min(10, count - i) }, () => call(of, ip)));
        all.push(...some.map(({ status }) => status));
      }
      return all;
    };

    it('which others, the secret key and other apps do not lose', async () => {
      const busy = await registerApp(own);
      const key = publishably(busy);
      expect(limits(await call(key, '203.0.113.9'))).toEqual([404, '300', '299', '60', undefined]);
      const rest = await statuses(400, key, '203.0.113.9');
      expect(rest.filter((status) => status === 404)).toHaveLength(299);
      const refused = await call(key, '203.0.113.9');
      expect(limits(refused)).toEqual([429, '300', '0', '60', '60']);
      expect(refused.body.code).toBe('RATE_LIMITED');
      expectReadable(refused);
      // Refused calls have not used up the 1,000 of the app: 300 + 1 + 1 calls count there.
      expect(limits(await call(key, '203.0.113.10'))).toEqual([404, '300', '299', '60', undefined]);
      expect(limits(await call(busy, '203.0.113.9'))).toEqual([404, '1000', '698', '60', undefined]);
      expect((await call(publishably(open), '203.0.113.9')).status).toBe(404);
      app.clock.advance(60_000);
      expect((await call(key, '203.0.113.9')).status).toBe(404);
    });

    it('which all addresses of an IPv6 network share', async () => {
      const key = publishably(await registerApp(own));
      await call(key, '2001:db8:1:2::1').expect(404);
      expect(limits(await call(key, '2001:db8:1:2:ffff::9'))[2]).toBe('298');
      expect(limits(await call(key, '2001:db8:1:3::1'))[2]).toBe('299');
    });

    it('beside the calls of the app, of which the fewer left are reported', async () => {
      const small = await registerApp(own);
      const path = `${own.consolePath}/mobile-apps/${small.id}/settings`;
      await consoleApi(app).patch(path, { sdkRatePerMinute: 2 }).expect(200);
      const key = publishably(small);
      expect(limits(await call(key, '203.0.113.1'))).toEqual([404, '2', '1', '60', undefined]);
      expect(limits(await call(key, '203.0.113.2'))).toEqual([404, '2', '0', '60', undefined]);
      expect(limits(await call(key, '203.0.113.3'))).toEqual([429, '2', '0', '60', '60']);
    });
  });
});

/** IP addresses of people in Korea and Japan. */
const [SEOUL, TOKYO] = ['210.89.164.90', '133.237.60.1'];

describe('sessions and the publishable key', () => {
  let inApp: ApiClient;
  let names = 0;

  const own = perSuite(() => createOrganization(app));
  const shop = perSuite(() => registerApp(own));
  const onServer = appApi(app, shop);
  beforeAll(() => {
    inApp = appApi(app, publishably(shop));
  });
  beforeEach(() => app.clock.run());

  const nextName = () => `session-${++names}`;
  const create = (by: ApiClient, body: object) => by.post(`${SESSION}/create`, { platform: 'IOS', ...body });
  const begin = async (by: ApiClient, body: object = {}): Promise<string> =>
    ((await create(by, body).expect(201)).body as { sessionId: string }).sessionId;
  /** The statuses of the three ways to read a session. */
  const read = async (by: ApiClient, id: string) => {
    const answers = ['', '/events', '/transitions'].map((path) => by.get(`${SESSION}/${id}${path}`));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const READ = [200, 200, 200];
  const HIDDEN = [404, 404, 404];
  /** The token of a click on a new link of the app, once the click has its session. */
  const click = async (ip = '203.0.113.7') => {
    const { id: trackedLinkId } = await createLink(own, { iosAppId: shop.id });
    const token = await openAppPage(app, own, { trackedLinkId, appIds: [shop.id], ip });
    await eventually(async () => {
      const sessions = await app.sql('SELECT id FROM funnel_sessions WHERE tracked_link_id = $1', [
        trackedLinkId,
      ]);
      expect(sessions).toHaveLength(1);
    });
    return { token, urlId: trackedLinkId };
  };

  it('that it began by any call are readable with it, and all with the secret key', async () => {
    const named = nextName();
    await inApp.post(`${SESSION}/event`, { sessionId: named, eventType: 'view' }).expect(200);
    const tracked = nextName();
    const stage = { sessionId: tracked, stage: 'APP_OPENED' };
    await inApp.post(`${DEEP_LINK}/funnel/track`, stage).expect(200);
    for (const id of [await begin(inApp), named, tracked]) {
      expect(await read(inApp, id)).toEqual(READ);
      expect(await read(onServer, id)).toEqual(READ);
    }
    const sibling = await registerApp(own);
    expect(await read(appApi(app, publishably(sibling)), await begin(inApp))).toEqual(HIDDEN);
  });

  it('of the secret key are written and not read', async () => {
    const sessionId = nextName();
    await begin(onServer, { sessionId, externalUserId: MEMBER });
    await inApp.post(`${SESSION}/event`, { sessionId, eventType: 'view' }).expect(200);
    await inApp.post(`${SESSION}/transition`, { sessionId, toPlatform: 'ANDROID' }).expect(200);
    await inApp.post(`${SESSION}/funnel/track`, { sessionId, goalType: 'signup' }).expect(200);
    expect(await read(inApp, sessionId)).toEqual(HIDDEN);
    expect(await read(onServer, sessionId)).toEqual(READ);
    const { body: refused } = await inApp.get(`${SESSION}/${sessionId}`).expect(404);
    const { body: unknown } = await inApp.get(`${SESSION}/${nextName()}`).expect(404);
    expect({ ...refused, timestamp: '' }).toEqual({ ...unknown, timestamp: '' });
    // A repeated session/create would show and change it.
    await create(inApp, { sessionId, utmSource: 'forged' }).expect(404);
    const { body } = await onServer.get(`${SESSION}/${sessionId}`).expect(200);
    expect(body).toMatchObject({ externalUserId: MEMBER, utmSource: null, platform: 'ANDROID' });
  });

  it('are linked to a member with the signature of the member alone', async () => {
    const sessionId = await begin(inApp);
    const link = (member: string, signed = member) =>
      inApp
        .post(`${SESSION}/${sessionId}/link-user`, { externalUserId: member })
        .set('X-Identity-Signature', signatureOf(shop, signed));
    await link(MEMBER, 'member-1002').expect(401);
    expect((await inApp.get(`${SESSION}/${sessionId}`)).body.externalUserId).toBeNull();
    await link(MEMBER).expect(200);
    expect((await inApp.get(`${SESSION}/${sessionId}`)).body.externalUserId).toBe(MEMBER);
  });

  describe('of clicks', () => {
    const ways: [string, (clicked: { token: string }) => Promise<string>][] = [
      ['session/create', ({ token }) => begin(inApp, { token })],
      [
        'deeplink/match',
        async ({ token }) => {
          const { body } = await inApp.get(`${DEEP_LINK}/match`, { token }).expect(200);
          return (body as { sessionId: string }).sessionId;
        },
      ],
    ];

    it.each(ways)('are readable once %s has continued them by their token', async (_, go) => {
      const clicked = await click();
      const [row] = await app.sql<{ id: string }>(
        'SELECT id FROM funnel_sessions WHERE tracked_link_id = $1',
        [clicked.urlId],
      );
      const id = row?.id ?? '';
      expect(await read(inApp, id)).toEqual(HIDDEN);
      expect(await go(clicked)).toBe(id);
      expect(await read(inApp, id)).toEqual(READ);
      await create(inApp, { sessionId: id }).expect(201);
    });

    it.each(ways)('are readable by %s after the server has continued them too', async (_, go) => {
      const clicked = await click();
      const id = await begin(onServer, { token: clicked.token });
      expect(await read(inApp, id)).toEqual(HIDDEN);
      expect(await go(clicked)).toBe(id);
      expect(await read(inApp, id)).toEqual(READ);
    });

    it('that became the session of a member are not, except for that member', async () => {
      const { token } = await click();
      const id = await begin(onServer, { token, externalUserId: MEMBER });
      await inApp.get(`${DEEP_LINK}/match`, { token }).expect(200);
      expect(await read(inApp, id)).toEqual(HIDDEN);
      expect(await begin(inApp, { token })).not.toBe(id);
      const signed = create(inApp, { token, externalUserId: MEMBER });
      const { body } = await signed.set('X-Identity-Signature', signatureOf(shop, MEMBER)).expect(201);
      expect(body.sessionId).toBe(id);
      expect(await read(inApp, id)).toEqual(READ);
    });

    it('are matched with the address of the connection', async () => {
      const start = (by: ApiClient, from: string, query: object = {}) =>
        by
          .get(`${DEEP_LINK}/resolve-fingerprint`, { userAgent: IPHONE, ...query })
          .set('X-Forwarded-For', from);
      await click(SEOUL);
      const elsewhere = await start(inApp, TOKYO).expect(200);
      expect(elsewhere.body).toMatchObject({ matched: false, reason: 'NO_CANDIDATE' });
      const relayed = await start(inApp, TOKYO, { ipAddress: SEOUL }).expect(400);
      expect(relayed.body.details).toEqual(NEEDS_SECRET_KEY);
      const { body } = await start(inApp, SEOUL).expect(200);
      expect(body.matched).toBe(true);
      expect(await read(inApp, body.sessionId as string)).toEqual(READ);
      const missing = await start(onServer, SEOUL).expect(400);
      expect(missing.body.details).toEqual([
        { field: 'ipAddress', message: 'is required with the secret key' },
      ]);
    });
  });

  it.each(['IOS', 'WEB'])(
    'have the country of the connection, and keep the user agent (%s)',
    async (platform) => {
      const own = { platform, userAgent: IPHONE };
      const relayed = { ...own, ipAddress: TOKYO };
      expect((await create(inApp, relayed).expect(400)).body.details).toEqual(NEEDS_SECRET_KEY);
      const { body } = await create(inApp, own).set('X-Forwarded-For', SEOUL).expect(201);
      expect(body).toMatchObject({ country: 'KR', deviceInfo: { os: 'iOS', userAgent: IPHONE } });
      const { body: bare } = await create(inApp, { platform }).set('X-Forwarded-For', SEOUL).expect(201);
      expect(bare.country).toBe('KR');
      const { body: ofServer } = await create(onServer, relayed).set('X-Forwarded-For', SEOUL).expect(201);
      expect(ofServer.country).toBe('JP');
    },
  );
});
