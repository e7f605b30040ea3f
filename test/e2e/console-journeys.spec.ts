import { PERMISSIONS } from '../../src/access/caller';
import { openAppPage } from '../support/app-pages';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { type TestOrganization, userOf } from '../support/factories';
import { addApp, createAppOwner, createSession, SESSIONS, track } from '../support/journeys';
import { createLink } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';

describe('console: sessions', () => {
  const app = useTestApp({ at: NOW });

  const pathOf = ({ organizationId }: TestOrganization) =>
    `/api/v1/console/organizations/${organizationId}/sessions`;
  const own = perTest(() => createAppOwner(app, { baseCurrency: 'EUR' }));
  const path = () => pathOf(own);
  const editor = perTest(() => userOf(app, own, 'EDITOR'));

  const list = async (query: object = {}, at = path()) =>
    await editor.read<{
      content: Record<string, unknown>[];
      totalElements: number;
    }>(at, query);
  const idsOf = async (query: object = {}) => (await list(query)).content.map(({ sessionId }) => sessionId);
  const get = (id: unknown, by = editor) =>
    by.read<
      Record<string, unknown> & {
        path: Record<string, unknown>[];
      }
    >(`${path()}/${String(id)}`);

  /** The session of the only click, once that is counted. */
  const begunByClick = () =>
    eventually(async () => {
      const [id] = await idsOf();
      expect(id).toBeDefined();
      return String(id);
    });

  describe('list', () => {
    it('shows sessions of all apps, newest first, with names, goals and revenue', async () => {
      const link = await createLink(own, { title: 'Spring sale' });
      const first = await createSession(own, { urlId: link.id, externalUserId: 'member-1', platform: 'IOS' });
      app.clock.advance(60_000);
      const { sessionId } = first;
      await track(own, { sessionId, stage: 'APP_INSTALLED' });
      await track(own, { sessionId, goalType: 'purchase', goalValue: 40.5 });
      await track(own, { sessionId, goalType: 'purchase_USD', goalValue: 7 });
      await track(own, { sessionId, goalType: 'signup', goalValue: 3 });
      const campaign = await createCampaign(own);
      const another = { ...own, ...(await addApp(app, own, 'Web')) };
      const second = await createSession(another, { campaignId: campaign.id });
      const { content, totalElements } = await list();
      expect(totalElements).toBe(2);
      expect(content.map((each) => each.sessionId)).toEqual([second.sessionId, sessionId]);
      expect(content[1]).toEqual({
        sessionId,
        appId: own.appId,
        appName: expect.any(String),
        platform: 'IOS',
        firstPlatform: 'IOS',
        externalUserId: 'member-1',
        urlId: link.id,
        campaignId: null,
        linkName: 'Spring sale',
        deviceInfo: null,
        ...{ utmSource: null, utmMedium: null, utmTerm: null, utmContent: null },
        ...{ referrer: null, landingUrl: null, country: null },
        startedAt: NOW,
        lastActivityAt: '2026-11-20T08:33:00Z',
        stages: ['APP_INSTALLED', 'GOAL_COMPLETED'],
        currentStage: 'GOAL_COMPLETED',
        converted: true,
        goals: 3,
        purchases: 2,
        revenue: 40.5,
        events: 0,
        installedAt: '2026-11-20T08:33:00Z',
      });
      expect(content[0]).toMatchObject({
        appId: another.appId,
        campaignId: campaign.id,
        linkName: campaign.name,
        currentStage: null,
        goals: 0,
        revenue: 0,
        installedAt: null,
      });
    });

    it('filters', async () => {
      const link = await createLink(own);
      const campaign = await createCampaign(own);
      const another = { ...own, ...(await addApp(app, own, 'Web')) };
      const byLink = await createSession(own, { urlId: link.id, externalUserId: 'member-1' });
      const byCampaign = await createSession(another, { campaignId: campaign.id, platform: 'IOS' });
      await track(own, { sessionId: byLink.sessionId, goalType: 'signup' });
      await track(another, { sessionId: byCampaign.sessionId, stage: 'CONTENT_VIEWED' });
      for (const [query, expected] of [
        [{ appId: own.appId }, byLink],
        [{ appId: another.appId }, byCampaign],
        [{ platform: 'IOS' }, byCampaign],
        [{ externalUserId: 'member-1' }, byLink],
        [{ stage: 'CONTENT_VIEWED' }, byCampaign],
        [{ stage: 'GOAL_COMPLETED' }, byLink],
        [{ converted: true }, byLink],
        [{ converted: false }, byCampaign],
        [{ urlId: link.id }, byLink],
        [{ campaignId: campaign.id }, byCampaign],
        [{ urlId: link.id, appId: another.appId }, null],
        [{ stage: 'STORE_VISITED' }, null],
        [{ startDate: '2026-11-01', endDate: '2026-11-19' }, null],
      ] as const) {
        expect([query, await idsOf(query)]).toEqual([query, expected ? [expected.sessionId] : []]);
      }
      expect(await idsOf({ startDate: '2026-11-20' })).toHaveLength(2);
      expect(await idsOf({ appId: 999_999_999 })).toEqual([]);
    });

    it("takes days in the organization's time zone", async () => {
      const korean = await createAppOwner(app, { timeZone: 'Asia/Seoul' });
      app.clock.set('2026-11-20T15:30:00Z');
      await createSession(korean);
      const by = await userOf(app, korean, 'EDITOR');
      const totals = await Promise.all(
        ['2026-11-20', '2026-11-21'].map(
          async (day) => (await by.get(pathOf(korean), { startDate: day, endDate: day })).body.totalElements,
        ),
      );
      expect(totals).toEqual([0, 1]);
    });

    it('is paged', async () => {
      const made: string[] = [];
      for (let i = 0; i < 5; i++) {
        app.clock.advance(1_000);
        made.unshift((await createSession(own)).sessionId);
      }
      expect(await idsOf({ size: 2 })).toEqual(made.slice(0, 2));
      expect(await idsOf({ size: 2, page: 2 })).toEqual(made.slice(4));
      expect(await list({ size: 2, page: 1 })).toMatchObject({
        totalElements: 5,
        totalPages: 3,
        first: false,
        last: false,
      });
    });

    it.each([
      [{ urlId: 1, campaignId: 1 }, 'urlId'],
      [{ nothing: 1 }, 'nothing'],
    ])('refuses %j', async (query, field) => {
      const { body } = await editor.get(path(), query).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    });

    it('refuses a range that ends before it starts', async () => {
      const { body } = await editor.get(path(), { startDate: '2026-11-20', endDate: '2026-11-19' });
      expect(body).toMatchObject({ status: 400, code: 'INVALID_DATE_RANGE' });
    });
  });

  describe('path', () => {
    it('shows what happened in the order of time, from the click on', async () => {
      const link = await createLink(own, { title: 'Spring sale', goalType: 'signup' });
      const token = await openAppPage(app, own, {
        trackedLinkId: link.id,
        appIds: [own.appId],
        ip: '8.8.8.8',
      });
      const sessionId = await begunByClick();
      app.clock.advance(60_000);
      const begun = { platform: 'IOS', token, externalUserId: 'member-1' };
      expect((await own.sdk.post(`${SESSIONS}/create`, begun).expect(201)).body.sessionId).toBe(sessionId);
      await track(own, { sessionId, stage: 'APP_INSTALLED' });
      app.clock.advance(60_000);
      await own.sdk.post(`${SESSIONS}/transition`, { sessionId, toPlatform: 'WEB' }).expect(200);
      app.clock.advance(60_000);
      const event = { sessionId, eventType: 'add_to_cart', eventData: { amount: 5, sku: 'a1' } };
      await own.sdk.post(`${SESSIONS}/event`, event).expect(200);
      app.clock.advance(60_000);
      const goal = { goalType: 'purchase', goalValue: 42.5, transactionId: 'order-1' };
      await track(own, { sessionId, ...goal });
      const body = await get(sessionId);
      const [listed] = (await list()).content;
      expect(body).toMatchObject({ ...listed, goalType: 'signup', truncated: false, customId: null });
      expect(body.click).toMatchObject({ clickedAt: NOW, urlId: link.id, country: 'US', os: 'iOS' });
      expect(body.install).toMatchObject({ platform: 'iOS', installedAt: '2026-11-20T08:33:00Z' });
      expect(body.reachedStages).toEqual([
        { stage: 'CLICKED', reachedAt: NOW },
        { stage: 'APP_INSTALLED', reachedAt: '2026-11-20T08:33:00Z' },
        { stage: 'GOAL_COMPLETED', reachedAt: '2026-11-20T08:36:00Z' },
      ]);
      const shown = body.path.map((entry) =>
        Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)),
      );
      expect(shown).toEqual([
        { kind: 'CLICK', at: NOW },
        { kind: 'START', at: NOW, platform: 'IOS' },
        { kind: 'STAGE', at: NOW, stage: 'CLICKED' },
        { kind: 'STAGE', at: '2026-11-20T08:33:00Z', stage: 'APP_INSTALLED' },
        { kind: 'INSTALL', at: '2026-11-20T08:33:00Z' },
        { kind: 'TRANSITION', at: '2026-11-20T08:34:00Z', fromPlatform: 'IOS', platform: 'WEB' },
        {
          kind: 'EVENT',
          at: '2026-11-20T08:35:00Z',
          eventType: 'add_to_cart',
          eventData: { amount: 5, sku: 'a1' },
        },
        { kind: 'STAGE', at: '2026-11-20T08:36:00Z', stage: 'GOAL_COMPLETED' },
        {
          kind: 'GOAL',
          at: '2026-11-20T08:36:00Z',
          platform: 'WEB',
          goalType: 'purchase',
          value: 42.5,
          currency: 'EUR',
          transactionId: 'order-1',
        },
      ]);
    });

    it('has at most 1,000 entries, and says when there are more', async () => {
      const { sessionId } = await createSession(own);
      const fill = (from: number, to: number) =>
        app.sql(
          `INSERT INTO session_events (organization_id, app_id, session_id, event_type, received_at, day)
           SELECT $1, $2, $3, 'view ' || n, $4, '2026-11-20' FROM generate_series($5::integer, $6) AS n`,
          [own.organizationId, own.appId, sessionId, app.clock.date(), from, to],
        );
      await fill(1, 999);
      const whole = await get(sessionId);
      expect([whole.path.length, whole.truncated]).toEqual([1_000, false]);
      await fill(1_000, 1_500);
      const cut = await get(sessionId);
      expect([cut.path.length, cut.truncated]).toEqual([1_000, true]);
      expect(cut.path).toEqual(whole.path);
    });

    it('knows neither the person nor the click after a withdrawal', async () => {
      const link = await createLink(own);
      await openAppPage(app, own, { trackedLinkId: link.id, appIds: [own.appId] });
      const sessionId = await begunByClick();
      const member = { externalUserId: 'member-1' };
      await own.sdk.post('/api/v1/cross-platform/identify', member).expect(200);
      await own.sdk.post(`${SESSIONS}/${sessionId}/link-user`, member).expect(200);
      expect((await get(sessionId)).click).not.toBeNull();
      await own.sdk.post('/api/v1/cross-platform/withdraw', member).expect(200);
      expect(await get(sessionId)).toMatchObject({ externalUserId: null, click: null });
    });

    it('refuses what is not a UUID, and does not find others', async () => {
      const { body } = await editor.get(`${path()}/visit-1`).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'sessionId' }] });
      await editor.get(`${path()}/019a9f1e-6f0c-7c52-9d5e-3c1f0a2b4d6e`).expect(404);
    });
  });

  describe('access', () => {
    it("does not show another organization's sessions", async () => {
      const other = await createAppOwner(app);
      const { sessionId } = await createSession(other);
      await createSession(own);
      expect(await idsOf()).not.toContain(sessionId);
      expect(await idsOf({ appId: other.appId })).toEqual([]);
      await editor.get(`${path()}/${sessionId}`).expect(404);
      await editor.get(pathOf(other)).expect(404);
    });

    it('shows no amounts without the permission revenue.view', async () => {
      const poor = await userOf(
        app,
        own,
        'EDITOR',
        PERMISSIONS.filter((each) => each !== 'revenue.view'),
      );
      const { sessionId } = await createSession(own);
      await track(own, { sessionId, goalType: 'purchase', goalValue: 40 });
      const event = { sessionId, eventType: 'add_to_cart', eventData: { amount: 5, sku: 'a1' } };
      await own.sdk.post(`${SESSIONS}/event`, event).expect(200);
      const body = await get(sessionId, poor);
      expect(body).toMatchObject({ goals: 1, purchases: 1, revenue: null });
      expect(body.path.find(({ kind }) => kind === 'GOAL')).toMatchObject({
        goalType: 'purchase',
        value: null,
      });
      expect(body.path.find(({ kind }) => kind === 'EVENT')).toMatchObject({ eventData: { sku: 'a1' } });
      expect((await poor.get(path()).expect(200)).body.content[0]).toMatchObject({ goals: 1, revenue: null });
    });
  });
});
