import { ADD_ONS, PERMISSIONS } from '../../src/access/caller';
import { openAppPage } from '../support/app-pages';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization, type OrganizationOverrides } from '../support/factories';
import { type AppOwner, createAppOwner, createSession, track } from '../support/journeys';
import { createLink } from '../support/links';
import { type JourneyOrganization, RandomJourneys } from '../support/random-journeys';
import { useTestApp } from '../support/test-app';

const ANALYTICS = '/api/v1/service/analytics';
const NOW = '2026-11-20T08:32:00Z';
const ALL_TIME = { groupBy: 'link', allTime: true };

interface Answer {
  showsConversions: boolean;
  showsRevenue: boolean;
  groups: {
    key: string;
    conversions: number | null;
    revenue: number | null;
    otherRevenue: { currency: string; revenue: number }[] | null;
  }[];
}

const app = useTestApp();

describe('conversions by dimension', () => {
  const ask = (by: Pick<AppOwner, 'api'>, query: object) =>
    by.api.get(`${ANALYTICS}/conversions/groups?${parameters(query).toString()}`);
  const parameters = (query: object) =>
    new URLSearchParams(
      Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
        [value].flat().map((each): [string, string] => [name, String(each)]),
      ),
    );
  const groups = async (by: Pick<AppOwner, 'api'>, query: object) =>
    ((await ask(by, query).expect(200)).body as Answer).groups;
  const counts = async (by: Pick<AppOwner, 'api'>, query: object) =>
    Object.fromEntries((await groups(by, query)).map(({ key, conversions }) => [key, conversions]));

  it('are those of the statistics of each link and campaign', async () => {
    const { organizations } = await RandomJourneys.make(app, 60);
    app.clock.set('2030-04-10T09:00:00Z');
    let revenue = 0;
    for (const organization of organizations) {
      for (const range of [
        { startDate: '2030-03-25', endDate: '2030-04-02' },
        { startDate: '2029-06-01', endDate: '2030-04-10' },
      ]) {
        for (const kind of ['link', 'campaign'] as const) {
          const expected = await statisticsOf(organization, kind, range);
          revenue += expected.reduce((sum, each) => sum + (each.revenue ?? 0), 0);
          expect(byKey(await groups(organization, { groupBy: kind, ...range }))).toEqual(expected);
          // With a filter, they are read from the goals.
          const none = kind === 'link' ? { campaign: '(none)' } : { link: '(none)' };
          const filtered = { groupBy: kind, ...range, ...none };
          expect(byKey(await groups(organization, filtered))).toEqual(expected);
          const [, first] = organization.targets.filter((each) => each.kind === kind);
          const id = String(first?.id);
          for (const query of [
            { groupBy: kind, ...range, id },
            { ...filtered, id },
          ])
            expect(await groups(organization, query)).toEqual(expected.filter(({ key }) => key === id));
        }
      }
      const whole = { startDate: '2029-06-01', endDate: '2030-04-10' };
      expect(await groups(organization, ALL_TIME)).toEqual(
        await groups(organization, { groupBy: 'link', ...whole }),
      );
    }
    expect(revenue).toBeGreaterThan(1_000);
  });

  /** What the statistics of single links and campaigns say. */
  async function statisticsOf(
    { organizationId, targets }: JourneyOrganization,
    kind: 'link' | 'campaign',
    range: object,
  ): Promise<Answer['groups']> {
    const of = async (path: string, query: object) =>
      (
        await consoleApi(app)
          .get(`/api/v1/console/organizations/${organizationId}/analytics/${path}`, { ...range, ...query })
          .expect(200)
      ).body;
    const found: Answer['groups'] = [];
    const type = kind === 'link' ? 'url' : 'campaign';
    const { items } = await of('conversions/top', { resourceType: type, limit: 50 });
    for (const { id } of targets.filter((each) => each.kind === kind)) {
      const { data, currency } = await of('revenue', { [`${type}Id`]: id });
      const item = items.find((each: { id: number }) => each.id === id);
      if (!item) continue;
      const others = data.revenueByGoalType.filter(
        (each: { goalType: string; currency: string }) =>
          each.goalType === 'purchase' && each.currency !== currency,
      );
      found.push({
        key: String(id),
        conversions: item.conversions,
        revenue: data.totalRevenue,
        otherRevenue: others.map((each: { currency: string; revenue: number }) => ({
          currency: each.currency,
          revenue: each.revenue,
        })),
      });
    }
    return byKey(found);
  }

  const byKey = (all: Answer['groups']) =>
    [...all]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((group) => ({
        ...group,
        otherRevenue: [...(group.otherRevenue ?? [])].sort((a, b) => (a.currency < b.currency ? -1 : 1)),
      }));

  it('are those of the click that began the session, else of what its app reported', async () => {
    app.clock.set(NOW);
    const own = await createAppOwner(app, { baseCurrency: 'EUR' });
    const link = await createLink(own, { tags: ['Autumn'] });
    await openAppPage(app, own, { trackedLinkId: link.id, appIds: [own.appId], ip: '8.8.8.8' });
    const sessionId = await eventually(async () => {
      const [row] = await app.sql<{ id: string }>(
        'SELECT id FROM funnel_sessions WHERE organization_id = $1',
        [own.organizationId],
      );
      expect(row).toBeDefined();
      return row?.id ?? '';
    });
    await track(own, { sessionId, goalType: 'purchase', goalValue: 40 });
    await track(own, { sessionId, goalType: 'purchase_USD', goalValue: 7 });
    const { id: campaignId } = await createCampaign(own, { tags: ['Mail'] });
    const reported = await createSession(own, { campaignId, utmSource: 'mail', utmMedium: 'email' });
    await track(own, { sessionId: reported.sessionId, goalType: 'signup', goalValue: 3 });
    const direct = await createSession(own, { utmSource: 'mail' });
    await track(own, { sessionId: direct.sessionId, goalType: 'signup' });
    expect(await groups(own, { groupBy: 'link' })).toEqual([
      {
        key: String(link.id),
        conversions: 2,
        revenue: 40,
        otherRevenue: [{ currency: 'USD', revenue: 7 }],
      },
    ]);
    expect(await counts(own, { groupBy: 'os' })).toEqual({ iOS: 2, Unknown: 1 });
    expect(await counts(own, { groupBy: 'country' })).toEqual({ US: 2, Unknown: 1 });
    expect(await counts(own, { groupBy: 'tag' })).toEqual({ autumn: 2, mail: 1 });
    expect(await counts(own, { groupBy: 'campaign', tag: 'mail' })).toEqual({ [String(campaignId)]: 1 });
    expect(await counts(own, { groupBy: 'app' })).toEqual({ [String(own.appId)]: 3 });
    expect(await counts(own, { groupBy: 'utmSource' })).toEqual({ '(none)': 2, mail: 1 });
    expect(await counts(own, { groupBy: 'utmMedium', utmSource: 'mail' })).toEqual({ email: 1 });
    expect(await counts(own, { groupBy: 'campaign', country: '!US' })).toEqual({ [String(campaignId)]: 1 });
    const [domain] = await groups(own, { groupBy: 'domain' });
    const { body } = await own.api.get(`${ANALYTICS}/clicks?groupBy=domain`).expect(200);
    expect(domain).toMatchObject({ key: body.groups[0].key, conversions: 3 });
  });

  describe('permission', () => {
    const without = <T>(all: readonly T[], one: T) => all.filter((each) => each !== one);
    const money = { revenue: 40, otherRevenue: [] };
    const none = { revenue: null, otherRevenue: null };

    it.each([
      ['all', {}, { conversions: 1, ...money }],
      ['no revenue.view', { permissions: without(PERMISSIONS, 'revenue.view') }, { conversions: 1, ...none }],
      [
        'no conversion.view',
        { permissions: without(PERMISSIONS, 'conversion.view') },
        { conversions: null, ...money },
      ],
      ['neither', { permissions: [] }, null],
      ['no add-on', { addOns: without(ADD_ONS, 'REVENUE_ANALYTICS') }, null],
    ] as [string, OrganizationOverrides, object | null][])('%s', async (_, overrides, shown) => {
      app.clock.set(NOW);
      const own = await createAppOwner(app, { baseCurrency: 'EUR', ...overrides });
      const link = await createLink(own);
      const { sessionId } = await createSession(own, { urlId: link.id });
      await track(own, { sessionId, goalType: 'purchase', goalValue: 40 });
      const { body } = await ask(own, ALL_TIME).expect(200);
      expect(body.groups).toEqual(shown === null ? [] : [{ key: String(link.id), ...shown }]);
      expect(body).toMatchObject({
        startDate: null,
        showsConversions: shown !== null && 'conversions' in shown && shown.conversions !== null,
        showsRevenue: shown !== null && 'revenue' in shown && shown.revenue !== null,
      });
    });
  });

  it('refuses ids of another organization, too many, and what does not go together', async () => {
    app.clock.set(NOW);
    const own = await createAppOwner(app);
    const link = await createLink(own);
    const foreign = await createLink(await createOrganization(app));
    const field = (name: string) => ({ details: [expect.objectContaining({ field: name })] });
    const missing = await ask(own, { ...ALL_TIME, id: [link.id, foreign.id] }).expect(404);
    expect(missing.body).toMatchObject({ code: 'NOT_FOUND', ...field('id') });
    const links = [];
    for (let made = 0; made < 100; made++) links.push((await createLink(own)).id);
    expect(await groups(own, { ...ALL_TIME, id: links })).toEqual([]);
    for (const [query, name] of [
      [{}, 'groupBy'],
      [{ ...ALL_TIME, id: [...links, link.id] }, 'id'],
      [{ groupBy: 'country', id: link.id }, 'id'],
      [{ groupBy: 'country', allTime: true }, 'allTime'],
      [{ ...ALL_TIME, startDate: '2026-11-01' }, 'allTime'],
      [{ ...ALL_TIME, country: 'KR' }, 'allTime'],
    ] as const) {
      const { body } = await ask(own, query).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', ...field(name) });
    }
  });
});

describe('money in statistics', () => {
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
        .put(`${own.consolePath}/add-ons/REVENUE_ANALYTICS`, {
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
      await consoleApi(app).patch(own.consolePath, { baseCurrency: 'JPY' }).expect(200);
      expect(await track(own, cart)).toMatchObject({ recorded: false, duplicated: true });
      const [row] = await app.sql('SELECT count(*)::int AS goals FROM goals WHERE session_id = $1', [
        sessionId,
      ]);
      expect(row).toEqual({ goals: 3 });
    });

    it('keeps the currency of its time when the base currency changes', async () => {
      const own = await shop();
      await goals(own);
      await consoleApi(app).patch(own.consolePath, { baseCurrency: 'USD' }).expect(200);
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
    const path = own.consolePath;
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
