import type { Page } from 'playwright-core';
import { PERMISSIONS } from '../../src/access/caller';
import { AnalyticsSchedule } from '../../src/modules/analytics/analytics-schedule';
import { openAppPage } from '../support/app-pages';
import { createCampaign } from '../support/campaigns';
import { CONSOLE, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { addApp, type AppOwner, createSession, SESSIONS, track } from '../support/journeys';
import { createLink } from '../support/links';

const DAY_MS = 86_400_000;

const money = (value: number) =>
  value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'EUR',
    trailingZeroDisplay: 'stripIfInteger',
  });

describe('journeys in the console', () => {
  const console = useTestConsole({ baseCurrency: 'EUR', timeZone: 'Europe/Berlin' });
  let own: AppOwner;
  let shop: AppOwner;
  /** The session with the longest path, of member-1. */
  let long: string;

  const get = async <T>(path: string, query: object): Promise<T> =>
    await console.platform.read<T>(`${own.consolePath}/${path}`, query);
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  beforeAll(async () => {
    const { app, organization } = console;
    own = { ...organization, ...(await addApp(app, organization, 'iOS')) };
    shop = { ...organization, ...(await addApp(app, organization, 'Web')) };
    const link = await createLink(own, { title: 'Spring sale <b>' });
    const campaign = await createCampaign(own);
    const now = Date.now();
    for (let daysAgo = 40; daysAgo >= 1; daysAgo -= 3) {
      app.clock.set(new Date(now - daysAgo * DAY_MS));
      await openAppPage(app, own, { trackedLinkId: link.id, appIds: [own.appId] });
      const { sessionId } = await createSession(own, { platform: 'IOS', campaignId: campaign.id });
      await track(own, { sessionId, stage: 'APP_OPENED' });
      await track(own, { sessionId, goalType: 'purchase', goalValue: 20 + daysAgo });
      const web = await createSession(own, { platform: 'WEB', urlId: link.id });
      const event = { sessionId: web.sessionId, eventType: 'view_item', eventData: { sku: 'a1' } };
      await own.sdk.post(`${SESSIONS}/event`, event).expect(200);
      if (daysAgo % 2 === 0) await track(own, { sessionId: web.sessionId, goalType: 'signup' });
    }
    app.clock.set(new Date(now - DAY_MS / 4));
    await app.get(AnalyticsSchedule).buildEventDays();
    long = await longSession(link.id);
    await createSession(shop, { platform: 'WEB' });
    app.clock.run();
  });

  /** A session with an entry of every kind. */
  async function longSession(urlId: number): Promise<string> {
    const { app } = console;
    const token = await openAppPage(app, own, { trackedLinkId: urlId, appIds: [own.appId], ip: '8.8.8.8' });
    const begun = { platform: 'IOS', token, externalUserId: 'member-1', referrer: 'https://news.example/' };
    const sessionId = await eventually(async () => {
      const { content } = await get<{ content: { sessionId: string; stages: string[] }[] }>('sessions', {});
      expect(content[0]?.stages).toEqual(['CLICKED']);
      return String(content[0]?.sessionId);
    });
    await own.sdk.post(`${SESSIONS}/create`, begun).expect(201);
    app.clock.advance(65_000);
    await track(own, { sessionId, stage: 'APP_INSTALLED' });
    await own.sdk.post(`${SESSIONS}/transition`, { sessionId, toPlatform: 'WEB' }).expect(200);
    app.clock.advance(240_000);
    const eventData = { sku: '<script>alert(1)</script>', note: 'x'.repeat(200) };
    await own.sdk.post(`${SESSIONS}/event`, { sessionId, eventType: 'add_to_cart', eventData }).expect(200);
    await track(own, { sessionId, goalType: 'purchase', goalValue: 42.5, transactionId: 'order-1' });
    return sessionId;
  }

  it('shows the funnel, goals, platforms and top conversions, which filter each other', async () => {
    const { page } = await console.open('/journeys');
    const query = { appId: own.appId };
    await choose(page, 'App', await appOption(page, own.appId));
    const { sessionStats, funnelStats } = await get<{
      sessionStats: { totalSessions: number };
      funnelStats: { stages: { stageName: string; sessionsReached: number }[] };
    }>('analytics/conversions', query);
    await page.getByText(String(sessionStats.totalSessions), { exact: true }).first().waitFor();
    await eventually(async () => {
      const stages = await section(page, 'Funnel').getByRole('listitem').allInnerTexts();
      expect(stages.map((text) => text.split('\n').filter(Boolean).slice(0, 2))).toEqual(
        funnelStats.stages.map(({ stageName, sessionsReached }) => [stageName, String(sessionsReached)]),
      );
    });
    await section(page, 'Goals by type')
      .getByRole('button', { name: /signup/ })
      .click();
    await section(page, 'Top conversions').getByText('Nothing in this range').waitFor();
    await section(page, 'Top conversions').getByText('Links', { exact: true }).click();
    await section(page, 'Top conversions')
      .getByRole('button', { name: /Spring sale/ })
      .click();
    await page.waitForURL(/source=url/);
    await section(page, 'Sessions by platform').getByRole('button', { name: /iOS/ }).waitFor();
    await section(page, 'Sessions by platform').getByRole('button', { name: /Web/ }).click();
    const filtered = await get<{ sessionStats: { totalSessions: number } }>('analytics/conversions', {
      ...query,
      platform: 'web',
      resourceType: 'url',
      resourceId: new URL(page.url()).searchParams.get('source')?.split(':')[1],
    });
    expect(filtered.sessionStats.totalSessions).toBeLessThan(sessionStats.totalSessions);
    await page.getByText(String(filtered.sessionStats.totalSessions), { exact: true }).first().waitFor();
  });

  it('shows all apps together at first, and the app that was chosen last', async () => {
    const sessionsOf = async (query: Record<string, unknown>) => {
      const { sessionStats } = await get<{ sessionStats: { totalSessions: number } }>(
        'analytics/conversions',
        query,
      );
      return String(sessionStats.totalSessions);
    };
    const [all, one] = [await sessionsOf({}), await sessionsOf({ appId: own.appId })];
    const { page } = await console.open('/journeys');
    const app = page.getByRole('combobox', { name: 'App', exact: true });
    const shown = (name: string, sessions: string) =>
      eventually(async () => {
        expect(await app.inputValue()).toBe(name);
        expect(await page.getByText(sessions, { exact: true }).count()).toBeGreaterThan(0);
      });
    await shown('All apps', all);
    const name = await appOption(page, own.appId);
    await choose(page, 'App', name);
    await shown(name, one);
    await page.goBack();
    await shown('All apps', all);
    await page.goto(`${CONSOLE}/journeys`);
    await shown(name, one);
    await page.getByRole('tab', { name: 'Revenue' }).click();
    await choose(page, 'App', 'All apps');
    await page.goto(`${CONSOLE}/journeys`);
    await shown('All apps', all);
    await page.evaluate("localStorage.setItem('waypost.journeys.app', '999999999')");
    await page.goto(`${CONSOLE}/journeys`);
    await shown('All apps', all);
  });

  /** What the choice of apps calls an app. */
  async function appOption(page: Page, appId: number): Promise<string> {
    const { appName, platform } = await get<{ appName: string; platform: string }>(
      `mobile-apps/${appId}`,
      {},
    );
    await page.getByRole('combobox', { name: 'App', exact: true }).waitFor();
    return `${appName} (${platform})`;
  }

  it('shows revenue beside that of the previous period, by day, platform and goal', async () => {
    const { page } = await console.open(`/journeys?tab=revenue&app=${own.appId}&range=7d`);
    await page.getByRole('button', { name: /Comparison/ }).click();
    await page.getByRole('menuitemradio', { name: 'Previous period' }).click();
    await page
      .getByText(/^Before: €/)
      .first()
      .waitFor();
    const { compare, range } = Object.fromEntries(new URL(page.url()).searchParams);
    expect([compare, range]).toEqual(['previous', '7d']);
    const day = (daysAgo: number) =>
      new Date(Date.now() - daysAgo * DAY_MS).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
    const { data } = await get<{ data: { totalRevenue: number } }>('analytics/revenue', {
      appId: own.appId,
      startDate: day(6),
      endDate: day(0),
    });
    expect(data.totalRevenue).toBeGreaterThan(0);
    await page.getByText(money(data.totalRevenue), { exact: true }).first().waitFor();
    await section(page, 'Revenue by platform (EUR)').getByRole('button', { name: /iOS/ }).waitFor();
    await section(page, 'Value by goal').getByRole('cell', { name: 'purchase' }).first().waitFor();
    expect(await section(page, 'Value by goal').count()).toBe(1);
    await section(page, 'Revenue by day (EUR)').getByText('Purchases', { exact: true }).click();
    await section(page, 'Purchases by day').waitFor();
  });

  it('shows visitors by day and week, and events', async () => {
    const { page } = await console.open('/journeys?tab=activity');
    await section(page, 'Visitors by day').getByText('Weekly', { exact: true }).click();
    await section(page, 'Visitors by week').waitFor();
    await section(page, 'Most frequent events').getByText('view_item').waitFor();
    const { summary } = await get<{ summary: { totalEvents: number } }>('analytics/events', {});
    expect(summary.totalEvents).toBeGreaterThan(5);
    await page.getByText(String(summary.totalEvents), { exact: true }).first().waitFor();
  });

  it('filters sessions, and leads to the path of one person', async () => {
    const { page } = await console.open('/journeys?tab=sessions');
    const rows = page.getByRole('table').getByRole('row');
    await choose(page, 'Conversion', 'Not converted');
    await page.waitForURL(/converted=false/);
    await rows.filter({ hasText: 'Converted' }).first().waitFor({ state: 'detached' });
    await choose(page, 'Conversion', 'Converted');
    await choose(page, 'Reached stage', 'App installed');
    await page.getByRole('searchbox', { name: 'Person' }).fill('nobody');
    await page.getByText('No session fits the filters.').waitFor();
    await page.getByRole('searchbox', { name: 'Person' }).fill('member-1');
    await page.getByText('1 row', { exact: true }).waitFor();
    await rows.nth(1).getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/journeys/${long}`));
    await page.getByRole('heading', { name: 'member-1', level: 1 }).waitFor();
    const path = section(page, 'Path');
    const entries = await path.getByRole('listitem').allInnerTexts();
    const { path: told } = await get<{ path: unknown[] }>(`sessions/${long}`, {});
    expect(entries).toHaveLength(told.length);
    for (const text of [
      'Clicked: Spring sale <b>',
      'Session began',
      'Moved to another platform',
      'App installed',
      'order-1',
      '€42.50',
      '4 min later',
    ]) {
      await path.getByText(text).first().waitFor();
    }
    const data = path.getByText('<script>alert(1)</script>');
    expect(await data.isVisible()).toBe(false);
    await path.getByRole('button', { name: 'Show 2 properties' }).click();
    await data.waitFor();
    await page.getByRole('link', { name: 'Sessions of this person' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
  });

  it('shows a long path in parts, and says when it was cut', async () => {
    const { sessionId } = await createSession(own);
    await console.app.sql(
      `INSERT INTO session_events (organization_id, app_id, session_id, event_type, received_at, day)
       SELECT $1, $2, $3, 'view ' || n, $4, $5 FROM generate_series(1, 1100) AS n`,
      [
        own.organizationId,
        own.appId,
        sessionId,
        console.app.clock.date(),
        console.app.clock.date().toISOString().slice(0, 10),
      ],
    );
    const { page } = await console.open(`/journeys/${sessionId}`);
    const entries = section(page, 'Path').getByRole('listitem');
    expect(await entries.count()).toBe(100);
    await page.getByRole('button', { name: 'Show all 1,000 entries' }).click();
    await page.getByText('the path ends after 1,000 entries').waitFor();
    expect(await entries.count()).toBe(1_000);
  });

  it('says what the API said of an app that is not its own', async () => {
    const { page } = await console.open('/journeys?app=999999999');
    await page.getByRole('alert').getByText('does not belong to this organization').waitFor();
  });

  it('says in place of figures which add-on is missing, and has no tab without a permission', async () => {
    const bare = await createOrganization(console.app, { addOns: [] });
    await addApp(console.app, bare, 'iOS');
    const { page } = await console.open('/journeys', { as: bare });
    for (const [tab, addOn] of [
      ['Conversions', 'REVENUE_ANALYTICS'],
      ['Revenue', 'REVENUE_ANALYTICS'],
      ['Visitors and events', 'USER_JOURNEY'],
      ['Sessions', 'USER_JOURNEY'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText(`The add-on ${addOn} is required`).waitFor();
    }
    const allowed = PERMISSIONS.filter((each) => each !== 'revenue.view');
    const clerk = await createOrganization(console.app, { permissions: allowed });
    await addApp(console.app, clerk, 'iOS');
    const other = await console.open('/journeys?tab=revenue', { as: clerk });
    await other.page.getByRole('tab', { name: 'Conversions', selected: true }).waitFor();
    expect(await other.page.getByRole('tab').allInnerTexts()).toEqual([
      'Conversions',
      'Visitors and events',
      'Sessions',
    ]);
    expect(other.complaints).toEqual([]);
  });

  it('says what to do first without an app', async () => {
    const empty = await createOrganization(console.app);
    const { page } = await console.open('/journeys', { as: empty });
    await page.getByText('No app yet').waitFor();
    await page.getByRole('link', { name: 'Go to the apps' }).click();
    await page.waitForURL(/\/apps$/);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    await console.inspect({
      [`/journeys?app=${own.appId}&compare=previous`]: 'ol li',
      [`/journeys?tab=revenue&app=${own.appId}&compare=previous`]: 'table',
      '/journeys?tab=activity': 'canvas',
      '/journeys?tab=sessions': 'table',
      [`/journeys/${long}`]: 'time',
    });
  });
});
