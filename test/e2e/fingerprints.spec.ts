import { AttributionHousekeeping } from '../../src/modules/attribution/attribution-housekeeping';
import { AppPageTokens } from '../../src/modules/attribution/tokens/app-page-tokens';
import {
  DeepLinkTokensService,
  type Fingerprint,
} from '../../src/modules/attribution/tokens/deep-link-tokens.service';
import type { Visit } from '../../src/modules/clicks/click-recorder';
import type { InstallStatisticsResponse } from '../../src/modules/sessions/installs/install-statistics.dto';
import { openAppPage } from '../support/app-pages';
import { registerApp } from '../support/apps';
import { eventually } from '../support/eventually';
import { appApi, createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { cataloguedEvents, keepEvents } from '../support/outbox';
import { perSuite, useTestApp } from '../support/test-app';
import { IPHONE } from '../support/visits';

const RESOLVE = '/api/v1/sdk/mobile/deeplink/resolve-fingerprint';
const START = Date.parse('2030-03-01T10:00:00Z');
const HOUR_MS = 3_600_000;
const PAGE = { userAgent: IPHONE, resolution: '393x852', language: 'ko-KR' };
const APP = {
  userAgent: 'Shop/4.2 CFNetwork/3826 Darwin/25.0.0',
  osVersion: '26.0.1',
  resolution: '1179x2556',
};

let lastAddress = 0;
/** An IP address for one test. */
const address = () => `198.18.${++lastAddress >> 8}.${lastAddress & 255}`;

describe('resolve-fingerprint', () => {
  const app = useTestApp();
  let ip: string;

  const organization = perSuite(() => createOrganization(app));
  const ios = perSuite(() => registerApp(organization));
  const android = perSuite(() =>
    registerApp(organization, {
      platform: 'Android',
      scheme: 'droidshop://',
      storeUrl: null,
    }),
  );
  beforeEach(() => {
    ip = address();
    app.clock.set(new Date(START));
  });

  const link = (body: Record<string, unknown> = {}) =>
    createLink(organization, {
      iosAppId: ios.id,
      androidAppId: android.id,
      iosDeepLinkPath: '/products/42?next=%2Fa%3Fb&c=d%20e',
      androidDeepLinkPath: '/p/42',
      goalType: 'purchase',
      ...body,
    });

  /** A counted click whose page has reported its device. @returns the page's token */
  async function click(
    trackedLinkId: number,
    page: Fingerprint | null = PAGE,
    visit: Partial<Visit> = {},
  ): Promise<string> {
    const userAgent = page?.userAgent ?? IPHONE;
    const token = await openAppPage(app, organization, {
      trackedLinkId,
      appIds: [ios.id, android.id],
      ip,
      userAgent,
      ...visit,
    });
    if (page) await app.get(DeepLinkTokensService).updateFingerprint(token, page);
    await eventually(async () =>
      expect(await openClicks()).toContain(app.get(AppPageTokens).read(token)?.hash),
    );
    return token;
  }
  const openClicks = async () => {
    const rows = await app.sql<{ hash: Buffer }>(
      `SELECT token_hash AS hash FROM deep_link_tokens WHERE click_id IS NOT NULL AND matched_at IS NULL`,
    );
    return rows.map(({ hash }) => hash.toString('base64url'));
  };

  const ask = (query: Record<string, unknown> = {}, as = ios) =>
    appApi(app, as).get(RESOLVE, { ...APP, ipAddress: ip, ...query });
  const answer = async (query: Record<string, unknown> = {}, as = ios) =>
    (await ask(query, as).expect(200)).body as Record<string, unknown>;
  const noMatch = (reason: string) => ({
    matched: false,
    matchType: null,
    confidence: null,
    reason,
    token: null,
    sessionId: null,
    urlId: null,
    campaignId: null,
    goalType: null,
    scheme: null,
    deepLinkUrl: null,
    iosDeepLinkPath: null,
    androidDeepLinkPath: null,
    originalUrl: null,
    shorturl: null,
  });

  const sessionsOf = (trackedLinkId: number) =>
    app.sql<{ id: string; appId: number; stages: number; goalType: string }>(
      `SELECT id, app_id AS "appId", stages, goal_type AS "goalType" FROM funnel_sessions WHERE tracked_link_id = $1`,
      [trackedLinkId],
    );

  it('finds the click and its link', async () => {
    const made = await link();
    const token = await click(made.id);
    app.clock.advance(HOUR_MS);
    const { body, headers } = await ask().expect(200);
    const [session] = await sessionsOf(made.id);
    expect(body).toEqual({
      matched: true,
      matchType: 'FINGERPRINT',
      confidence: 0.875,
      reason: null,
      token: expect.stringMatching(/^[A-Za-z0-9_-]{51}$/),
      sessionId: session?.id,
      urlId: made.id,
      campaignId: null,
      goalType: 'purchase',
      scheme: 'exampleshop://',
      deepLinkUrl: 'exampleshop://products/42?next=%2Fa%3Fb&c=d%20e',
      iosDeepLinkPath: '/products/42?next=%2Fa%3Fb&c=d%20e',
      androidDeepLinkPath: '/p/42',
      originalUrl: 'https://shop.example.com/spring',
      shorturl: codeOf(made),
    });
    expect(headers['ratelimit-limit']).toBe('1000');
    // Both tokens belong to that click, and neither can be matched again.
    const tokens = app.get(AppPageTokens);
    expect(body.token).not.toBe(token);
    expect(tokens.read(body.token as string)?.issuedAt).toBe(tokens.read(token)?.issuedAt);
    const rows = await app.sql(
      `SELECT DISTINCT click_id, session_id AS session, matched_at IS NOT NULL AS matched FROM deep_link_tokens
        WHERE token_hash = ANY($1)`,
      [[token, body.token as string].map((each) => Buffer.from(tokens.read(each)?.hash ?? '', 'base64url'))],
    );
    expect(rows).toEqual([expect.objectContaining({ session: session?.id, matched: true })]);
    expect(await answer()).toEqual(noMatch('NO_CANDIDATE'));
  });

  it('records the installation, the stages and the resolution once, in statistics and webhooks', async () => {
    const own = await createOrganization(app);
    await keepEvents(app, own);
    const ownApp = await registerApp(own);
    const made = await createLink(own, { iosAppId: ownApp.id, goalType: 'signup' });
    const token = await openAppPage(app, own, { trackedLinkId: made.id, appIds: [ownApp.id], ip });
    await app.get(DeepLinkTokensService).updateFingerprint(token, PAGE);
    await eventually(async () => expect(await sessionsOf(made.id)).toHaveLength(1));
    app.clock.advance(60_000);
    expect(await answer({ osVersion: '18.6' }, ownApp)).toEqual(noMatch('LOW_CONFIDENCE'));
    const found = await answer({ deviceModel: 'iPhone15,4' }, ownApp);
    expect(found).toMatchObject({ matched: true, confidence: 0.7 });
    expect(await answer({}, ownApp)).toEqual(noMatch('NO_CANDIDATE'));
    expect(await answer({}, ownApp)).toEqual(noMatch('NO_CANDIDATE'));
    expect(await sessionsOf(made.id)).toEqual([
      { id: found.sessionId, appId: ownApp.id, stages: 0b11101, goalType: 'signup' },
    ]);
    for (const path of [`mobile-apps/${ownApp.id}/install-stats`, `urls/${made.id}/app-install-stats`]) {
      const { body } = await own.api
        .get(`/api/v1/service/${path}`, { startDate: '2030-03-01', endDate: '2030-03-01' })
        .expect(200);
      const stats = body as InstallStatisticsResponse;
      expect(stats).toMatchObject({
        totalInstalls: 1,
        iosInstalls: 1,
        recentInstalls: [{ platform: 'iOS', osVersion: '26.0.1', deviceModel: 'iPhone15,4' }],
      });
      const reached = stats.funnelStats.stages
        .filter(({ sessionsReached }) => sessionsReached === 1)
        .map(({ stageCode }) => stageCode);
      expect(reached).toEqual(['CLICKED', 'APP_INSTALLED', 'APP_OPENED', 'DEEP_LINK_RESOLVED']);
      const ofApp = path.startsWith('mobile');
      expect(stats.qualityStats).toMatchObject({
        totalAttempts: ofApp ? 4 : 1,
        successfulResolutions: 1,
        failureReasons: ofApp
          ? [
              { reason: 'NO_CANDIDATE', count: 2, percentage: 66.7 },
              { reason: 'LOW_CONFIDENCE', count: 1, percentage: 33.3 },
            ]
          : [],
      });
    }
    const events = (await cataloguedEvents(app, own.organizationId)).filter(
      ({ name }) => name === 'funnel.stage_reached',
    );
    expect(events.map(({ data }) => data.stage)).toEqual([
      'APP_INSTALLED',
      'APP_OPENED',
      'DEEP_LINK_RESOLVED',
    ]);
    expect(events[0]?.data).toMatchObject({
      sessionId: found.sessionId,
      appId: ownApp.id,
      urlId: made.id,
      platform: 'IOS',
    });
  });

  it('gives a click to one of many concurrent starts', async () => {
    const made = await link();
    await click(made.id);
    const answers = await Promise.all(Array.from({ length: 12 }, () => answer()));
    expect(answers.filter(({ matched }) => matched)).toHaveLength(1);
    expect(answers.filter(({ reason }) => reason === 'NO_CANDIDATE')).toHaveLength(11);
    const installs = await app.sql(`SELECT 1 FROM app_installs WHERE tracked_link_id = $1`, [made.id]);
    const resolutions = await app.sql(`SELECT 1 FROM deep_link_resolutions WHERE tracked_link_id = $1`, [
      made.id,
    ]);
    expect([installs.length, resolutions.length]).toEqual([1, 1]);
  });

  it('prefers the latest of repeated clicks', async () => {
    const [first, second] = [await link(), await link()];
    await click(first.id);
    app.clock.advance(1_000);
    await click(second.id);
    app.clock.advance(1_000);
    expect(await answer()).toMatchObject({ matched: true, urlId: second.id });
    expect(await answer()).toMatchObject({ matched: true, urlId: first.id });
    expect(await answer()).toEqual(noMatch('NO_CANDIDATE'));
  });

  it('distinguishes identical phones by their browser id, and has no match when it cannot', async () => {
    const [first, second] = [await link(), await link()];
    await click(first.id, { ...PAGE, browserId: 'one' });
    await click(second.id, { ...PAGE, browserId: 'other' });
    expect(await answer()).toEqual(noMatch('AMBIGUOUS'));
    await click(first.id, { ...PAGE, resolution: '430x932', browserId: 'larger' });
    expect(await answer({ resolution: '1290x2796' })).toMatchObject({ matched: true, urlId: first.id });
  });

  it('finds no click from a different device, IP address, app or organization', async () => {
    const made = await link();
    await click(made.id);
    expect(await answer({ osVersion: '18.6' })).toEqual(noMatch('LOW_CONFIDENCE'));
    expect(await answer({ resolution: undefined })).toEqual(noMatch('LOW_CONFIDENCE'));
    expect(await answer({ ipAddress: address() })).toEqual(noMatch('NO_CANDIDATE'));
    const another = await registerApp(organization);
    expect(await answer({}, another)).toEqual(noMatch('NO_CANDIDATE'));
    const foreign = await registerApp(await createOrganization(app));
    expect(await answer({}, foreign)).toEqual(noMatch('NO_CANDIDATE'));
    expect(await answer()).toMatchObject({ matched: true, urlId: made.id });
  });

  it('accepts an IP address in every notation', async () => {
    const made = await link();
    await click(made.id);
    expect(await answer({ ipAddress: `::ffff:${ip}` })).toMatchObject({ matched: true });
    ip = '2001:db8::7';
    await click(made.id);
    expect(await answer({ ipAddress: '2001:0DB8:0:0:0:0:0:7' })).toMatchObject({ matched: true });
  });

  it('finds a click for a day, and then reports for a while that it has expired', async () => {
    const made = await link();
    await click(made.id);
    await click(made.id);
    app.clock.set(new Date(START + 24 * HOUR_MS - 1));
    expect(await answer()).toMatchObject({ matched: true });
    app.clock.set(new Date(START + 24 * HOUR_MS));
    expect(await answer()).toEqual(noMatch('EXPIRED'));
    app.clock.advance(600_000);
    await app.get(AttributionHousekeeping).forget();
    expect(await answer()).toEqual(noMatch('NO_CANDIDATE'));
    const kept = await app.sql(
      `SELECT 1 FROM deep_link_tokens WHERE tracked_link_id = $1
          AND num_nonnulls(ip_hash, user_agent, resolution, language, device_model, os_version, browser_id) > 0`,
      [made.id],
    );
    expect(kept).toEqual([]);
  });

  it('has no match when the link has expired or was deleted since', async () => {
    const expiring = await link({ expirationDate: '2030-03-01T11:00:00Z' });
    await click(expiring.id);
    app.clock.advance(HOUR_MS - 1);
    app.clock.advance(1);
    expect(await answer()).toEqual(noMatch('EXPIRED'));
    ip = address();
    const deleted = await link();
    await click(deleted.id);
    await organization.api.delete(`/api/v1/service/urls/${deleted.id}`).expect(204);
    expect(await answer()).toEqual(noMatch('EXPIRED'));
  });

  it('finds clicks for both apps of a link, with the session', async () => {
    const made = await link();
    await click(made.id, PAGE, { appIds: [android.id, ios.id] });
    const { sessionId } = await answer();
    expect(await sessionsOf(made.id)).toEqual([expect.objectContaining({ id: sessionId, appId: ios.id })]);
    const [sums] = await app.sql(
      `SELECT sum(sessions)::int AS sessions, array_agg(DISTINCT app_id) AS apps FROM session_rollups
        WHERE subject_kind = 1 AND subject_id = $1 AND sessions <> 0`,
      [made.id],
    );
    expect(sums).toMatchObject({ sessions: 1 });
  });

  it('starts a session for a click that de-duplication filtered', async () => {
    const made = await link();
    const visit = { deduplicationWindowMinutes: 5 };
    await click(made.id, { ...PAGE, browserId: 'one' }, visit);
    await answer();
    await click(made.id, { ...PAGE, browserId: 'one' }, visit);
    const { matched, sessionId } = await answer({ isFirstLaunch: true });
    expect(matched).toBe(true);
    const sessions = await sessionsOf(made.id);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ id }) => id === sessionId)).toMatchObject({ appId: ios.id, stages: 0b11100 });
  });

  it('refuses bad input, and names the field', async () => {
    const bad: Record<string, unknown[]> = {
      userAgent: [undefined],
      ipAddress: [undefined, '203.0.113', '203.0.113.7/24'],
      resolution: ['abc', '1179x', '1179.0x2556.0'],
    };
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, body } = await ask({ [field]: value });
        const { code, details } = body as { code: string; details?: { field: string }[] };
        expect([value, status, code, details?.[0]?.field]).toEqual([value, 400, 'VALIDATION_FAILED', field]);
      }
    }
  });

  it('treats unreadable values as unknown', async () => {
    const made = await link();
    await click(made.id);
    expect(
      await answer({ resolution: '99999x99999', language: '?', deviceModel: '', osVersion: '26' }),
    ).toEqual(noMatch('LOW_CONFIDENCE'));
  });
});
