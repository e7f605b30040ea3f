import { ADD_ONS, PERMISSIONS } from '../../src/access/caller';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { consoleApi, createOrganization, type OrganizationOverrides } from '../support/factories';
import { type AppOwner, createAppOwner, createSession, track } from '../support/journeys';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';

const ANALYTICS = '/api/v1/service/analytics';
const NOW = '2026-11-20T08:32:00Z';

describe('money in statistics', () => {
  const app = useTestApp();

  beforeEach(() => app.clock.set(NOW));

  /** An organization with a purchase through a campaign. */
  async function shop(overrides: OrganizationOverrides = {}): Promise<AppOwner & { campaignId: number }> {
    const own = await createAppOwner(app, { baseCurrency: 'EUR', ...overrides });
    const { id: campaignId } = await createCampaign(own);
    const { sessionId } = await createSession(own, { campaignId });
    await track(own, { sessionId, goalType: 'purchase', goalValue: 40 });
    return { ...own, campaignId };
  }

  const campaignStats = async ({ api, campaignId }: AppOwner & { campaignId: number }, query: object = {}) =>
    (await api.get(`${CAMPAIGNS}/${campaignId}/stats`, query).expect(200)).body;
  const analytics = async ({ api, appId }: AppOwner, path: string, query: object = {}) =>
    (await api.get(`${ANALYTICS}/${path}`, { appId, ...query }).expect(200)).body;

  describe('permission', () => {
    const without = <T>(all: readonly T[], one: T) => all.filter((each) => each !== one);

    it('shows revenueStats of a campaign with the add-on and revenue.view', async () => {
      const own = await shop();
      const { revenueStats } = await campaignStats(own);
      expect(revenueStats).toMatchObject({ totalRevenue: 40, currency: 'EUR', purchaseCount: 1 });
    });

    it.each([
      ['the add-on REVENUE_ANALYTICS', { addOns: without(ADD_ONS, 'REVENUE_ANALYTICS') }],
      ['the permission revenue.view', { permissions: without(PERMISSIONS, 'revenue.view') }],
      ['either', { addOns: ['USER_JOURNEY'], permissions: [] }],
    ] as [string, OrganizationOverrides][])('leaves revenueStats null without %s', async (_, overrides) => {
      const own = await shop(overrides);
      for (const query of [{}, { customId: 'anna' }]) {
        const body = await campaignStats(own, query);
        expect(body.revenueStats).toBeNull();
        expect(body).toMatchObject({ totalClicks: 0, campaign: { id: own.campaignId } });
      }
    });

    it('returns null revenueStats when the add-on has ended', async () => {
      const own = await shop();
      await consoleApi(app)
        .put(`/api/v1/console/organizations/${own.organizationId}/add-ons/REVENUE_ANALYTICS`, {
          activeUntil: '2026-11-20T09:00:00Z',
        })
        .expect(200);
      expect((await campaignStats(own)).revenueStats).not.toBeNull();
      app.clock.set('2026-11-20T09:00:00Z');
      expect((await campaignStats(own)).revenueStats).toBeNull();
    });

    it('counts goals without revenue.view, but returns null values', async () => {
      const own = await shop();
      expect((await analytics(own, 'conversions')).goalTypeBreakdown).toEqual([
        { goalType: 'purchase', count: 1, value: 40, percentage: 100 },
      ]);
      const poor = await shop({ permissions: without(PERMISSIONS, 'revenue.view') });
      expect((await analytics(poor, 'conversions')).goalTypeBreakdown).toEqual([
        { goalType: 'purchase', count: 1, value: null, percentage: 100 },
      ]);
    });
  });

  describe('currency', () => {
    it('is in responses of revenue, conversions, credits and billing', async () => {
      const own = await shop();
      for (const path of [
        'revenue',
        'conversions',
        'credits',
        'billing/usage',
        'billing/usage?period=2026-11-20',
      ]) {
        const { body } = await own.api.get(`${ANALYTICS}/${path}`, { appId: own.appId }).expect(200);
        expect(body).toMatchObject({ currency: 'EUR' });
      }
    });
  });

  describe('a goal without a currency', () => {
    const goals = async (own: AppOwner, more: Record<string, unknown> = {}) => {
      const { sessionId } = await createSession(own, more);
      await track(own, { sessionId, goalType: 'add_to_cart', goalValue: 7.5 });
      await track(own, { sessionId, goalType: 'addToCart', goalValue: '2.5', currency: 'EUR' });
      await track(own, { sessionId, goalType: 'add_to_cart', goalValue: 100, currency: 'USD' });
      await track(own, { sessionId, goalType: 'trial', goalValue: 3 });
    };

    it('counts in the base currency, whatever its type', async () => {
      const own = await shop();
      await goals(own);
      const { data } = await analytics(own, 'revenue');
      expect(data).toMatchObject({ totalRevenue: 40, cartValue: 10 });
      expect(data.revenueByGoalType).toEqual(
        expect.arrayContaining([
          { goalType: 'add_to_cart', currency: 'EUR', count: 1, revenue: 0, value: 7.5 },
          { goalType: 'add_to_cart', currency: 'USD', count: 1, revenue: 0, value: 100 },
          { goalType: 'trial', currency: 'EUR', count: 1, revenue: 0, value: 3 },
        ]),
      );
    });

    it('counts in the base currency when the Mobile SDK sends it', async () => {
      const own = await shop();
      await own.sdk
        .post('/api/v1/sdk/mobile/deeplink/funnel/track', {
          sessionId: 'first',
          stage: 'GOAL_COMPLETED',
          goalType: 'add_to_cart',
          goalValue: '12.5',
        })
        .expect(200);
      expect((await analytics(own, 'revenue')).data.cartValue).toBe(12.5);
    });

    it('counts once when repeated after a change of the base currency', async () => {
      const own = await shop();
      const { sessionId } = await createSession(own);
      const cart = { sessionId, goalType: 'add_to_cart', goalValue: 5, timestamp: '2026-11-20T08:00:00Z' };
      await track(own, cart);
      for (const goal of [
        { ...cart, currency: 'USD' },
        { ...cart, timestamp: '2026-11-20T08:00:01Z' },
      ]) {
        expect(await track(own, goal)).toMatchObject({ duplicated: false });
      }
      await consoleApi(app)
        .patch(`/api/v1/console/organizations/${own.organizationId}`, { baseCurrency: 'JPY' })
        .expect(200);
      expect(await track(own, cart)).toMatchObject({ recorded: false, duplicated: true });
      const [row] = await app.sql('SELECT count(*)::int AS goals FROM goals WHERE session_id = $1', [
        sessionId,
      ]);
      expect(row).toEqual({ goals: 3 });
    });

    it('keeps the currency of its time when the base currency changes', async () => {
      const own = await shop();
      await goals(own);
      await consoleApi(app)
        .patch(`/api/v1/console/organizations/${own.organizationId}`, { baseCurrency: 'USD' })
        .expect(200);
      const { currency, data } = await analytics(own, 'revenue');
      expect(currency).toBe('USD');
      expect(data).toMatchObject({ totalRevenue: 0, cartValue: 100 });
      expect(data.revenueByGoalType).toEqual(
        expect.arrayContaining([{ goalType: 'purchase', currency: 'EUR', count: 1, revenue: 40, value: 40 }]),
      );
    });
  });

  it('answers 404 for a link or campaign that the organization does not have', async () => {
    const own = await shop();
    const stranger = await createOrganization(app);
    const link = await createLink(stranger);
    const campaign = await createCampaign(stranger);
    const ask = (path: string, query: object) =>
      own.api.get(`${ANALYTICS}/${path}`, { appId: own.appId, ...query });
    for (const urlId of [link.id, 999_999]) {
      for (const [path, query] of [
        ['revenue', { urlId }],
        ['conversions', { resourceType: 'url', resourceId: urlId }],
      ] as const) {
        const { body } = await ask(path, query).expect(404);
        expect(body).toMatchObject({ code: 'NOT_FOUND', message: 'Link not found' });
      }
    }
    for (const campaignId of [campaign.id, 999_999]) {
      for (const [path, query] of [
        ['revenue', { campaignId }],
        ['conversions', { resourceType: 'campaign', resourceId: campaignId }],
      ] as const) {
        const { body } = await ask(path, query).expect(404);
        expect(body).toMatchObject({ code: 'NOT_FOUND', message: 'Campaign not found' });
      }
    }
  });

  it('includes a deleted campaign', async () => {
    const own = await shop();
    await own.api.delete(`${CAMPAIGNS}/${own.campaignId}`).expect(204);
    const { data } = await analytics(own, 'revenue', { campaignId: own.campaignId });
    expect(data.totalRevenue).toBe(40);
  });

  it('reports the last change of the time zone in every response by days', async () => {
    const own = await shop();
    expect(await analytics(own, 'revenue')).toMatchObject({ timeZone: 'UTC', timeZoneChangedAt: null });
    const path = `/api/v1/console/organizations/${own.organizationId}`;
    await consoleApi(app).patch(path, { timeZone: 'UTC', name: 'Shop' }).expect(200);
    expect(await analytics(own, 'revenue')).toMatchObject({ timeZoneChangedAt: null });
    const { body } = await consoleApi(app).patch(path, { timeZone: 'Asia/Seoul' }).expect(200);
    const changed = { timeZone: 'Asia/Seoul', timeZoneChangedAt: NOW };
    expect(body).toMatchObject(changed);
    app.clock.set('2026-11-21T08:32:00Z');
    await consoleApi(app).patch(path, { name: 'Shop 2' }).expect(200);
    const then = { compareStartDate: '2026-11-01', compareEndDate: '2026-11-02' };
    const revenue = await analytics(own, 'revenue', then);
    expect(revenue).toMatchObject({ ...changed, comparison: changed });
    for (const each of [
      'conversions',
      'conversions/top',
      'conversions/goals',
      'events',
      'dau',
      'wau',
      'billing/usage',
    ]) {
      expect(await analytics(own, each)).toMatchObject(changed);
    }
    for (const each of ['summary', 'daily', 'dashboard', 'transitions/trend']) {
      const { body: answer } = await own.sdk.get(`/api/v1/cross-platform/stats/${each}`).expect(200);
      expect(answer).toMatchObject(changed);
    }
  });
});
