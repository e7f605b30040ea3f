import { openAppPage } from '../support/app-pages';
import { publishably, type RegisteredApp, registerApp, signatureOf } from '../support/apps';
import { eventually } from '../support/eventually';
import { type ApiClient, appApi, createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { IPHONE } from '../support/visits';

const SESSION = '/api/v1/cross-platform/session';
const DEEP_LINK = '/api/v1/sdk/mobile/deeplink';
const MEMBER = 'member-1001';
/** IP addresses of people in Korea and Japan. */
const [SEOUL, TOKYO] = ['210.89.164.90', '133.237.60.1'];

const NEEDS_SECRET_KEY = [{ field: 'ipAddress', message: 'needs the secret key of the app' }];

describe('sessions and the publishable key', () => {
  const app = useTestApp();
  let own: TestOrganization;
  let shop: RegisteredApp;
  let inApp: ApiClient;
  let onServer: ApiClient;
  let names = 0;

  beforeAll(async () => {
    own = await createOrganization(app);
    shop = await registerApp(own);
    inApp = appApi(app, publishably(shop));
    onServer = appApi(app, shop);
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
