import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { appApi, consoleApi, createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { perSuite, perTest, useTestApp } from '../support/test-app';
import { IPHONE } from '../support/visits';

const MOBILE = '/api/v1/sdk/mobile';
const SESSION = '/api/v1/cross-platform/session';
const NOW = '2026-11-20T08:32:00Z';
/** IP addresses of people in Korea and Japan, and of their server in the United States. */
const [SEOUL, TOKYO, SERVER] = ['210.89.164.90', '133.237.60.1', '8.8.8.8'];
const PHONE = { ipAddress: SEOUL, userAgent: IPHONE };

const app = useTestApp();

describe('a server that relays calls of phones', () => {
  beforeEach(() => app.clock.set(NOW));
  const own = perTest(() => createOrganization(app));
  const ios = perTest(() => registerApp(own));
  const api = appApi(app, ios);

  const post = (path: string, body: object) =>
    api.post(path).set({ 'X-Forwarded-For': SERVER, 'User-Agent': 'node' }).send(body);
  const get = (path: string, query: object) =>
    api.get(path).set({ 'X-Forwarded-For': SERVER, 'User-Agent': 'node' }).query(query);
  const deduplicated = async (path: string) =>
    consoleApi(app)
      .put(`${own.consolePath}/${path}/settings`, {
        deduplication: { enabled: true, windowMinutes: 10 },
      })
      .expect(200);
  const rowsOf = (trackedLinkId: number) =>
    app.sql('SELECT id FROM clicks WHERE tracked_link_id = $1', [trackedLinkId]);

  it('distinguishes clicks of different people, and counts those of one once', async () => {
    const link = await createLink(own, { iosAppId: ios.id });
    const campaign = await createCampaign(own, { iosAppId: ios.id });
    await deduplicated(`links/${link.id}`);
    await deduplicated(`campaigns/${campaign.id}`);
    const calls = [
      ['url', { shortCode: codeOf(link) }, `urls/${link.id}/stats`],
      ['campaign', { campaignAlias: campaign.alias }, `campaigns/${campaign.id}/stats`],
    ] as const;
    for (const [kind, named, stats] of calls) {
      const click = async (more: object) =>
        (await post(`${MOBILE}/clicks/${kind}`, { ...named, ...more }).expect(200)).body.filtered;
      expect(await click(PHONE)).toBe(false);
      expect(await click(PHONE)).toBe(true);
      expect(await click({ ...PHONE, ipAddress: `::ffff:${SEOUL}` })).toBe(true);
      expect(await click({ ...PHONE, ipAddress: TOKYO })).toBe(false);
      expect(await click({})).toBe(false);
      expect(await click({ ipAddress: null, userAgent: null })).toBe(true);
      await eventually(async () => {
        const query = '?startDate=2026-11-20&endDate=2026-11-20';
        const { body } = await own.api.get(`/api/v1/service/${stats}${query}`).expect(200);
        const countries = (body.topCountries as { code: string; count: number }[]).map((each) => each.code);
        expect(countries.toSorted()).toEqual(['JP', 'KR', 'US']);
        const browsers = (body.topBrowsers as { name: string; count: number }[]).map(({ name }) => name);
        expect(browsers).toContain('Mobile Safari');
      });
    }
  });

  it('passes the country of people for sessions, also for those of its site', async () => {
    const session = (body: object) => post(`${SESSION}/create`, body).expect(201);
    for (const platform of ['IOS', 'WEB']) {
      const { body } = await session({ platform, ...PHONE });
      expect(body).toMatchObject({ country: 'KR', deviceInfo: { userAgent: IPHONE } });
    }
    const told = await session({ platform: 'WEB', ...PHONE, deviceInfo: { os: 'iOS', userAgent: 'Told' } });
    expect(told.body.deviceInfo).toMatchObject({ os: 'iOS', userAgent: 'Told' });
    expect((await session({ platform: 'WEB' })).body.country).toBeNull();
    const late = { platform: 'WEB', sessionId: 'late' };
    await session(late);
    expect((await session({ ...late, ...PHONE })).body.country).toBe('KR');
    expect((await session({ ...late, ipAddress: TOKYO })).body.country).toBe('KR');
    const steps: [string, object][] = [
      [`${SESSION}/funnel/track`, { stage: 'APP_OPENED' }],
      [`${MOBILE}/deeplink/funnel/track`, { stage: 'APP_OPENED' }],
      [`${SESSION}/event`, { eventType: 'seen' }],
    ];
    for (const [i, [path, body]] of steps.entries()) {
      const sessionId = `begun-${i}`;
      await post(path, { ...body, sessionId, ...PHONE }).expect(200);
      const { body: begun } = await api.get(`${SESSION}/${sessionId}`).expect(200);
      expect(begun).toMatchObject({ country: 'KR', deviceInfo: { userAgent: IPHONE } });
    }
  });

  it('distinguishes people who return to the app', async () => {
    const link = await createLink(own, { iosAppId: ios.id });
    const path = `${MOBILE}/deeplink/resolve-shorturl/${codeOf(link)}`;
    for (const ipAddress of [SEOUL, SEOUL, TOKYO]) await get(path, { ...PHONE, ipAddress }).expect(200);
    const { body } = await own.api.get(
      `/api/v1/service/urls/${link.id}/app-install-stats?startDate=2026-11-20&endDate=2026-11-20`,
    );
    expect(body.reengagementStats).toMatchObject({ totalReengagements: 3, uniqueReengagedUsers: 2 });
  });

  it('is told which field is invalid', async () => {
    const link = await createLink(own, { iosAppId: ios.id });
    const campaign = await createCampaign(own, { iosAppId: ios.id });
    const bodies: [string, object][] = [
      [`${MOBILE}/clicks/url`, { shortCode: codeOf(link) }],
      [`${MOBILE}/clicks/campaign`, { campaignAlias: campaign.alias }],
      [`${MOBILE}/deeplink/funnel/track`, { sessionId: 's', stage: 'APP_OPENED' }],
      [`${SESSION}/create`, { platform: 'IOS' }],
      [`${SESSION}/funnel/track`, { sessionId: 's', stage: 'APP_OPENED' }],
      [`${SESSION}/event`, { sessionId: 's', eventType: 'seen' }],
    ];
    const queries = [
      'match?token=x&',
      `resolve-shorturl/${codeOf(link)}?`,
      `resolve-shorturl/${ios.path}/${codeOf(link)}?`,
      `resolve-campaign/${campaign.alias}?`,
      `resolve-campaign/${campaign.alias}/poster?`,
    ];
    for (const ipAddress of ['203.0.113', '203.0.113.7/24', '', 'localhost']) {
      for (const [path, body] of bodies) {
        const { status, body: said } = await post(path, { ...body, ipAddress });
        expect([path, status, said.details?.[0]?.field]).toEqual([path, 400, 'ipAddress']);
      }
      for (const path of queries) {
        const query = `ipAddress=${encodeURIComponent(ipAddress)}`;
        const { status, body: said } = await get(`${MOBILE}/deeplink/${path}${query}`, {});
        expect([path, status, said.details?.[0]?.field]).toEqual([path, 400, 'ipAddress']);
      }
    }
    expect(await rowsOf(link.id)).toEqual([]);
    // Copied from a phone's header, so truncated rather than refused.
    await post(`${SESSION}/create`, { platform: 'IOS', userAgent: 'x'.repeat(3_000) }).expect(201);
  });

  it('leaves no IP address stored', async () => {
    const link = await createLink(own, { iosAppId: ios.id });
    await post(`${MOBILE}/clicks/url`, { shortCode: codeOf(link), ...PHONE }).expect(200);
    await post(`${SESSION}/create`, { platform: 'IOS', sessionId: 's', ...PHONE }).expect(201);
    await eventually(async () => expect(await rowsOf(link.id)).toHaveLength(1));
    for (const table of ['clicks', 'funnel_sessions', 'reengagements']) {
      const rows = await app.sql(`SELECT t::text FROM ${table} t WHERE organization_id = $1`, [
        own.organizationId,
      ]);
      expect(JSON.stringify(rows)).not.toContain(SEOUL);
    }
  });
});

describe('invalid values from clients', () => {
  const own = perSuite(() => createOrganization(app));
  const ios = perSuite(() => registerApp(own));
  const api = appApi(app, ios);

  it('are dropped from a session, which is stored', async () => {
    const create = async (body: object) =>
      (await api.post(`${SESSION}/create`, { platform: 'WEB', ...body }).expect(201)).body;
    const bad = {
      referrer: 'javascript:alert(1)',
      landingUrl: 'javascript:alert(1)',
      clientTimezone: 'Foo/Bar',
      deviceInfo: { os: 'iOS', screenResolution: 'abc' },
    };
    const nonsense = await create({ sessionId: 'nonsense', ...bad });
    expect(nonsense).toMatchObject({ referrer: null, landingUrl: null });
    expect(nonsense.deviceInfo.screenResolution ?? null).toBeNull();
    const good = {
      referrer: 'android-app://com.google.android.gm/',
      landingUrl: 'https://shop.example/spring?a=1',
      clientTimezone: 'Asia/Seoul',
      deviceInfo: { screenResolution: '390x844' },
    };
    const sense = await create({ sessionId: 'sense', ...good });
    const { clientTimezone: _zone, ...shown } = good;
    expect(sense).toMatchObject(shown);
    const zones = await app.sql(
      'SELECT client_timezone AS zone FROM funnel_sessions WHERE organization_id = $1 ORDER BY zone',
      [own.organizationId],
    );
    expect(zones).toEqual([{ zone: 'Asia/Seoul' }, { zone: null }]);
  });

  it('are dropped from an event', async () => {
    const event = (clientTimezone: string) =>
      api.post(`${SESSION}/event`, { sessionId: 'events', eventType: 'seen', clientTimezone }).expect(200);
    for (const zone of ['Foo/Bar', 'UTC', '+09:00', 'Asia/Seoul']) await event(zone);
    const { body } = await api.get(`${SESSION}/events/events`).expect(200);
    const zones = (body.content as { clientTimezone: string | null }[]).map((each) => each.clientTimezone);
    expect(zones).toEqual([null, 'UTC', null, 'Asia/Seoul']);
  });

  it('are refused when there is nothing else', async () => {
    const report = (body: object) => api.post('/api/v1/sdk/web/deeplink/debug-scheme', body);
    for (const body of [{}, { appUrl: '' }, { appUrl: null, other: 'x' }]) {
      const refused = await report(body).expect(400);
      expect(refused.body.details[0].field).toBe('appUrl');
    }
    await report({ schemeEnd: '://' }).expect(200);
  });

  it('may be a path when a link is registered', async () => {
    const link = await createLink(own, { iosAppId: ios.id });
    await api.post(`${SESSION}/create`, { platform: 'WEB', sessionId: 'path' }).expect(201);
    const register = (shortCode: string) =>
      api.post(`${SESSION}/register-link`, { sessionId: 'path', shortCode });
    const { body } = await register(`${ios.path}/${codeOf(link)}`).expect(200);
    expect(body).toMatchObject({ success: true, urlId: link.id });
    for (const path of [`nobody/${codeOf(link)}`, `a/${ios.path}/${codeOf(link)}`, '/', `${codeOf(link)}/`])
      await register(path).expect(404);
    await register('x'.repeat(102)).expect(400);
  });
});
