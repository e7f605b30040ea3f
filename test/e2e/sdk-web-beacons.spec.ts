import request, { type Test } from 'supertest';
import { KeyedApps } from '../../src/access/app-keys/keyed-apps';
import { RateLimitStorage } from '../../src/access/rate-limits/rate-limit-storage';
import { AppPageTokens } from '../../src/modules/attribution/tokens/app-page-tokens';
import { openAppPage } from '../support/app-pages';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createApp, createDomain, createLink } from '../support/links';
import { API_HOST, perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, IPHONE } from '../support/visits';

const WEB = '/api/v1/sdk/web';
const FINGERPRINT = `${WEB}/deeplink/update-fingerprint`;
const CAMPAIGN_FINGERPRINT = `${WEB}/campaign-deep-link/update-fingerprint`;
const STORE_VISIT = `${WEB}/deeplink/track-store-visit`;
const ALL = [FINGERPRINT, CAMPAIGN_FINGERPRINT, STORE_VISIT];
const CLICKED = 1;
const STORE_VISITED = 2;

describe('beacons of the app page', () => {
  const app = useTestApp();
  let appId: number;
  let trackedLinkId: number;

  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    appId = await createApp(app, organization, 'iOS', 'shop');
  });
  beforeEach(async () => {
    app.clock.run();
    trackedLinkId = (await createLink(organization)).id;
  });

  const post = (path: string, body: object | string, type = 'application/json', host = API_HOST): Test =>
    request(app.url)
      .post(path)
      .set({ Host: host, 'Content-Type': type, 'User-Agent': CHROME, 'X-Forwarded-For': '203.0.113.9' })
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  const issue = () => app.get(AppPageTokens).issue(organization.organizationId).token;
  const open = () => openAppPage(app, organization, { trackedLinkId, appIds: [appId] });
  const tokenRow = async () => {
    const rows = await app.sql(
      `SELECT session_id AS "sessionId", store_visited_at AS "visitedAt", user_agent AS "userAgent", resolution, language,
              device_model AS "deviceModel", os_version AS "osVersion", ip_hash IS NOT NULL AS ip
         FROM deep_link_tokens WHERE tracked_link_id = $1`,
      [trackedLinkId],
    );
    return rows[0];
  };
  const counted = () => eventually(async () => expect(await tokenRow()).toBeDefined());
  const stages = async () => {
    const rows = await app.sql<{ stages: number }>(
      `SELECT stages FROM funnel_sessions WHERE tracked_link_id = $1`,
      [trackedLinkId],
    );
    return rows.map((row) => row.stages);
  };
  const visitsInRollups = async (subject: 'link' | 'app') => {
    const [row] = await app.sql<{ visits: number }>(
      `SELECT coalesce(sum(count), 0)::int AS visits FROM funnel_rollups, unnest(terms, counts) AS t (term, count)
        WHERE subject_kind = $1 AND subject_id = $2 AND term = 2`,
      subject === 'link' ? [1, trackedLinkId] : [3, appId],
    );
    return row?.visits;
  };

  describe('update-fingerprint', () => {
    it('adds to the data of the click, and keeps fields that a later call omits', async () => {
      const token = await open();
      await counted();
      const answer = await post(FINGERPRINT, { token, resolution: '1179x2556', appId, userAgent: 'Page/1' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ status: 'success', message: 'Fingerprint updated' });
      expect(await tokenRow()).toMatchObject({ userAgent: 'Page/1', resolution: '1179x2556', ip: true });
      await post(CAMPAIGN_FINGERPRINT, { token, language: 'ko', deviceModel: 'M', osVersion: '16' }).expect(
        200,
      );
      expect(await tokenRow()).toMatchObject({
        userAgent: CHROME,
        resolution: '1179x2556',
        language: 'ko',
        deviceModel: 'M',
        osVersion: '16',
      });
    });

    it('may come before the click has been counted', async () => {
      const { token, key } = app.get(AppPageTokens).issue(organization.organizationId);
      await post(FINGERPRINT, { token, resolution: '1x1', userAgent: 'Page/1' }).expect(200);
      expect(await tokenRow()).toBeUndefined();
      await openAppPage(app, organization, { trackedLinkId, appIds: [appId], tokenKey: key });
      await counted();
      expect(await tokenRow()).toMatchObject({ userAgent: 'Page/1', resolution: '1x1', ip: true });
      expect(await stages()).toEqual([CLICKED]);
    });

    it('stores nothing after the fingerprint’s 24 hours', async () => {
      app.clock.set('2030-03-01T00:00:00Z');
      const token = await open();
      await counted();
      app.clock.set('2030-03-01T23:59:59.999Z');
      await post(FINGERPRINT, { token, resolution: '1x1' }).expect(200);
      app.clock.set('2030-03-02T00:00:00Z');
      await post(FINGERPRINT, { token, resolution: '2x2' }).expect(200);
      expect(await tokenRow()).toMatchObject({ resolution: '1x1' });
    });
  });

  describe('track-store-visit', () => {
    it('counts once, even when repeated concurrently', async () => {
      const token = await open();
      await counted();
      const before = (await visitsInRollups('app')) ?? 0;
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) => post(STORE_VISIT, { token, isCampaign: i % 2 === 0 })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(answers[0]?.body).toEqual({ status: 'success', message: 'Store visit recorded' });
      expect(await stages()).toEqual([CLICKED | STORE_VISITED]);
      expect(await visitsInRollups('link')).toBe(1);
      expect(await visitsInRollups('app')).toBe(before + 1);
    });

    it('may come before the click has been counted', async () => {
      const { token, key } = app.get(AppPageTokens).issue(organization.organizationId);
      await post(STORE_VISIT, { token }).expect(200);
      await post(STORE_VISIT, { token }).expect(200);
      await openAppPage(app, organization, { trackedLinkId, appIds: [appId], tokenKey: key });
      await counted();
      expect(await stages()).toEqual([CLICKED | STORE_VISITED]);
      expect(await visitsInRollups('link')).toBe(1);
      await post(STORE_VISIT, { token }).expect(200);
      expect(await visitsInRollups('link')).toBe(1);
    });

    it('counts once when it races with the counting of the click', async () => {
      const rounds = 20;
      await Promise.all(
        Array.from({ length: rounds }, async () => {
          const { token, key } = app.get(AppPageTokens).issue(organization.organizationId);
          const visit = { trackedLinkId, appIds: [appId], tokenKey: key };
          await Promise.all([
            openAppPage(app, organization, visit),
            post(STORE_VISIT, { token }).expect(200),
            post(STORE_VISIT, { token }).expect(200),
          ]);
        }),
      );
      await eventually(async () => expect(await stages()).toHaveLength(rounds));
      expect(new Set(await stages())).toEqual(new Set([CLICKED | STORE_VISITED]));
      expect(await visitsInRollups('link')).toBe(rounds);
    });

    it('of a click that de-duplication filtered is in no figure', async () => {
      const visit = { trackedLinkId, appIds: [appId], deduplicationWindowMinutes: 5 };
      await openAppPage(app, organization, visit);
      const token = await openAppPage(app, organization, visit);
      await post(STORE_VISIT, { token }).expect(200);
      await eventually(async () => {
        const rows = await app.sql(`SELECT 1 FROM deep_link_tokens WHERE tracked_link_id = $1`, [
          trackedLinkId,
        ]);
        expect(rows).toHaveLength(2);
      });
      expect(await stages()).toEqual([CLICKED]);
      expect(await visitsInRollups('link')).toBe(0);
    });
  });

  it.each(ALL)('%s answers 404 to an unknown or expired token', async (path) => {
    for (const token of ['x', 'A'.repeat(43), `${issue().slice(0, -2)}AA`]) {
      const { status, body } = await post(path, { token });
      expect([status, (body as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
    }
    app.clock.set('2030-03-01T00:00:00Z');
    const token = issue();
    app.clock.set('2030-03-07T23:59:59.999Z');
    await post(path, { token }).expect(200);
    app.clock.set('2030-03-08T00:00:00Z');
    const { body } = await post(path, { token }).expect(404);
    expect(body).toMatchObject({ status: 404, error: 'Not Found', code: 'NOT_FOUND' });
    expect(body).toHaveProperty('timestamp');
  });

  it.each(ALL)('%s accepts JSON and text, as beacons send it', async (path) => {
    for (const type of ['application/json', 'text/plain', 'text/plain;charset=UTF-8']) {
      await post(path, { token: issue() }, type).expect(200);
    }
    await post(path, 'token=x', 'application/x-www-form-urlencoded').expect(415);
    for (const type of ['application/json', 'text/plain']) {
      const { body } = await post(path, '{"token":', type).expect(400);
      expect(body).toMatchObject({ code: 'MALFORMED_JSON' });
      for (const wrong of ['[]', '"x"', '1', 'null', '{}', '{"token": null}', '{"token": ["x"]}']) {
        const { body: refused } = await post(path, wrong, type).expect(400);
        expect(refused).toMatchObject({ code: 'VALIDATION_FAILED' });
      }
    }
    await post(path, '').expect(400);
    await post(path, `"${'x'.repeat(1024 * 1024)}"`, 'text/plain').expect(413);
  });

  it('accept values at their limit, and ignore unknown fields', async () => {
    const body = {
      token: await open(),
      resolution: `${' '.repeat(39)}99999x99999`,
      userAgent: 'é'.repeat(2000),
      appId: Number.MAX_SAFE_INTEGER,
      other: [1],
    };
    await post(FINGERPRINT, body).expect(200);
    await counted();
    expect(await tokenRow()).toMatchObject({
      userAgent: 'é'.repeat(1000),
      resolution: `${' '.repeat(39)}99999x99999`,
    });
  });

  it('may be called from pages of any origin, without credentials', async () => {
    for (const path of ALL) {
      const preflight = await request(app.url).options(path).set({
        Host: API_HOST,
        Origin: 'https://links.brand.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Content-Type, X-Request-Id',
      });
      expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
      for (const token of [issue(), 'unknown']) {
        const answer = await post(path, { token }).set('Origin', 'null');
        expect(answer.headers['access-control-allow-origin']).toBe('*');
        expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      }
    }
    const elsewhere = await request(app.url).get('/api/v1/service/urls').set('Host', API_HOST);
    expect(elsewhere.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('are accepted on the API’s host and the short domain, but not on custom domains', async () => {
    await createDomain(app, organization, 'links.brand.example', 'ACTIVE');
    await post(STORE_VISIT, { token: issue() }, 'text/plain', SHORT_HOST).expect(200);
    await post(STORE_VISIT, { token: issue() }, 'text/plain', `${API_HOST}:8443`).expect(200);
    await post(STORE_VISIT, { token: issue() }, 'text/plain', 'links.brand.example').expect(405);
    await post(STORE_VISIT, { token: issue() }, 'text/plain', 'other.example').expect((answer) =>
      expect([404, 405]).toContain(answer.status),
    );
  });

  describe('rate limit', () => {
    const RATE = 1_000;
    /** Of a network, without a known app. */
    const OTHERS = 100;

    /** Simulates calls in the current minute. */
    async function used(key: string, calls: number, name = 'web'): Promise<void> {
      const storage = app.get(RateLimitStorage);
      await Promise.all(Array.from({ length: calls }, () => storage.increment(key, 60_000, RATE, 0, name)));
    }

    it('allows 1,000 calls per minute for the app in the body, in JSON and in text', async () => {
      app.clock.set('2030-04-01T00:00:00Z');
      await used(`app:${appId}`, RATE - 2);
      const body = { token: issue(), appId };
      const { headers } = await post(FINGERPRINT, body).expect(200);
      expect(headers).toMatchObject({ 'ratelimit-limit': '1000', 'ratelimit-remaining': '1' });
      await post(STORE_VISIT, body, 'text/plain').expect(200);
      const refused = await post(FINGERPRINT, body).expect(429);
      expect(refused.body).toMatchObject({ code: 'RATE_LIMITED' });
      expect(refused.headers).toMatchObject({ 'retry-after': '60', 'access-control-allow-origin': '*' });
      await post(FINGERPRINT, { ...body, appId: appId + 1 }).expect(200);
      await post(FINGERPRINT, { token: body.token }).expect(200);
      app.clock.advance(60_000);
      await post(FINGERPRINT, body).expect(200);
    });

    it('gives all of it to one network, as an office or a carrier is one address', async () => {
      app.clock.set('2030-06-01T00:00:00Z');
      await used(`app:${appId}`, 500);
      const body = { token: issue(), appId };
      for (let i = 0; i < 150; i++) await post(FINGERPRINT, body).expect(200);
      const { headers } = await post(FINGERPRINT, body).expect(200);
      expect(headers).toMatchObject({ 'ratelimit-limit': '1000', 'ratelimit-remaining': '349' });
    });

    it('counts calls for unknown apps by IP address, and stops looking them up', async () => {
      app.clock.set('2030-07-01T00:00:00Z');
      const find = jest.spyOn(app.get(KeyedApps), 'find');
      for (let i = 0; i < 120; i++)
        await post(FINGERPRINT, { token: issue(), appId: 999_001 + i }).expect(i < OTHERS ? 200 : 429);
      expect(find.mock.calls.length).toBe(100);
      find.mockRestore();
      await post(FINGERPRINT, { token: issue(), appId: 999_999 }).expect(429);
      await post(FINGERPRINT, { token: issue(), appId: 999_999 })
        .set('X-Forwarded-For', '203.0.113.10')
        .expect(200);
    });

    it('counts by IP address when no app is named or the body is invalid', async () => {
      app.clock.set('2030-05-01T00:00:00Z');
      await used('ip:203.0.113.9', OTHERS - 3);
      await post(FINGERPRINT, { token: issue() }).expect(200);
      await post(FINGERPRINT, { token: issue(), appId: 'x' }).expect(400);
      await post(FINGERPRINT, '{', 'text/plain').expect(400);
      await post(FINGERPRINT, '{', 'text/plain').expect(429);
      await post(FINGERPRINT, { token: issue() }).set('X-Forwarded-For', '203.0.113.10').expect(200);
    });
  });

  it('that fail leave the token valid', async () => {
    const token = await open();
    await counted();
    await app.sql(`ALTER TABLE deep_link_tokens RENAME TO away`);
    const { status } = await post(STORE_VISIT, { token });
    await app.sql(`ALTER TABLE away RENAME TO deep_link_tokens`);
    expect(status).toBe(500);
    await post(STORE_VISIT, { token }).set('User-Agent', IPHONE).expect(200);
    expect(await stages()).toEqual([CLICKED | STORE_VISITED]);
  });
});
