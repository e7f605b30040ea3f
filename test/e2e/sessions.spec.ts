import { randomUUID } from 'node:crypto';
import { AttributionHousekeeping } from '../../src/modules/attribution/attribution-housekeeping';
import { Database } from '../../src/infrastructure/database/database';
import { SessionDeltas } from '../../src/modules/sessions/rollups/session-deltas';
import { SessionRollups } from '../../src/modules/sessions/rollups/session-rollups';
import { newSession } from '../../src/modules/sessions/session';
import { openAppPage } from '../support/app-pages';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';
import { recomputed, rolledUp } from '../support/journey-oracle';
import { addApp, type AppOwner, createAppOwner, createSession, SESSIONS, track } from '../support/journeys';
import { codeOf, createLink } from '../support/links';
import { cataloguedEvents } from '../support/outbox';
import { perSuite, useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DEVICE = [
  'platform',
  'os',
  'osVersion',
  'browser',
  'browserVersion',
  'deviceType',
  'deviceModel',
  'language',
  'screenResolution',
  'userAgent',
  'appVersion',
  'sdkVersion',
];

describe('sessions of apps and sites', () => {
  const app = useTestApp({ at: NOW });
  const own = perSuite(() => createAppOwner(app));
  const other = perSuite(() => createAppOwner(app));

  const newEvents = async (owner: AppOwner, work: () => Promise<unknown>) => {
    const known = new Set((await cataloguedEvents(app, owner.organizationId)).map(({ id }) => id));
    await work();
    const events = (await cataloguedEvents(app, owner.organizationId)).filter(({ id }) => !known.has(id));
    return events.map(({ name, data }) => ({ name, data }));
  };

  const get = async (owner: AppOwner, sessionId: string) =>
    (await owner.sdk.get(`${SESSIONS}/${encodeURIComponent(sessionId)}`).expect(200)).body;

  describe('create', () => {
    it('returns the session, sends an event, and finds it again', async () => {
      const link = await createLink(own, { goalType: 'signup' });
      const deviceInfo = Object.fromEntries(
        DEVICE.map((field) => [field, field === 'screenResolution' ? '1206x2622' : `a ${field}`]),
      );
      const body = {
        platform: 'WEB',
        deviceInfo,
        urlId: link.id,
        externalUserId: 'member-1',
        utmSource: 'newsletter',
        utmMedium: 'email',
        utmTerm: 'shoes',
        utmContent: 'banner',
        referrer: 'https://news.example/',
        landingUrl: 'https://shop.example/spring',
        clientTimestamp: '2026-11-20T08:31:59Z',
        clientTimezone: 'Asia/Seoul',
        unknown: 1,
      };
      let session: Record<string, unknown> = {};
      const events = await newEvents(own, async () => {
        session = (await own.sdk.post(`${SESSIONS}/create`, body).expect(201)).body;
      });
      expect(session).toEqual({
        sessionId: expect.stringMatching(UUID),
        appId: own.appId,
        platform: 'WEB',
        externalUserId: 'member-1',
        urlId: link.id,
        campaignId: null,
        goalType: 'signup',
        deviceInfo,
        utmSource: 'newsletter',
        utmMedium: 'email',
        utmTerm: 'shoes',
        utmContent: 'banner',
        referrer: 'https://news.example/',
        landingUrl: 'https://shop.example/spring',
        country: null,
        startedAt: NOW,
        lastActivityAt: NOW,
        stages: [],
        converted: false,
      });
      expect(events).toEqual([{ name: 'session.created', data: session }]);
      expect(await get(own, String(session.sessionId))).toEqual(session);
    });

    it('records the country of a phone, but not of a site, whose server makes the calls', async () => {
      const from = (platform: string) =>
        own.sdk.post(`${SESSIONS}/create`).set('X-Forwarded-For', '8.8.8.8').send({ platform }).expect(201);
      expect((await from('IOS')).body.country).toBe('US');
      expect((await from('WEB')).body.country).toBeNull();
    });

    it('may be repeated with an id of the client, and adds new fields', async () => {
      const sessionId = randomUUID();
      const first = await createSession(own, { sessionId, utmSource: 'first' });
      const events = await newEvents(own, async () => {
        expect(await createSession(own, { sessionId, utmSource: 'first' })).toEqual(first);
        const more = await createSession(own, {
          sessionId,
          platform: 'IOS',
          utmSource: 'second',
          utmMedium: 'email',
          deviceInfo: { os: 'iOS' },
          externalUserId: 'late',
        });
        expect(more).toMatchObject({ platform: 'WEB', utmSource: 'first', utmMedium: 'email' });
        expect(more).toMatchObject({ externalUserId: 'late', deviceInfo: { os: 'iOS', browser: null } });
      });
      expect(events.map(({ name }) => name)).toEqual(['session.user_linked']);
    });

    it('creates one session for fifty concurrent calls', async () => {
      const lonely = await createAppOwner(app);
      const sessionId = randomUUID();
      const made = await Promise.all(Array.from({ length: 50 }, () => createSession(lonely, { sessionId })));
      expect(new Set(made.map((each) => JSON.stringify(each))).size).toBe(1);
      const { sessions } = await rolledUp(app, lonely.organizationId);
      // For the app, and for all its sessions without a link.
      const once = expect.objectContaining({ sessions: 1 });
      expect(sessions).toEqual([once, once]);
      expect((await cataloguedEvents(app, lonely.organizationId)).map(({ name }) => name)).toEqual([
        'session.created',
      ]);
    });

    it('accepts ids that are not UUIDs, each a session of its app', async () => {
      const beside = { ...own, ...(await addApp(app, own, 'Android')) };
      const sessionId = 'A1-세션/ 1';
      const first = await createSession(own, { sessionId });
      expect(first.sessionId).toBe(sessionId);
      expect(await get(own, sessionId)).toEqual(first);
      await beside.sdk.get(`${SESSIONS}/${encodeURIComponent(sessionId)}`).expect(404);
      expect((await createSession(beside, { sessionId })).appId).toBe(beside.appId);
      const upper = randomUUID().toUpperCase();
      await createSession(own, { sessionId: upper });
      expect((await get(own, upper.toLowerCase())).sessionId).toBe(upper.toLowerCase());
    });

    it('accepts every field at its limit', async () => {
      const text = '가'.repeat(200);
      const screenResolution = `${' '.repeat(189)}99999x99999`;
      const texts = Object.fromEntries(DEVICE.map((field) => [field, text]));
      const deviceInfo = { ...texts, screenResolution };
      const utm = { utmSource: text, utmMedium: text, utmTerm: text, utmContent: text };
      const body = { sessionId: text, deviceInfo, ...utm, externalUserId: text };
      expect(await createSession(own, body)).toMatchObject(body);
    });

    it('truncates values that clients copy from their environment, instead of refusing them', async () => {
      const text = 'x'.repeat(199) + '😀';
      const address = `https://shop.example/${'y'.repeat(1_978)}😀`;
      const body = {
        deviceInfo: {
          ...Object.fromEntries(DEVICE.map((field) => [field, text])),
          screenResolution: '1206x2622',
        },
        ...{ utmSource: text, utmMedium: text, utmTerm: text, utmContent: text },
        ...{ referrer: address, landingUrl: address },
      };
      const longer = JSON.parse(JSON.stringify(body).replaceAll('😀', '😀 and more'));
      expect(await createSession(own, longer)).toMatchObject(body);
    });

    describe('of a client that sends its user agent', () => {
      const WHALE =
        'Mozilla/5.0 (Linux; Android 15; SM-S928N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 ' +
        'Whale/1.0.0.0 Crosswalk/29.132.0.2 Mobile Safari/537.36 NAVER(inapp; search; 2000; 12.9.2)';
      const read = { os: 'Android', browser: 'NAVER', deviceType: 'Mobile' };
      const sent = { platform: 'WEB', userAgent: WHALE };

      it('reads operating system, browser and device type from it', async () => {
        const session = await createSession(own, { deviceInfo: sent });
        expect(session.deviceInfo).toMatchObject({ ...read, platform: 'WEB', osVersion: null });
        const { sessionId } = session;
        const empty = { ...sent, os: '', browser: null };
        await own.sdk
          .post(`${SESSIONS}/transition`, { sessionId, toPlatform: 'ANDROID', deviceInfo: empty })
          .expect(200);
        expect((await get(own, sessionId)).deviceInfo).toMatchObject(read);
      });

      it('reads all of one longer than the stored part', async () => {
        const userAgent = WHALE.replace('AppleWebKit', `${'z'.repeat(200)} AppleWebKit`);
        const { deviceInfo } = await createSession(own, { deviceInfo: { userAgent } });
        expect(deviceInfo).toMatchObject({ ...read, userAgent: userAgent.slice(0, 200) });
      });

      it('prefers the values of the client', async () => {
        const told = { ...sent, os: 'Tizen', browser: 'My browser', deviceType: 'Tablet' };
        expect((await createSession(own, { deviceInfo: told })).deviceInfo).toMatchObject(told);
      });

      it.each(['Not A;Brand', ' Not;A Brand'])(
        "never takes Chromium's fake brand for the browser: %s",
        async (browser) => {
          const { deviceInfo } = await createSession(own, {
            deviceInfo: { ...sent, browser, browserVersion: '8' },
          });
          expect(deviceInfo).toMatchObject({ browser: 'NAVER', browserVersion: null });
        },
      );

      it.each(['okhttp/5.1.0', ''])(
        'keeps the values of the client, and adds nothing: %s',
        async (userAgent) => {
          const { deviceInfo } = await createSession(own, { deviceInfo: { userAgent } });
          expect(deviceInfo).toMatchObject({ os: null, browser: null, deviceType: null, userAgent });
        },
      );
    });

    it('continues the session of a click, by the token of its page', async () => {
      const link = await createLink(own, { iosAppId: own.appId, goalType: 'signup' });
      const token = await openAppPage(app, own, { trackedLinkId: link.id, appIds: [own.appId] });
      const ask = () => own.sdk.post(`${SESSIONS}/create`, { platform: 'IOS', token }).expect(201);
      const { body } = await ask();
      expect(body).toMatchObject({
        urlId: link.id,
        goalType: 'signup',
        platform: 'IOS',
        stages: ['CLICKED'],
      });
      expect((await ask()).body.sessionId).toBe(body.sessionId);
      await app.alter('UPDATE links SET deleted_at = now() WHERE id = $1', [link.id]);
      await other.sdk.post(`${SESSIONS}/create`, { platform: 'IOS', token }).expect(404);
    });

    it('finds no link, campaign or token of others', async () => {
      const link = await createLink(other);
      const campaign = await createCampaign(other);
      for (const named of [{ urlId: link.id }, { campaignId: campaign.id }, { token: 'made-up' }]) {
        const { body } = await own.sdk.post(`${SESSIONS}/create`, { platform: 'IOS', ...named }).expect(404);
        expect(body.code).toBe('NOT_FOUND');
      }
    });
  });

  it('that are missing get the message that Web SDKs of every version recognize', async () => {
    const sessionId = randomUUID();
    for (const call of [
      own.sdk.get(`${SESSIONS}/${sessionId}`),
      own.sdk.post(`${SESSIONS}/${sessionId}/link-user`, { externalUserId: 'm' }),
      own.sdk.post(`${SESSIONS}/register-link`, { sessionId, urlId: (await createLink(own)).id }),
    ]) {
      const { body } = await call.expect(404);
      expect(body).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'Session not found' });
    }
    const { body: noRoute } = await own.sdk.get('/api/v1/cross-platform/nothing').expect(404);
    expect(noRoute.message).toBe('Resource not found');
    const withdrawal = own.sdk.post('/api/v1/cross-platform/withdraw', { externalUserId: 'nobody' });
    expect((await withdrawal.expect(404)).body).toEqual({ success: false, message: 'Contact not found' });
  });

  it('belong to one app', async () => {
    const beside = { ...own, ...(await addApp(app, own, 'Android')) };
    const { sessionId } = await createSession(own);
    for (const { sdk } of [beside, other]) {
      await sdk.get(`${SESSIONS}/${sessionId}`).expect(404);
      await sdk.get(`${SESSIONS}/${sessionId}/transitions`).expect(404);
      await sdk.post(`${SESSIONS}/${sessionId}/link-user`, { externalUserId: 'x' }).expect(404);
      await sdk.post(`${SESSIONS}/transition`, { sessionId, toPlatform: 'IOS' }).expect(404);
    }
    await beside.sdk.post(`${SESSIONS}/create`, { sessionId, platform: 'IOS' }).expect(404);
    await beside.sdk.post(`${SESSIONS}/funnel/track`, { sessionId, stage: 'APP_OPENED' }).expect(404);
    // In another organization the same id is another session.
    await track(other, { sessionId, stage: 'APP_OPENED' });
    expect((await get(own, sessionId)).stages).toEqual([]);
  });

  it('store no event without a subscriber', async () => {
    const quiet = await createAppOwner(app);
    await app.sql('DELETE FROM webhook_endpoints WHERE organization_id = $1', [quiet.organizationId]);
    const { sessionId } = await createSession(quiet);
    await track(quiet, { sessionId, goalType: 'signup' });
    expect(await cataloguedEvents(app, quiet.organizationId)).toEqual([]);
    const path = `${quiet.consolePath}/webhooks`;
    const endpoint = { url: 'https://receiver.example/hook', events: ['goal.*'], enabled: false };
    await consoleApi(app).post(path, endpoint).expect(201);
    await track(quiet, { sessionId, stage: 'APP_OPENED' });
    await track(quiet, { sessionId, goalType: 'signup' });
    const names = (await cataloguedEvents(app, quiet.organizationId)).map(({ name }) => name);
    expect(names).toEqual(['goal.completed']);
  });

  describe('link-user', () => {
    it('assigns the session to a user, sends one event, and counts the user', async () => {
      const lonely = await createAppOwner(app);
      const { sessionId } = await createSession(lonely);
      const link = (externalUserId: string) =>
        lonely.sdk.post(`${SESSIONS}/${sessionId}/link-user`, { externalUserId });
      const events = await newEvents(lonely, async () => {
        for (let i = 0; i < 3; i++) {
          expect((await link('m1').expect(200)).body).toEqual({
            success: true,
            sessionId,
            externalUserId: 'm1',
          });
        }
      });
      const shown = await get(lonely, sessionId);
      expect(shown.externalUserId).toBe('m1');
      expect(events).toEqual([{ name: 'session.user_linked', data: shown }]);
      expect((await rolledUp(app, lonely.organizationId)).users).toEqual([
        { app_id: lonely.appId, day: '2026-11-20', gap: -1, users: 1 },
      ]);
    });

    it('counts users by day, in any order of days', async () => {
      const lonely = await createAppOwner(app);
      const days = ['2026-11-01', '2026-11-04', '2026-11-09'];
      const ids: string[] = [];
      for (const day of days) {
        app.clock.set(`${day}T10:00:00Z`);
        ids.push((await createSession(lonely)).sessionId);
      }
      for (const i of [2, 0, 1, 1]) {
        await lonely.sdk.post(`${SESSIONS}/${ids[i]}/link-user`, { externalUserId: 'm' }).expect(200);
      }
      const { users } = await rolledUp(app, lonely.organizationId);
      expect(users).toEqual([
        { app_id: lonely.appId, day: '2026-11-01', gap: -1, users: 1 },
        { app_id: lonely.appId, day: '2026-11-04', gap: 3, users: 1 },
        { app_id: lonely.appId, day: '2026-11-09', gap: 5, users: 1 },
      ]);
    });

    it('counts days of one transaction as those of several', async () => {
      const { organizationId, appId } = await createAppOwner(app);
      const write = (...days: string[]) => {
        const sums = new SessionDeltas();
        for (const day of days) {
          const begun = {
            id: randomUUID(),
            platform: 'IOS',
            startedAt: new Date(`${day}T10:00:00Z`),
          } as const;
          sums.addSession(null, newSession({ organizationId, appId, day, externalUserId: 'm', ...begun }));
        }
        return app.get(Database).write((tx) => app.get(SessionRollups).write(tx, sums));
      };
      await write('2026-11-01', '2026-11-12');
      await write('2026-11-09', '2026-11-03', '2026-11-12', '2026-11-06', '2026-11-15');
      const { users } = await rolledUp(app, organizationId);
      expect(users).toEqual((await recomputed(app, organizationId)).users);
      expect(users).toHaveLength(6);
    });
  });

  describe('register-link', () => {
    const register = (body: object) => own.sdk.post(`${SESSIONS}/register-link`, body);

    it('accepts a link, a campaign, a code and a token', async () => {
      const link = await createLink(own, { goalType: 'signup' });
      const campaign = await createCampaign(own, { goalType: 'purchase' });
      const tied = await createLink(own, { iosAppId: own.appId });
      const token = await openAppPage(app, own, { trackedLinkId: tied.id, appIds: [own.appId] });
      const { sessionId } = await createSession(own);
      const answer = { success: true, sessionId, urlId: null, campaignId: null, goalType: null };
      for (const [named, expected] of [
        [{ urlId: link.id }, { urlId: link.id, goalType: 'signup' }],
        [{ campaignId: campaign.id }, { campaignId: campaign.id, goalType: 'purchase' }],
        [{ shortCode: codeOf(link) }, { urlId: link.id, goalType: 'signup' }],
        [{ token }, { urlId: tied.id }],
      ] as const) {
        const { body } = await register({ sessionId, ...named }).expect(200);
        expect(body).toEqual({ ...answer, ...expected });
      }
      expect(await get(own, sessionId)).toMatchObject({ urlId: tied.id, campaignId: null });
      expect(await rolledUp(app, own.organizationId)).toEqual(await recomputed(app, own.organizationId));
    });

    it('refuses empty requests, and finds no resources of others', async () => {
      const { sessionId } = await createSession(own);
      const link = await createLink(other);
      await register({ sessionId }).expect(400);
      await register({ sessionId, urlId: null }).expect(400);
      await register({ urlId: link.id }).expect(400);
      for (const named of [{ urlId: link.id }, { shortCode: codeOf(link) }, { shortCode: 'nobodys' }]) {
        await register({ sessionId, ...named }).expect(404);
      }
      for (const life of [{ enabled: false }, { startsAt: '2100-01-01' }]) {
        const hidden = await createLink(own, life);
        await register({ sessionId, shortCode: codeOf(hidden) }).expect(404);
      }
      const mine = await createLink(own);
      await register({ sessionId: randomUUID(), urlId: mine.id }).expect(404);
    });
  });

  describe('transition', () => {
    const move = (body: object) => own.sdk.post(`${SESSIONS}/transition`, body);

    it('continues a session on another platform, once even when repeated', async () => {
      const { sessionId } = await createSession(own, { deviceInfo: { os: 'macOS' } });
      let first: Record<string, unknown> = {};
      const events = await newEvents(own, async () => {
        const all = await Promise.all(
          Array.from({ length: 10 }, () =>
            move({ sessionId, toPlatform: 'IOS', deviceInfo: { os: 'iOS' } }).expect(200),
          ),
        );
        first = all[0]?.body;
        for (const { body } of all) expect(body).toEqual(first);
      });
      expect(first).toEqual({
        success: true,
        transitionId: expect.any(Number),
        sessionId,
        fromPlatform: 'WEB',
        toPlatform: 'IOS',
        occurredAt: NOW,
      });
      const shown = await get(own, sessionId);
      expect(shown).toMatchObject({ platform: 'IOS', deviceInfo: { os: 'iOS' } });
      const { success: _, sessionId: __, ...transition } = first;
      expect(events).toEqual([{ name: 'session.transitioned', data: { ...shown, transition } }]);
      app.clock.advance(5_000);
      const { body: back } = await move({ sessionId, toPlatform: 'WEB' }).expect(200);
      const { body: list } = await own.sdk.get(`${SESSIONS}/${sessionId}/transitions`).expect(200);
      const { success: ___, ...second } = back;
      expect(list).toEqual([{ sessionId, ...transition }, second]);
    });

    it('refuses the platform on which the session already is', async () => {
      const { sessionId } = await createSession(own);
      const { body } = await move({ sessionId, toPlatform: 'WEB' }).expect(400);
      expect(body.details[0].field).toBe('toPlatform');
      await move({ sessionId, toPlatform: 'TV' }).expect(400);
      await move({ sessionId: randomUUID(), toPlatform: 'IOS' }).expect(404);
      const { body: none } = await own.sdk.get(`${SESSIONS}/${sessionId}/transitions`).expect(200);
      expect(none).toEqual([]);
    });
  });

  it('are deleted with their data after the retention', async () => {
    const free = await createAppOwner(app, { plan: 'PRO' });
    const { sessionId } = await createSession(free, { externalUserId: 'm' });
    await track(free, { sessionId, goalType: 'purchase', goalValue: 1 });
    await free.sdk.post(`${SESSIONS}/transition`, { sessionId, toPlatform: 'IOS' }).expect(200);
    await app.sql(`UPDATE organizations SET plan = 'FREE' WHERE id = $1`, [free.organizationId]);
    const tables = ['funnel_sessions', 'goals', 'session_transitions', 'session_users', 'session_rollups'];
    const left = () =>
      Promise.all(
        tables.map(async (table) => {
          const [row] = await app.sql<{ n: number }>(
            `SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1`,
            [free.organizationId],
          );
          return row?.n;
        }),
      );
    app.clock.set('2027-02-19T08:31:59Z');
    await app.get(AttributionHousekeeping).deleteOld();
    // Rollups: for the app, and for all its sessions without a link.
    expect(await left()).toEqual([1, 1, 1, 1, 2]);
    app.clock.set('2027-02-20T08:32:01Z');
    await eventually(async () => expect(await app.get(AttributionHousekeeping).deleteOld()).toBe(true));
    expect(await left()).toEqual([0, 0, 0, 0, 2]);
  });
});
