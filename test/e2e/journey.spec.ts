import { recomputed, rolledUp } from '../support/journey-oracle';
import { registerApp } from '../support/apps';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { ApiClient, appApi, createOrganization, type TestOrganization } from '../support/factories';
import { SESSIONS } from '../support/journeys';
import { createLink } from '../support/links';
import { cataloguedEvents, keepEvents } from '../support/outbox';
import { SHORT_HOST, useTestApp } from '../support/test-app';
import { IPHONE, visit } from '../support/visits';

const NOW = '2026-11-20T08:32:00Z';
const WEB_SDK = '/api/v1/sdk/web/deeplink';

const PHONES = {
  iOS: {
    browser: IPHONE,
    page: { resolution: '393x852', language: 'ko-KR' },
    app: { userAgent: 'Shop/4.2 CFNetwork/3826 Darwin/25.0.0', osVersion: '26.0.1', resolution: '1179x2556' },
  },
  Android: {
    browser:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    page: { resolution: '384x832', language: 'ko-KR', deviceModel: 'SM-S928B', osVersion: '16.0.0' },
    app: {
      userAgent: 'Dalvik/2.1.0 (Linux; U; Android 16; SM-S928B Build/BP2A)',
      osVersion: '16',
      resolution: '384x832',
    },
  },
} as const;

const WAYS = [
  { phone: 'iOS', target: 'link', by: 'fingerprint' },
  { phone: 'iOS', target: 'campaign', by: 'token' },
  { phone: 'Android', target: 'link', by: 'token' },
  { phone: 'Android', target: 'campaign', by: 'fingerprint' },
] as const;
type Way = (typeof WAYS)[number];

describe('a session from click to purchase', () => {
  const app = useTestApp({ at: NOW });
  let lastAddress = 0;

  it.each(WAYS)('$phone, from a $target to a purchase, by $by', async (way) => {
    const walked = await walk(way);
    const { organization, sessionId, registered, target } = walked;
    const { body: session } = await walked.sdk.get(`${SESSIONS}/${sessionId}`).expect(200);
    const stages = [
      'CLICKED',
      'STORE_VISITED',
      'APP_INSTALLED',
      'APP_OPENED',
      'DEEP_LINK_RESOLVED',
      'GOAL_COMPLETED',
    ];
    expect(session).toMatchObject({
      appId: registered.id,
      platform: way.phone === 'iOS' ? 'IOS' : 'ANDROID',
      externalUserId: 'member-1',
      urlId: way.target === 'link' ? target.id : null,
      campaignId: way.target === 'campaign' ? target.id : null,
      utmSource: 'poster',
      stages,
      converted: true,
    });

    const ofTrackedLink =
      way.target === 'link' ? `/api/v1/service/urls/${target.id}` : `${CAMPAIGNS}/${target.id}`;
    const ofApp = `/api/v1/service/mobile-apps/${registered.id}`;
    const device = { installs: 1, clicks: 1 };
    for (const path of [`${ofTrackedLink}/app-install-stats`, `${ofApp}/install-stats`]) {
      const { body } = await organization.api.get(path).expect(200);
      expect(body).toMatchObject({
        totalInstalls: 1,
        iosInstalls: way.phone === 'iOS' ? 1 : 0,
        androidInstalls: way.phone === 'Android' ? 1 : 0,
        totalClicks: 1,
        funnelStats: { totalSessions: 1, completedSessions: 1, overallConversionRate: 100 },
      });
      expect(body.dailyInstalls.at(-1)).toMatchObject({ date: '2026-11-20', ...device });
      const reached = body.funnelStats.stages.filter(
        ({ sessionsReached }: { sessionsReached: number }) => sessionsReached === 1,
      );
      expect(reached.map(({ stageCode }: { stageCode: string }) => stageCode)).toEqual(stages);
      expect(body.recentInstalls).toEqual([
        expect.objectContaining({ installedAt: NOW, platform: way.phone, country: 'KR' }),
      ]);
      if (way.by === 'fingerprint') {
        expect(body.qualityStats).toMatchObject({ totalAttempts: 1, successfulResolutions: 1 });
      }
    }

    const platform = way.phone === 'iOS' ? 'IOS' : 'ANDROID';
    const stats = async (name: string) =>
      (await walked.sdk.get(`/api/v1/cross-platform/stats/${name}`).expect(200)).body;
    expect(await stats('summary')).toMatchObject({
      totalSessions: 1,
      uniqueUsers: 1,
      conversions: 1,
      conversionRate: 100,
    });
    const { daily } = await stats('daily');
    expect(daily.at(-1)).toMatchObject({ date: '2026-11-20', sessions: 1, uniqueUsers: 1, conversions: 1 });
    expect((await stats('sessions/by-platform')).items).toEqual([
      expect.objectContaining({ platform, sessions: 1, conversions: 1, percentage: 100 }),
    ]);
    expect((await stats('sessions/by-utm-source')).items).toEqual([
      expect.objectContaining({ utmSource: 'poster', sessions: 1, conversions: 1 }),
    ]);
    const { body: conversions } = await organization.api
      .get(`/api/v1/service/analytics/conversions?appId=${registered.id}`)
      .expect(200);
    expect(conversions).toMatchObject({
      sessionStats: { totalSessions: 1, convertedSessions: 1, conversionRate: 100 },
      goalTypeBreakdown: [{ goalType: 'purchase', count: 1, value: 39000, percentage: 100 }],
    });

    const { organizationId } = organization;
    const figures = await rolledUp(app, organizationId);
    expect(figures).toEqual(await recomputed(app, organizationId));
    const purchase = { goal_type: 'purchase', currency: 'KRW', goals: 1, value: '39000.0000' };
    expect(figures.goals).toContainEqual(expect.objectContaining({ subject_id: registered.id, ...purchase }));
    expect(figures.goals).toContainEqual(expect.objectContaining({ subject_id: target.id, ...purchase }));
    const events = (await cataloguedEvents(app, organizationId)).filter(
      ({ name }) => name === 'goal.completed',
    );
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ sessionId, goalType: 'purchase', goalValue: 39000, currency: 'KRW' }),
    ]);
  });

  /** One person with one phone, in their own organization. */
  async function walk({ phone, target: kind, by }: Way) {
    const organization = await createOrganization(app, { baseCurrency: 'KRW', timeZone: 'Asia/Seoul' });
    await keepEvents(app, organization);
    const registered = await registerApp(organization, { platform: phone });
    const sdk = appApi(app, registered);
    const { target, path } = await makeTarget(organization, kind, phone, registered.id);
    const ip = `168.126.63.${++lastAddress}`;
    const { browser, page, app: device } = PHONES[phone];

    const opened = await visit(app, path, { ip, userAgent: browser });
    expect(opened.status).toBe(200);
    const token = /<body data-token="([^"]+)"/.exec(opened.text)?.[1];
    const web = new ApiClient(app, { Host: SHORT_HOST, 'X-Forwarded-For': ip, 'User-Agent': browser });
    await web.post(`${WEB_SDK}/update-fingerprint`, { token, ...page }).expect(200);
    for (let i = 0; i < 2; i++) {
      await web.post(`${WEB_SDK}/track-store-visit`, { token }).expect(200);
    }

    // The app is installed and starts for the first time.
    let sessionId = '';
    if (by === 'token') {
      const { body } = await sdk
        .post(`${SESSIONS}/create`, { platform: phone === 'iOS' ? 'IOS' : 'ANDROID', token })
        .expect(201);
      expect(body.goalType).toBe('purchase');
      sessionId = body.sessionId;
    } else {
      await eventually(async () => {
        const { body } = await organization.api
          .get(`/api/v1/service/mobile-apps/${registered.id}/install-stats`)
          .expect(200);
        expect(body.totalClicks).toBe(1);
      });
      const { body } = await sdk
        .get('/api/v1/sdk/mobile/deeplink/resolve-fingerprint', { ...device, ipAddress: ip })
        .expect(200);
      expect(body).toMatchObject({ matched: true, matchType: 'FINGERPRINT', goalType: 'purchase' });
      expect([body.urlId, body.campaignId]).toEqual(kind === 'link' ? [target.id, null] : [null, target.id]);
      sessionId = body.sessionId;
    }
    const reach = (body: object) => sdk.post(`${SESSIONS}/funnel/track`, { sessionId, ...body });
    for (const stage of ['APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED']) {
      await reach({ stage }).expect(200);
      const { body } = await reach({ stage }).expect(200);
      expect(body.recorded).toBe(false);
    }
    await sdk.post(`${SESSIONS}/${sessionId}/link-user`, { externalUserId: 'member-1' }).expect(200);
    const order = { stage: 'GOAL_COMPLETED', goalValue: '39000', transactionId: 'order-1' };
    const { body: bought } = await reach(order).expect(200);
    expect(bought).toMatchObject({ recorded: true, goalType: 'purchase', duplicated: false });
    expect((await reach(order).expect(200)).body).toMatchObject({ recorded: false, duplicated: true });
    return { organization, sdk, registered, target, sessionId };
  }

  async function makeTarget(
    organization: TestOrganization,
    kind: 'link' | 'campaign',
    phone: 'iOS' | 'Android',
    appId: number,
  ) {
    const ties = phone === 'iOS' ? { iosAppId: appId } : { androidAppId: appId };
    const body = { ...ties, goalType: 'purchase', utmSource: 'poster' };
    if (kind === 'link') {
      const link = await createLink(organization, body);
      return { target: link, path: new URL(link.shortUrl).pathname };
    }
    const campaign = await createCampaign(organization, body);
    return { target: campaign, path: `/c/${campaign.alias}` };
  }
});
