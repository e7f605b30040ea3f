import { openAppPage } from '../support/app-pages';
import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { appApi, createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { IPHONE, visit } from '../support/visits';

const MOBILE = '/api/v1/sdk/mobile';
const MATCH = `${MOBILE}/deeplink/match`;
const TRACK = `${MOBILE}/deeplink/funnel/track`;
const NOW = '2026-11-20T08:32:00Z';
const RANGE = '?startDate=2026-11-20&endDate=2026-11-20';
const PATH = '/products/42?color=red%26blue';
const USER_AGENT = 'Shop/4.2.0 CFNetwork/3826.500.131 Darwin/25.0.0';

describe('the Mobile SDK API, for apps opened by pages', () => {
  const app = useTestApp({ at: NOW });
  const own = perTest(() => createOrganization(app));
  const ios = perTest(() => registerApp(own));
  const android = perTest(() => registerApp(own, { platform: 'Android', scheme: 'shopdroid://' }));
  const api = appApi(app, ios);

  const tied = (more = {}) =>
    createLink(own, {
      url: 'https://shop.example.com/42',
      iosAppId: ios.id,
      androidAppId: android.id,
      iosDeepLinkPath: PATH,
      goalType: 'purchase',
      ...more,
    });
  /** Opens the page of a click, possibly not counted yet. @returns its token */
  const click = ({ id }: { id: number }, more = {}) =>
    openAppPage(app, own, { trackedLinkId: id, appIds: [ios.id, android.id], ...more });
  const match = (token: string, client = api) =>
    client.get(MATCH).set({ 'User-Agent': USER_AGENT, 'X-Forwarded-For': '203.0.113.7' }).query({ token });
  const track = (body: object, client = api) => client.post(TRACK, body);
  const missing = { status: 404, error: 'Not Found', code: 'NOT_FOUND', message: 'Token not found' };
  const expectMissing = async (token: string, client = api) => {
    const { status, body } = await match(token, client);
    expect([status, body]).toEqual([404, { ...missing, timestamp: expect.any(String) }]);
  };
  const statsOf = async (path: string) =>
    (await own.api.get(`/api/v1/service/${path}${RANGE}`).expect(200)).body;
  const reached = (stats: { funnelStats: { stages: { stageCode: string; sessionsReached: number }[] } }) =>
    Object.fromEntries(
      stats.funnelStats.stages
        .filter(({ sessionsReached }) => sessionsReached > 0)
        .map(({ stageCode, sessionsReached }) => [stageCode, sessionsReached]),
    );

  it('follows a click to a purchase, with correct figures', async () => {
    const link = await tied();
    const page = await visit(app, `/${codeOf(link)}`, { userAgent: IPHONE }).expect(200);
    const [, token = ''] = /data-token="([^"]+)"/.exec(page.text) ?? [];
    const { body } = await match(token).expect(200);
    expect(body).toEqual({
      scheme: 'exampleshop://',
      deepLinkUrl: 'exampleshop://products/42?color=red%26blue',
      iosDeepLinkPath: PATH,
      androidDeepLinkPath: null,
      originalUrl: 'https://shop.example.com/42',
      shorturl: codeOf(link),
      urlId: link.id,
      campaignId: null,
      goalType: 'purchase',
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((await match(token).expect(200)).body).toEqual(body);
    const { sessionId } = body as { sessionId: string };
    const steps = [
      [{ stage: 'APP_OPENED' }, { stage: 'APP_OPENED', recorded: true }],
      [{ stage: 'APP_OPENED' }, { stage: 'APP_OPENED', recorded: false }],
      [
        { stage: 'GOAL_COMPLETED', goalType: 'purchase_USD', goalValue: '12.50', transactionId: 't1' },
        { stage: 'GOAL_COMPLETED', recorded: true, goalType: 'purchase_USD' },
      ],
      [
        { stage: 'GOAL_COMPLETED', goalType: 'purchase_USD', goalValue: '12.50', transactionId: 't1' },
        { stage: 'GOAL_COMPLETED', recorded: false, goalType: 'purchase_USD', duplicated: true },
      ],
    ] as const;
    for (const [step, answer] of steps) {
      const { body: said } = await track({ sessionId, platform: 'IOS', ...step }).expect(200);
      const countedAt = answer.recorded ? '2026-11-20T08:32:00Z' : null;
      const common = {
        success: true,
        sessionId,
        goalType: null,
        duplicated: false,
        timestampAdjusted: false,
      };
      expect(said).toEqual({ ...common, countedAt, ...answer });
    }
    const goals = await app.sql(
      'SELECT goal_type, value::float8, tracked_link_id, currency FROM goals WHERE organization_id = $1',
      [own.organizationId],
    );
    expect(goals).toEqual([
      { goal_type: 'purchase', value: 12.5, tracked_link_id: link.id, currency: 'USD' },
    ]);
    const figures = {
      totalClicks: 1,
      reengagementStats: {
        totalReengagements: 2,
        successfulReengagements: 2,
        uniqueReengagedUsers: 1,
        platformDistribution: { ios: 2, android: 0, other: 0 },
      },
      qualityStats: { totalAttempts: 2, successfulResolutions: 2, successRate: 100, failureReasons: [] },
    };
    const funnel = { CLICKED: 1, APP_OPENED: 1, DEEP_LINK_RESOLVED: 1, GOAL_COMPLETED: 1 };
    for (const path of [`urls/${link.id}/app-install-stats`, `mobile-apps/${ios.id}/install-stats`]) {
      const stats = await statsOf(path);
      expect(stats).toMatchObject(figures);
      expect(reached(stats)).toEqual(funnel);
    }
  });

  it('matches an uncounted click, and waits for it no longer than necessary', async () => {
    const campaign = await createCampaign(own, { iosAppId: ios.id, iosDeepLinkPath: '/autumn' });
    const { body } = await match(await click(campaign, { kind: 'campaign', appIds: [ios.id] })).expect(200);
    expect(body).toMatchObject({
      campaignId: campaign.id,
      urlId: null,
      shorturl: campaign.alias,
      deepLinkUrl: 'exampleshop://autumn',
    });
    const stats = await statsOf(`campaigns/${campaign.id}/app-install-stats`);
    expect(stats.qualityStats).toMatchObject({ totalAttempts: 1, successfulResolutions: 1 });
    expect(reached(stats)).toEqual({ CLICKED: 1, DEEP_LINK_RESOLVED: 1 });
  });

  it('does not count a first start as a re-engagement, and matches a click only once', async () => {
    const link = await tied();
    const token = await click(link, { ip: '203.0.113.8' });
    await visit(app, '/api/v1/sdk/web/deeplink/track-store-visit', { method: 'post' })
      .send({ token })
      .expect(200);
    await eventually(() => match(token).expect(200));
    const stats = await statsOf(`urls/${link.id}/app-install-stats`);
    expect(stats.reengagementStats.totalReengagements).toBe(0);
    expect(stats.qualityStats.successfulResolutions).toBe(1);
    const device = { userAgent: IPHONE, ipAddress: '203.0.113.8' };
    const fingerprint = await api.get(`${MOBILE}/deeplink/resolve-fingerprint`, device).expect(200);
    expect(fingerprint.body).toMatchObject({ matched: false, reason: 'NO_CANDIDATE' });
    // The link's other app may resolve it, but no unrelated app.
    expect((await match(token, appApi(app, android)).expect(200)).body.scheme).toBe('shopdroid://');
    await expectMissing(token, appApi(app, await registerApp(own)));
  });

  it('refuses tokens of links that were switched off, postponed or disabled since', async () => {
    for (const change of [{ enabled: false }, { startsAt: '2027-01-01' }, { disabledReason: 'Phishing' }]) {
      const link = await tied();
      const token = await click(link);
      await match(token).expect(200);
      if ('disabledReason' in change)
        await app.alter('UPDATE links SET disabled_reason = $2 WHERE id = $1', [
          link.id,
          change.disabledReason,
        ]);
      else await own.api.put(`/api/v1/service/urls/${link.id}`, change).expect(200);
      await expectMissing(token);
    }
  });

  it('refuses foreign, invalid and expired tokens, and counts the reason', async () => {
    const link = await tied();
    const expiring = await tied({ expirationDate: '2026-11-20T08:33:00Z' });
    const [token, late] = [await click(link), await click(expiring)];
    await match(token).expect(200);
    await match(late).expect(200);
    const other = await createOrganization(app);
    await expectMissing(token, appApi(app, await registerApp(other)));
    for (const wrong of [`${token.slice(0, -1)}!`, token.toLowerCase(), 'x', 'x'.repeat(200), '__proto__']) {
      await expectMissing(wrong);
    }
    for (const query of ['', '?token=', `?token=${'x'.repeat(201)}`, '?token=%00']) {
      const { body } = await api.get(`${MATCH}${query}`).expect(400);
      expect(body.details[0].field).toBe('token');
    }
    app.clock.set('2026-11-20T08:33:00Z');
    await expectMissing(late);
    const stats = await statsOf(`urls/${expiring.id}/app-install-stats`);
    expect(stats.qualityStats.failureReasons).toEqual([{ reason: 'EXPIRED', count: 1, percentage: 100 }]);
    app.clock.set('2026-11-27T08:31:59Z');
    await match(token).expect(200);
    app.clock.set('2026-11-27T08:32:00Z');
    await expectMissing(token);
    const { body } = await own.api
      .get(`/api/v1/service/mobile-apps/${ios.id}/install-stats?startDate=2026-11-20&endDate=2026-11-27`)
      .expect(200);
    expect(body.qualityStats).toMatchObject({
      totalAttempts: 10,
      successfulResolutions: 3,
      failureReasons: [
        { reason: 'NOT_FOUND', count: 5 },
        { reason: 'EXPIRED', count: 2 },
      ],
    });
    const deleted = await tied();
    const gone = await click(deleted);
    await match(gone).expect(200);
    await own.api.delete(`/api/v1/service/urls/${deleted.id}`).expect(204);
    await expectMissing(gone);
  });

  describe('funnel/track', () => {
    it('starts an unknown session, because a first start has none', async () => {
      const link = await tied();
      const body = { sessionId: 'first-start', stage: 'APP_INSTALLED', urlId: link.id, deviceType: 'Mobile' };
      const { body: said } = await track(body).expect(200);
      expect(said).toMatchObject({ success: true, sessionId: 'first-start', recorded: true });
      const stats = await statsOf(`urls/${link.id}/app-install-stats`);
      expect([stats.totalInstalls, stats.iosInstalls]).toEqual([1, 1]);
      const elsewhere = await track({ ...body, urlId: null }, appApi(app, android)).expect(200);
      expect(elsewhere.body.recorded).toBe(true);
    });

    it('finds no missing link', async () => {
      const good = { sessionId: 's', stage: 'APP_OPENED' };
      await track({ ...good, urlId: 987_654_321 }).expect(404);
    });
  });
});
