import { useDnsServer } from '../support/dns-server';
import { DomainConsole } from '../support/domains';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { registerApp } from '../support/apps';
import { eventually } from '../support/eventually';
import { type ApiClient, appApi, consoleApi, createOrganization } from '../support/factories';
import { codeOf, createDomain, createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, visit } from '../support/visits';

const MOBILE = '/api/v1/sdk/mobile';
const SHORT_URL = `${MOBILE}/deeplink/resolve-shorturl`;
const CAMPAIGN = `${MOBILE}/deeplink/resolve-campaign`;
const NOW = '2026-11-20T08:32:00Z';
/** A path with escapes that a client would lose by joining scheme and path. */
const PATH = '/products/42?color=red%26blue&next=%2Fa%3Fb&empty';
const LINK = {
  url: 'https://shop.example.com/products/42?color=red%26blue',
  mobileTargetUrl: 'https://m.shop.example.com/products/42',
  iosDeepLinkPath: PATH,
  androidDeepLinkPath: '/p/42?x=%EA%B0%80',
  goalType: 'purchase',
};

describe('the Mobile SDK API, on links and campaigns', () => {
  const dns = useDnsServer();
  const app = useTestApp(() => ({ env: { DNS_SERVERS: dns.address } }));
  let aliases = 0;

  const own = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  const ios = perSuite(() => registerApp(own));
  const android = perSuite(() => registerApp(own, { platform: 'Android', scheme: 'shopdroid://' }));
  const iosApi = appApi(app, ios);
  const androidApi = appApi(app, android);
  const otherApp = perSuite(() => registerApp(other));
  const otherApi = appApi(app, otherApp);
  beforeEach(() => app.clock.set(NOW));

  const alias = () => `alias-${++aliases}`;
  const tied = (more = {}) =>
    createLink(own, { ...LINK, iosAppId: ios.id, androidAppId: android.id, ...more });
  const tiedCampaign = (more = {}) => {
    const { url: originalUrl, ...fields } = LINK;
    return createCampaign(own, { ...fields, originalUrl, alias: alias(), iosAppId: ios.id, ...more });
  };
  const notFound = (what: string) => ({
    status: 404,
    error: 'Not Found',
    code: 'NOT_FOUND',
    message: `${what} not found`,
    timestamp: NOW,
  });
  const expectMissing = async (client: ApiClient, path: string) => {
    const { status, body } = await client.get(path);
    expect([path, status, body]).toEqual([path, 404, notFound('Link or campaign')]);
  };

  describe('resolve-shorturl', () => {
    it('returns the deep link for each app, with the complete query of its path', async () => {
      const link = await tied();
      const code = codeOf(link);
      const expected = {
        shortCode: code,
        appPath: ios.path,
        originalUrl: LINK.url,
        mobileTargetUrl: LINK.mobileTargetUrl,
        scheme: 'exampleshop://',
        deepLinkUrl: 'exampleshop://products/42?color=red%26blue&next=%2Fa%3Fb&empty',
        iosDeepLinkPath: PATH,
        androidDeepLinkPath: '/p/42?x=%EA%B0%80',
        urlId: link.id,
        goalType: 'purchase',
        customerId: null,
        sessionId: null,
      };
      expect((await iosApi.get(`${SHORT_URL}/${code}`).expect(200)).body).toEqual(expected);
      expect((await iosApi.get(`${SHORT_URL}/${ios.path}/${code}`).expect(200)).body).toEqual(expected);
      expect((await androidApi.get(`${SHORT_URL}/${code}`).expect(200)).body).toEqual({
        ...expected,
        scheme: 'shopdroid://',
        deepLinkUrl: 'shopdroid://p/42?x=%EA%B0%80',
      });
    });

    it('returns no deep link for a link without an app', async () => {
      const link = await createLink(own);
      const { body } = await iosApi.get(`${SHORT_URL}/${codeOf(link)}`).expect(200);
      expect(body).toMatchObject({
        originalUrl: link.originalUrl,
        scheme: 'exampleshop://',
        deepLinkUrl: null,
        iosDeepLinkPath: null,
        androidDeepLinkPath: null,
        mobileTargetUrl: null,
        appPath: null,
        goalType: null,
      });
      const home = await tied({ iosDeepLinkPath: null });
      const { body: opened } = await iosApi.get(`${SHORT_URL}/${codeOf(home)}`).expect(200);
      expect(opened.deepLinkUrl).toBe('exampleshop://');
    });

    it('returns the same error for foreign and expired links', async () => {
      const link = await tied();
      const code = codeOf(link);
      await expectMissing(otherApi, `${SHORT_URL}/${code}`);
      for (const path of [android.path, 'nopath', 'x'.repeat(51), '%24']) {
        await expectMissing(iosApi, `${SHORT_URL}/${path}/${code}`);
      }
      for (const none of ['unknown', 'x'.repeat(50), 'x'.repeat(51), 'a.b', '%20', '__proto__']) {
        await expectMissing(iosApi, `${SHORT_URL}/${none}`);
      }
      const droids = await createLink(own, { androidAppId: android.id, androidDeepLinkPath: '/x' });
      await expectMissing(iosApi, `${SHORT_URL}/${codeOf(droids)}`);
      await androidApi.get(`${SHORT_URL}/${codeOf(droids)}`).expect(200);

      const expiring = await tied({ expirationDate: '2026-11-20T08:33:00Z' });
      app.clock.set('2026-11-20T08:32:59Z');
      await iosApi.get(`${SHORT_URL}/${codeOf(expiring)}`).expect(200);
      app.clock.set('2026-11-20T08:33:00Z');
      await iosApi.get(`${SHORT_URL}/${codeOf(expiring)}`).expect(404);
      app.clock.set(NOW);
      await own.api.delete(`/api/v1/service/urls/${link.id}`).expect(204);
      await expectMissing(iosApi, `${SHORT_URL}/${code}`);
      await iosApi.get(`${SHORT_URL}/a/b/c`).expect(404);
      await iosApi.get(`${SHORT_URL}/%00`).expect(400);
    });

    it('finds no link or campaign that is off or has not started', async () => {
      const off = await tied({ enabled: false });
      const early = await tied({ startsAt: '2026-11-20T08:33:00Z', notStartedUrl: LINK.url });
      for (const link of [off, early]) {
        await expectMissing(iosApi, `${SHORT_URL}/${codeOf(link)}`);
        const body = { shortCode: codeOf(link) };
        await iosApi.post(`${MOBILE}/clicks/url`, body).expect(404);
      }
      app.clock.set('2026-11-20T08:33:00Z');
      await iosApi.get(`${SHORT_URL}/${codeOf(early)}`).expect(200);
      await own.api.put(`/api/v1/service/urls/${off.id}`, { enabled: true }).expect(200);
      await iosApi.get(`${SHORT_URL}/${codeOf(off)}`).expect(200);
      await own.api.put(`/api/v1/service/urls/${early.id}`, { enabled: false }).expect(200);
      await iosApi.get(`${SHORT_URL}/${codeOf(early)}`).expect(404);
      app.clock.set(NOW);
      const campaign = await tiedCampaign({ enabled: false });
      await expectMissing(iosApi, `${CAMPAIGN}/${campaign.alias}`);
    });

    it('finds links on domains of the organization, after the default one', async () => {
      const word = alias();
      const customDomainId = await createDomain(app, own, `${word}.brand.example`, 'ACTIVE');
      const onDomain = await tied({ customDomainId, customAlias: word });
      await createLink(other, { customAlias: word });
      const { body } = await iosApi.get(`${SHORT_URL}/${word}`).expect(200);
      expect(body.urlId).toBe(onDomain.id);
      await app.alter(`UPDATE custom_domains SET status = 'REVOKED' WHERE id = $1`, [customDomainId]);
      await expectMissing(iosApi, `${SHORT_URL}/${word}`);
    });

    it('refuses everybody whom the link would refuse', async () => {
      const limited = await tied({ maxClicks: 1 });
      const path = `${SHORT_URL}/${codeOf(limited)}`;
      await iosApi.get(path).expect(200);
      await iosApi.get(path).expect(200);
      const click = { shortCode: codeOf(limited) };
      await iosApi.post(`${MOBILE}/clicks/url`, click).expect(200);
      await iosApi.post(`${MOBILE}/clicks/url`, click).expect(404);
      await expectMissing(iosApi, path);
    });
  });

  describe('resolve-campaign', () => {
    it('returns the deep link, and the customer in the URL', async () => {
      const campaign = await tiedCampaign();
      const expected = {
        campaign: { id: campaign.id, name: 'Spring sale', alias: campaign.alias },
        appPath: ios.path,
        originalUrl: LINK.url,
        mobileTargetUrl: LINK.mobileTargetUrl,
        scheme: 'exampleshop://',
        deepLinkUrl: 'exampleshop://products/42?color=red%26blue&next=%2Fa%3Fb&empty',
        iosDeepLinkPath: PATH,
        androidDeepLinkPath: '/p/42?x=%EA%B0%80',
        urlId: null,
        goalType: 'purchase',
        customerId: null,
        sessionId: null,
      };
      const path = `${CAMPAIGN}/${campaign.alias}`;
      expect((await iosApi.get(path).expect(200)).body).toEqual(expected);
      expect((await iosApi.get(`${path}/poster?cid=kim%2B1`).expect(200)).body).toEqual({
        ...expected,
        customerId: 'kim+1',
      });
      const longest = 'x'.repeat(100);
      expect((await iosApi.get(`${path}?cid=${longest}`).expect(200)).body.customerId).toBe(longest);
      const { body } = await iosApi.get(`${path}?cid=${longest}x`).expect(400);
      expect(body.details).toEqual([{ field: 'cid', message: 'must be at most 100 characters long' }]);
    });

    it('finds no foreign or expired campaign', async () => {
      const campaign = await tiedCampaign({ expiresAt: '2026-11-20T08:33:00Z' });
      const path = `${CAMPAIGN}/${campaign.alias}`;
      await expectMissing(otherApi, path);
      await expectMissing(androidApi, path);
      await expectMissing(iosApi, `${CAMPAIGN}/unknown`);
      await expectMissing(iosApi, `${SHORT_URL}/${campaign.alias}`);
      await iosApi.get(path).expect(200);
      app.clock.set('2026-11-20T08:33:00Z');
      await iosApi.get(path).expect(404);
      app.clock.set(NOW);
      await own.api.delete(`${CAMPAIGNS}/${campaign.id}`).expect(204);
      await expectMissing(iosApi, path);
    });
  });

  it('counts resolutions, failures by reason, and re-engagements', async () => {
    const shop = await registerApp(own);
    const api = appApi(app, shop);
    const link = await createLink(own, { iosAppId: shop.id });
    const expiring = await createLink(own, { iosAppId: shop.id, expirationDate: '2026-11-20T08:33:00Z' });
    const campaign = await createCampaign(own, { alias: alias(), iosAppId: shop.id });
    const from = (path: string, ip: string, userAgent = 'Shop/1.0 CFNetwork/1 Darwin/25.0.0') =>
      api.get(path).set({ 'X-Forwarded-For': ip, 'User-Agent': userAgent });
    await from(`${SHORT_URL}/${codeOf(link)}`, '203.0.113.1').expect(200);
    await from(`${SHORT_URL}/${codeOf(link)}`, '203.0.113.1').expect(200);
    await from(`${SHORT_URL}/${codeOf(link)}`, '203.0.113.1', 'Shop/2.0').expect(200);
    await from(`${CAMPAIGN}/${campaign.alias}`, '203.0.113.1').expect(200);
    await from(`${SHORT_URL}/unknown`, '203.0.113.1').expect(404);
    app.clock.set('2026-11-20T08:33:00Z');
    await from(`${SHORT_URL}/${codeOf(expiring)}`, '203.0.113.2').expect(404);

    const figures = async (path: string) => {
      const range = '?startDate=2026-11-20&endDate=2026-11-20';
      const { body } = await own.api.get(`/api/v1/service/${path}${range}`).expect(200);
      const { qualityStats, reengagementStats } = body as Record<string, unknown>;
      return [qualityStats, reengagementStats];
    };
    const quality = (totalAttempts: number, successfulResolutions: number, failureReasons: unknown[] = []) =>
      expect.objectContaining({ totalAttempts, successfulResolutions, failureReasons });
    const reengagement = (total: number, successful: number, people: number) =>
      expect.objectContaining({
        totalReengagements: total,
        successfulReengagements: successful,
        uniqueReengagedUsers: people,
        platformDistribution: { ios: total, android: 0, other: 0 },
      });
    expect(await figures(`mobile-apps/${shop.id}/install-stats`)).toEqual([
      quality(6, 4, [
        { reason: 'EXPIRED', count: 1, percentage: 50 },
        { reason: 'NOT_FOUND', count: 1, percentage: 50 },
      ]),
      reengagement(5, 4, 3),
    ]);
    expect(await figures(`urls/${link.id}/app-install-stats`)).toEqual([
      quality(3, 3),
      reengagement(3, 3, 2),
    ]);
    expect(await figures(`campaigns/${campaign.id}/app-install-stats`)).toEqual([
      quality(1, 1),
      reengagement(1, 1, 1),
    ]);
    const expired = [{ reason: 'EXPIRED', count: 1, percentage: 100 }];
    expect(await figures(`urls/${expiring.id}/app-install-stats`)).toEqual([
      quality(1, 0, expired),
      reengagement(1, 0, 1),
    ]);
  });

  describe('clicks', () => {
    const click = (kind: 'url' | 'campaign', body: object, api = iosApi, userAgent = 'okhttp/4.12.0') =>
      api
        .post(`${MOBILE}/clicks/${kind}`)
        .set({ 'User-Agent': userAgent, 'X-Forwarded-For': '203.0.113.9' })
        .send(body);
    const statsOf = async (path: string) =>
      (await own.api.get(`/api/v1/service/${path}/stats?startDate=2026-11-20&endDate=2026-11-20`).expect(200))
        .body;
    const deduplicate = (path: string) =>
      consoleApi(app)
        .put(`${own.consolePath}/${path}/settings`, {
          deduplication: { enabled: true, windowMinutes: 1 },
        })
        .expect(200);
    const counted = (path: string, clicks: number) =>
      eventually(async () => {
        const stats = await statsOf(path);
        expect(stats.totalClicks ?? stats.url.clickCount).toBe(clicks);
        return stats;
      });

    it('on a link are counted with the app’s device report, as clicks of people', async () => {
      const link = await tied();
      const shortCode = codeOf(link);
      const { body } = await click('url', { shortCode }).expect(200);
      expect(body).toEqual({
        success: true,
        clickId: expect.any(Number),
        filtered: false,
        originalUrl: LINK.url,
        mobileTargetUrl: LINK.mobileTargetUrl,
      });
      const tablet = { os: 'iPadOS', deviceType: 'tablet', browser: 'WKWebView', userAgent: GOOGLEBOT };
      const second = await click('url', { shortCode, deviceInfo: tablet }).expect(200);
      expect(second.body.clickId).not.toBe(body.clickId);
      await click('url', { shortCode: `${ios.path}/${shortCode}`, deviceInfo: {} }, iosApi, IPHONE).expect(
        200,
      );
      await click('url', { shortCode, deviceInfo: null }, androidApi).expect(200);
      const stats = await counted(`urls/${link.id}`, 4);
      expect(stats.botClicks).toBe(0);
      expect(stats.topOsSystems).toEqual([
        { name: 'iOS', count: 3, percentage: 75 },
        { name: 'Android', count: 1, percentage: 25 },
      ]);
      expect(stats.deviceTypeStats).toMatchObject([
        { name: 'Mobile', count: 3 },
        { name: 'Tablet', count: 1 },
        { name: 'Desktop', count: 0 },
      ]);
      const browsers = (stats.topBrowsers as { name: string; count: number }[]).map(({ name, count }) => ({
        [name]: count,
      }));
      expect(browsers).toEqual(
        expect.arrayContaining([{ Unknown: 2 }, { WKWebView: 1 }, { 'Mobile Safari': 1 }]),
      );
      const [row] = await app.sql(`SELECT count(*)::int AS rows FROM clicks WHERE id = $1`, [body.clickId]);
      expect(row).toEqual({ rows: 1 });
      const installs = await own.api.get(`/api/v1/service/urls/${link.id}/app-install-stats`).expect(200);
      expect(installs.body.totalClicks).toBe(4);
    });

    it('on a link count once in the de-duplication window, and each time without one', async () => {
      const link = await tied();
      const shortCode = codeOf(link);
      await click('url', { shortCode }).expect(200);
      await click('url', { shortCode }).expect(200);
      await counted(`urls/${link.id}`, 2);
      await deduplicate(`links/${link.id}`);
      const first = await click('url', { shortCode }).expect(200);
      expect(first.body).toMatchObject({ filtered: false, clickId: expect.any(Number) });
      const again = await click('url', { shortCode }, androidApi).expect(200);
      expect(again.body).toEqual({
        success: true,
        filtered: true,
        originalUrl: LINK.url,
        mobileTargetUrl: LINK.mobileTargetUrl,
      });
      const elsewhere = await click('url', { shortCode }).set('X-Forwarded-For', '203.0.113.10').expect(200);
      expect(elsewhere.body.filtered).toBe(false);
      const redirectRequest = await visit(app, `/${shortCode}`, { ip: '203.0.113.9' });
      expect(redirectRequest.status).toBe(302);
      app.clock.advance(60_000);
      expect((await click('url', { shortCode }).expect(200)).body.filtered).toBe(false);
      await counted(`urls/${link.id}`, 5);
    });

    it('with an id of the client count once, however often they are repeated', async () => {
      const campaign = await tiedCampaign();
      const opened = { campaignAlias: campaign.alias, requestId: 'opening-1' };
      for (let n = 0; n < 2; n++) await click('campaign', opened).expect(200);
      await counted(`campaigns/${campaign.id}`, 1);
      const link = await tied();
      const body = { shortCode: codeOf(link), requestId: 'opening-1' };
      expect((await click('url', body).expect(200)).body.filtered).toBe(false);
      app.clock.advance(86_400_000);
      const again = await click('url', body).set('X-Forwarded-For', '203.0.113.10').expect(200);
      expect(again.body).toMatchObject({ filtered: true, originalUrl: LINK.url });
      await click('url', { ...body, requestId: 'opening-2' }).expect(200);
      await counted(`urls/${link.id}`, 2);
    });

    it('on a campaign are counted by tracker and customer, and return the destination of a redirect', async () => {
      const campaign = await tiedCampaign({ utmSource: 'app', mobileTargetUrl: null });
      const body = { campaignAlias: campaign.alias, trackerAlias: 'poster', customId: 'kim' };
      const { body: answer } = await click('campaign', body).expect(200);
      expect(answer).toEqual({
        success: true,
        clickId: expect.any(Number),
        filtered: false,
        campaign: { id: campaign.id, name: 'Spring sale', alias: campaign.alias },
        redirectUrl: `${LINK.url}&utm_source=app`,
      });
      await deduplicate(`campaigns/${campaign.id}`);
      await click('campaign', { ...body, trackerAlias: '', customId: null, scanned: true }).expect(200);
      const { body: filtered } = await click('campaign', body).expect(200);
      const { clickId: _, ...rest } = answer as Record<string, unknown>;
      expect(filtered).toEqual({ ...rest, filtered: true });
      const stats = await counted(`campaigns/${campaign.id}`, 2);
      expect(stats.topTrackers).toMatchObject([
        { name: 'poster', count: 1 },
        { name: 'qr', count: 1 },
      ]);
      expect(stats.userClicks).toEqual([{ customId: 'kim', clicks: 1, lastClickedAt: NOW }]);
      expect(stats.topOs).toMatchObject([{ name: 'iOS', count: 2 }]);
      const phones = await tiedCampaign();
      const there = await click('campaign', { campaignAlias: phones.alias }).expect(200);
      expect(there.body.redirectUrl).toBe(LINK.mobileTargetUrl);
    });

    it('are refused for missing links, and not counted', async () => {
      const link = await tied({ expirationDate: '2026-11-20T08:33:00Z' });
      const campaign = await tiedCampaign({ expiresAt: '2026-11-20T08:33:00Z' });
      const missing = async (kind: 'url' | 'campaign', body: object, api = iosApi) => {
        const { status, body: answer } = await click(kind, body, api);
        expect([status, answer]).toEqual([
          404,
          { ...notFound(kind === 'url' ? 'Link' : 'Campaign'), timestamp: expect.any(String) },
        ]);
      };
      await missing('url', { shortCode: codeOf(link) }, otherApi);
      await missing('campaign', { campaignAlias: campaign.alias }, otherApi);
      await missing('campaign', { campaignAlias: campaign.alias }, androidApi);
      await missing('url', { shortCode: `${android.path}/${codeOf(link)}` });
      await missing('url', { shortCode: 'unknown' });
      app.clock.set('2026-11-20T08:33:00Z');
      await missing('url', { shortCode: codeOf(link) });
      await missing('campaign', { campaignAlias: campaign.alias });
    });

    it('accept fields up to their limits', async () => {
      const link = await tied();
      const campaign = await tiedCampaign();
      const campaignAlias = campaign.alias;
      const shortCode = codeOf(link);
      const fields = (
        'platform os osVersion browser browserVersion deviceType deviceModel language screenResolution userAgent ' +
        'appVersion sdkVersion'
      ).split(' ');
      const longest = Object.fromEntries(fields.map((field) => [field, '가'.repeat(200)]));
      await click('url', { shortCode, deviceInfo: { ...longest, other: 1 } }).expect(200);
      const refused = async (kind: 'url' | 'campaign', body: object, field: string) => {
        const { status, body: answer } = await click(kind, body);
        expect([field, status, answer.details?.[0]?.field]).toEqual([field, 400, field]);
      };
      for (const field of fields) {
        if (field !== 'screenResolution') {
          await click('url', { shortCode, deviceInfo: { [field]: 'x'.repeat(2_000) } }).expect(200);
        }
        for (const wrong of [7, 'a\u0000']) {
          await refused('url', { shortCode, deviceInfo: { [field]: wrong } }, `deviceInfo.${field}`);
        }
      }
      const most = { trackerAlias: 'x'.repeat(100), customId: 'y'.repeat(100) };
      await click('campaign', { campaignAlias, ...most }).expect(200);
    });
  });

  describe('custom-domains', () => {
    const DOMAINS = `${MOBILE}/custom-domains`;
    const SERVICE = '/api/v1/service/custom-domains';

    it('answers like the Service API', async () => {
      const organization = await createOrganization(app);
      const api = appApi(app, await registerApp(organization));
      const ids: number[] = [];
      for (const status of ['PENDING', 'VERIFIED', 'ACTIVE']) {
        ids.push(
          await createDomain(app, organization, `${status.toLowerCase()}${++aliases}.example`, status),
        );
      }
      for (const path of [
        '',
        '?size=2&page=1&sort=id,asc',
        '?status=ACTIVE',
        '?search=veri',
        '/verified',
        `/${ids[0]}`,
      ]) {
        const { body } = await organization.api.get(`${SERVICE}${path}`).expect(200);
        expect((await api.get(`${DOMAINS}${path}`).expect(200)).body).toEqual(body);
      }
      expect((await api.get(DOMAINS)).body.totalElements).toBe(3);
      await iosApi.get(`${DOMAINS}/${ids[0]}`).expect(404);
      await iosApi.post(`${DOMAINS}/${ids[0]}/verify`).expect(404);
      for (const wrong of ['?size=101', '?sort=x', '/x', '?status=x'])
        await api.get(`${DOMAINS}${wrong}`).expect(400);
    });

    it('checks one on request, and leaves failed ones to the console', async () => {
      const domain = await new DomainConsole(app, own).added(`d${++aliases}.brand.test`);
      const verify = `${DOMAINS}/${domain.id}/verify`;
      expect((await iosApi.post(verify).expect(200)).body.status).toBe('PENDING');
      dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
      const { body } = await iosApi.post(verify).expect(200);
      expect(body).toEqual({ ...(await own.api.get(`${SERVICE}/${domain.id}`)).body, status: 'VERIFIED' });
      await app.alter(`UPDATE custom_domains SET status = 'FAILED' WHERE id = $1`, [domain.id]);
      expect((await iosApi.post(verify).expect(200)).body.status).toBe('FAILED');
    });
  });
});
