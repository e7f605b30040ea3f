import type { DeepLink, PasswordRequest } from '@waypost/app';
import { PLAY_STORE, registerApp, signatureOf } from '../../../test/support/apps';
import { createCampaign } from '../../../test/support/campaigns';
import { eventually } from '../../../test/support/eventually';
import { appApi, createOrganization, type TestOrganization } from '../../../test/support/factories';
import { codeOf, createLink, SHORT_ORIGIN } from '../../../test/support/links';
import { useTestApp } from '../../../test/support/test-app';
import { IPHONE as SAFARI, visit } from '../../../test/support/visits';
import { Gateway } from './support/gateway';
import { IPHONE, Phone, type Start } from './support/phone';

const NOW = '2026-11-20T08:32:00Z';
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const MOBILE = '/sdk/mobile';

describe('links that open an app with @waypost/app', () => {
  const app = useTestApp();
  let own: TestOrganization;
  let ios: Awaited<ReturnType<typeof registerApp>>;
  let android: Awaited<ReturnType<typeof registerApp>>;
  let gateway: Gateway;
  let phone: Phone;
  const warn = jest.spyOn(console, 'warn');

  beforeAll(async () => {
    gateway = await Gateway.start(app);
  });
  beforeEach(async () => {
    app.clock.set(NOW);
    own = await createOrganization(app, { allowList: ['127.0.0.1'] });
    ios = await registerApp(own);
    android = await registerApp(own, { platform: 'Android', storeUrl: PLAY_STORE });
    gateway.fault = () => null;
    gateway.calls.length = 0;
    phone = new Phone(gateway, ios, app.clock);
    warn.mockReset().mockImplementation(() => undefined);
  });
  afterAll(() => gateway.close());

  const tied = (more = {}) =>
    createLink(own, {
      iosAppId: ios.id,
      androidAppId: android.id,
      iosDeepLinkPath: '/p/42?a=1%262',
      androidDeepLinkPath: '/p/42',
      goalType: 'subscribe',
      ...more,
    });
  const addressOf = (path: string) => `${SHORT_ORIGIN.replace('http:', 'https:')}/${ios.path}/${path}`;
  /** The page that opens the app. */
  const page = async (path: string, userAgent = SAFARI) => {
    const { text } = await visit(app, path, { userAgent }).expect(200);
    const hrefOf = (id: string) =>
      new RegExp(`id="${id}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const token = /data-token="([^"]+)"/.exec(text)?.[1] ?? '';
    return { open: hrefOf('open'), store: hrefOf('store'), token };
  };
  const figures = async (path: string) => {
    const { body } = await own.api
      .get(`/api/v1/service/${path}/app-install-stats?startDate=2026-11-20&endDate=2026-11-20`)
      .expect(200);
    const stages = body.funnelStats.stages as { stageCode: string; sessionsReached: number }[];
    return {
      clicks: body.totalClicks as number,
      installs: body.totalInstalls as number,
      openings: body.reengagementStats.totalReengagements as number,
      sessions: body.funnelStats.totalSessions as number,
      stages: stages.filter(({ sessionsReached }) => sessionsReached === 1).map(({ stageCode }) => stageCode),
    };
  };
  const expectFigures = (path: string, expected: object) =>
    eventually(async () => expect(await figures(path)).toEqual({ sessions: 1, ...expected }));
  const loseFirstAnswers = (...paths: string[]) => {
    const open = new Set(paths);
    gateway.fault = ({ path }) => (open.delete(path) ? 'lost' : null);
  };
  const linksOf = ({ waypost }: Start) => {
    const links: DeepLink[] = [];
    waypost.onDeepLink((link) => links.push(link));
    return links;
  };
  /** An earlier start, so that the next one is not the first. */
  const install = async () => {
    const { waypost, kill } = phone.start();
    await waypost.flush();
    kill();
    app.clock.advance(3_600_000);
  };

  it('count a first start after an installation by the referrer of Google Play', async () => {
    const link = await tied();
    const { store } = await page(`/${codeOf(link)}`, CHROME);
    phone = new Phone(gateway, android, app.clock);
    phone.os = 'ANDROID';
    phone.device = { osVersion: '15', model: 'SM-S931B', isTablet: false };
    phone.referrer = new URL(store).searchParams.get('referrer');
    const first = phone.start();
    const links = linksOf(first);
    await first.waypost.flush();
    expect(links).toEqual([
      {
        deepLinkUrl: 'exampleshop://p/42',
        originalUrl: link.originalUrl,
        urlId: link.id,
        campaignId: null,
        customerId: null,
        goalType: 'subscribe',
        isFirstLaunch: true,
        matchedBy: 'referrer',
        url: null,
      },
    ]);
    await first.waypost.trackGoal(null, 1);
    await first.waypost.flush();
    first.kill();
    await phone.start().waypost.flush();
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 1, openings: 0 },
      stages: ['CLICKED', 'APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED', 'GOAL_COMPLETED'],
    });
    expect(gateway.of(`${MOBILE}/deeplink/match`)).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('count a first start once, at whichever step the app is killed', async () => {
    const link = await tied();
    const { store } = await page(`/${codeOf(link)}`, CHROME);
    phone = new Phone(gateway, android, app.clock);
    phone.os = 'ANDROID';
    phone.referrer = new URL(store).searchParams.get('referrer');
    for (let killAt = 1, isDone = false; !isDone; killAt++) {
      const { waypost, killed, kill } = phone.start({ killAt });
      isDone = await Promise.race([
        killed.then(() => false),
        waypost.flush().then(() => phone.waiting.length === 0),
      ]);
      kill();
    }
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 1, openings: 0 },
      stages: ['CLICKED', 'APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'],
    });
    expect(gateway.of(`${MOBILE}/deeplink/match`).length).toBeGreaterThan(1);
    const { body } = await own.api
      .get(`/api/v1/service/mobile-apps/${android.id}/install-stats?startDate=2026-11-20&endDate=2026-11-20`)
      .expect(200);
    expect(body).toMatchObject({ totalInstalls: 1 });
  });

  it('count a first start by fingerprint, also when the app was offline and killed before', async () => {
    const link = await tied();
    const { token } = await page(`/${codeOf(link)}`);
    const device = { token, resolution: '402x874', language: 'ko-KR', userAgent: SAFARI };
    phone.device = { ...IPHONE, osVersion: '26.0' };
    gateway.fault = () => 'cut';
    const offline = phone.start();
    await offline.waypost.trackEvent('look');
    await offline.waypost.flush();
    offline.kill();
    gateway.fault = () => null;
    await appApi(app, ios).post('/api/v1/sdk/web/deeplink/update-fingerprint', device).expect(200);
    const clicksOf = () => app.sql('SELECT 1 FROM clicks WHERE tracked_link_id = $1', [link.id]);
    await eventually(async () => expect(await clicksOf()).not.toEqual([]));
    const second = phone.start();
    const links = linksOf(second);
    await second.waypost.flush();
    expect(links).toMatchObject([
      { urlId: link.id, isFirstLaunch: true, matchedBy: 'fingerprint', url: null },
    ]);
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 1, openings: 0 },
      stages: ['CLICKED', 'APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'],
    });
    const events = await appApi(app, ios)
      .get(`/api/v1/cross-platform/session/${await second.waypost.getSessionId()}/events`)
      .expect(200);
    expect(events.body.content).toMatchObject([{ eventType: 'look' }]);
  });

  it('count an opening by a Universal Link as a click and a re-engagement, once', async () => {
    await install();
    const link = await tied();
    const url = `${addressOf(codeOf(link))}?qr=1`;
    loseFirstAnswers(
      `${MOBILE}/deeplink/resolve-shorturl/${ios.path}/${codeOf(link)}`,
      `${MOBILE}/clicks/url`,
    );
    const start = phone.start({ url });
    const links = linksOf(start);
    await start.waypost.flush();
    await start.waypost.flush();
    // Some platforms report the address that started the app a second time.
    start.open(url);
    await start.waypost.trackPurchase(10, 'USD');
    await start.waypost.flush();
    expect(links).toMatchObject([
      {
        urlId: link.id,
        deepLinkUrl: 'exampleshop://p/42?a=1%262',
        matchedBy: 'address',
        url,
        isFirstLaunch: false,
      },
    ]);
    expect(gateway.of(`${MOBILE}/clicks/url`).length).toBeGreaterThan(1);
    for (const { body } of gateway.of(`${MOBILE}/clicks/url`)) expect(body.scanned).toBe(true);
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 0, openings: 1 },
      stages: ['CLICKED', 'APP_OPENED', 'DEEP_LINK_RESOLVED', 'GOAL_COMPLETED'],
    });
  });

  it('count a first start by a Universal Link as an installation', async () => {
    const link = await tied();
    const start = phone.start({ url: addressOf(codeOf(link)) });
    const links = linksOf(start);
    await start.waypost.flush();
    expect(links).toMatchObject([{ urlId: link.id, isFirstLaunch: true, matchedBy: 'address' }]);
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 1, openings: 0 },
      stages: ['CLICKED', 'APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'],
    });
    expect(gateway.of(`${MOBILE}/deeplink/resolve-fingerprint`)).toEqual([]);
  });

  it('continue the session of the click when the page opens the running app by its scheme', async () => {
    await install();
    const link = await tied();
    const { open } = await page(`/${codeOf(link)}`);
    const start = phone.start();
    const links = linksOf(start);
    const before = await start.waypost.getSessionId();
    loseFirstAnswers(`${MOBILE}/deeplink/match`);
    start.open(open);
    await start.waypost.trackEvent('look');
    await start.waypost.flush();
    await start.waypost.flush();
    expect(gateway.of(`${MOBILE}/deeplink/match`)).toHaveLength(2);
    expect(gateway.of('/cross-platform/session/event')[0]?.body.sessionId).not.toBe(before);
    expect(links).toMatchObject([{ urlId: link.id, matchedBy: 'token', isFirstLaunch: false, url: open }]);
    const sessionId = await start.waypost.getSessionId();
    expect(sessionId).not.toBe(before);
    const { body } = await appApi(app, ios).get(`/api/v1/cross-platform/session/${sessionId}`).expect(200);
    expect(body).toMatchObject({ urlId: link.id, deviceInfo: { deviceModel: 'iPhone18,1' } });
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 0, openings: 1 },
      stages: ['CLICKED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'],
    });
  });

  it('count the address of a campaign under its tracker and customer', async () => {
    await install();
    const campaign = await createCampaign(own, { iosAppId: ios.id });
    const start = phone.start({ url: `${addressOf(`c/${campaign.alias}/poster`)}?cid=kim%20minji` });
    const links = linksOf(start);
    await start.waypost.flush();
    expect(links).toMatchObject([
      { urlId: null, campaignId: campaign.id, customerId: 'kim minji', matchedBy: 'address' },
    ]);
    await expectFigures(`campaigns/${campaign.id}`, {
      ...{ clicks: 1, installs: 0, openings: 1 },
      stages: ['CLICKED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'],
    });
    const { body } = await own.api
      .get(`/api/v1/service/campaigns/${campaign.id}/stats?startDate=2026-11-20&endDate=2026-11-20`)
      .expect(200);
    expect(body).toMatchObject({
      topTrackers: [{ name: 'poster', count: 1 }],
      userClicks: [{ customId: 'kim minji', clicks: 1 }],
    });
  });

  it('ask for the password of a link that has one, and hold up nothing meanwhile', async () => {
    await install();
    const link = await tied({ password: 'open 열려' });
    const url = addressOf(codeOf(link));
    const start = phone.start({ url });
    const links = linksOf(start);
    const requests: PasswordRequest[] = [];
    start.waypost.onPasswordRequired((request) => requests.push(request));
    await start.waypost.trackEvent('look');
    await start.waypost.flush();
    expect(requests).toMatchObject([{ url, reason: 'REQUIRED' }]);
    expect(gateway.of('/cross-platform/session/event')).toHaveLength(1);
    requests[0]?.submit('wrong');
    await start.waypost.flush();
    expect(requests.map(({ reason }) => reason)).toEqual(['REQUIRED', 'WRONG']);
    expect(links).toEqual([]);
    requests[1]?.submit('open 열려');
    await start.waypost.flush();
    expect(links).toMatchObject([{ urlId: link.id, matchedBy: 'address' }]);
    await start.waypost.flush();
    await expectFigures(`urls/${link.id}`, {
      ...{ clicks: 1, installs: 0, openings: 1 },
      stages: ['CLICKED', 'APP_OPENED', 'DEEP_LINK_RESOLVED'],
    });
    expect([...phone.stored.values()].join()).not.toContain('열려');
  });

  it('leave a session without a link when their token has expired or nobody knows the address', async () => {
    await install();
    const { token } = await page(`/${codeOf(await tied())}`);
    app.clock.advance(8 * 86_400_000);
    for (const url of [
      `exampleshop://p?waypost_token=${token}`,
      addressOf('unknown'),
      'exampleshop://settings',
    ]) {
      const start = phone.start({ url });
      const links = linksOf(start);
      await start.waypost.trackEvent('look');
      await start.waypost.flush();
      expect(links).toEqual([]);
      const sessionId = await start.waypost.getSessionId();
      const { body } = await appApi(app, ios).get(`/api/v1/cross-platform/session/${sessionId}`).expect(200);
      expect(body).toMatchObject({ urlId: null, stages: ['APP_OPENED'] });
      expect(phone.waiting).toEqual([]);
      start.kill();
      app.clock.advance(3_600_000);
    }
    expect(warn).not.toHaveBeenCalled();
  });

  it('of other hosts than yours are left alone', async () => {
    await install();
    const start = phone.start({ url: 'https://shop.example.com/products', linkHosts: ['go.waypost.test'] });
    await start.waypost.flush();
    expect(gateway.calls.filter(({ path }) => path.startsWith(`${MOBILE}/deeplink/resolve-short`))).toEqual(
      [],
    );
  });

  it('open the app without the add-on for sessions, whose calls are dropped', async () => {
    own = await createOrganization(app, { addOns: [] });
    ios = await registerApp(own);
    phone = new Phone(gateway, ios, app.clock);
    const link = await createLink(own, { iosAppId: ios.id, iosDeepLinkPath: '/p' });
    const { waypost } = phone.start({ url: addressOf(codeOf(link)) });
    const links: DeepLink[] = [];
    const reasons: string[] = [];
    waypost.onDeepLink((found) => links.push(found));
    waypost.onDropped(({ reason }) => reasons.push(reason));
    await waypost.flush();
    expect(links).toMatchObject([{ urlId: link.id, deepLinkUrl: 'exampleshop://p' }]);
    expect(new Set(reasons)).toEqual(new Set(['ADDON_REQUIRED']));
    expect(phone.waiting).toEqual([]);
  });

  it('wait with everything else while the key is wrong, and the developer is warned once', async () => {
    const wrong = new Phone(gateway, { ...ios, publishableKey: 'wp_pub_wrong' }, app.clock);
    const { waypost, kill } = wrong.start();
    for (let n = 0; n < 3; n++) await waypost.flush();
    expect(warn).toHaveBeenCalledTimes(1);
    kill();
    expect(wrong.waiting.length).toBe(3);
  });

  describe('members', () => {
    const profile = { externalUserId: 'member-1', name: 'Kim Minji', phone: '+821012345678' };
    const signed = () => ({ identitySignature: signatureOf(ios, profile.externalUserId) });
    const sessionOf = async (sessionId: string) =>
      (await appApi(app, ios).get(`/api/v1/cross-platform/session/${sessionId}`).expect(200)).body as {
        externalUserId: string | null;
      };

    it('get the session in which they sign in, and those that follow until they sign out', async () => {
      const { waypost } = phone.start();
      const first = await waypost.getSessionId();
      expect(await waypost.identify(profile, signed())).toMatchObject({ success: true, action: 'created' });
      await waypost.flush();
      expect(await sessionOf(first)).toMatchObject({ externalUserId: 'member-1' });
      app.clock.advance(3_600_000);
      const next = await waypost.getSessionId();
      await waypost.flush();
      expect(await sessionOf(next)).toMatchObject({ externalUserId: 'member-1' });
      await waypost.reset();
      const last = await waypost.getSessionId();
      await waypost.flush();
      expect(await sessionOf(last)).toMatchObject({ externalUserId: null });
      expect([...phone.stored.values()].join()).not.toMatch(/Kim|\+82|member-1/);
    });

    it('are saved once the network is back, without their data on the device', async () => {
      const { waypost, foreground } = phone.start();
      await waypost.flush();
      gateway.fault = () => 'cut';
      const saved = waypost.identify(profile, signed());
      await eventually(async () => expect(gateway.of('/cross-platform/identify').length).toBe(1));
      expect([...phone.stored.values()].join()).not.toMatch(/Kim|\+82|member-1/);
      gateway.fault = () => null;
      await eventually(async () => {
        foreground();
        expect(gateway.of('/cross-platform/identify').length).toBe(2);
      });
      expect(await saved).toMatchObject({ action: 'created' });
    });

    it('lose the session, which counts all the same, once their signature is no longer right', async () => {
      const { waypost } = phone.start();
      await waypost.identify(profile, signed());
      await waypost.flush();
      const member = [...phone.stored.keys()].find((key) => key.endsWith('.member')) ?? '';
      phone.stored.set(member, JSON.stringify({ externalUserId: 'member-1', identitySignature: 'former' }));
      app.clock.advance(3_600_000);
      const again = phone.start().waypost;
      const sessionId = await again.getSessionId();
      await again.flush();
      expect(await sessionOf(sessionId)).toMatchObject({ externalUserId: null, stages: ['APP_OPENED'] });
    });

    it('set their consents and where push messages reach them', async () => {
      const { waypost } = phone.start();
      await expect(waypost.setPush({ token: 'fcm:1' })).rejects.toThrow('identify has not been called');
      await waypost.identify(profile, signed());
      await waypost.setPush({ token: 'fcm:1', pushOptIn: true });
      await waypost.optIn({ pushAdOptIn: true, emailOptIn: true });
      const { body } = await own.api.get('/api/v1/service/messaging/contacts').expect(200);
      expect(body.content[0]).toMatchObject({
        ...{ pushIdentify: 'fcm:1', pushOptIn: true, pushAdOptIn: true, emailOptIn: true, name: 'Kim Minji' },
      });
      const other = { ...profile, externalUserId: 'member-2' };
      await expect(waypost.identify(other, signed())).rejects.toMatchObject({
        name: 'WaypostError',
        status: 401,
        code: 'IDENTITY_SIGNATURE_REQUIRED',
      });
    });
  });
});
