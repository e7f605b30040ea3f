import type { Page } from 'playwright-core';
import type { InstallStatisticsResponse as Installs } from '../../src/modules/sessions/installs/install-statistics.dto';
import { createCampaign } from '../support/campaigns';
import { useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { addApp, type AppOwner, createSession, track } from '../support/journeys';
import { codeOf, createLink } from '../support/links';
import { GALAXY, IPHONE, visit } from '../support/visits';

const DAY_MS = 86_400_000;
const KOREA = '168.126.63.1';
const AMERICA = '8.8.8.8';

describe('installs and revenue in the console', () => {
  const console = useTestConsole({ baseCurrency: 'KRW', timeZone: 'Asia/Seoul' });
  let ios: AppOwner;
  let android: AppOwner;
  let link: { id: number; shortUrl: string };
  let campaign: { id: number; alias: string };

  const get = async <T>(path: string, query: object = {}): Promise<T> =>
    await console.platform.read<T>(`${console.organization.consolePath}${path}`, query);

  /** A person who follows a link, installs the app and reports each stage, as the SDK does. */
  async function person(of: AppOwner, path: string, ip: string, stages: readonly object[]): Promise<void> {
    const isIos = of === ios;
    const opened = await visit(console.app, path, { ip, userAgent: isIos ? IPHONE : GALAXY }).expect(200);
    const [, token = ''] = /data-token="([^"]+)"/.exec(opened.text) ?? [];
    const { sessionId } = await createSession(of, {
      platform: isIos ? 'IOS' : 'ANDROID',
      sessionId: undefined,
      token,
    });
    for (const stage of stages) await track(of, { sessionId, ...stage });
  }

  beforeAll(async () => {
    const { app, organization } = console;
    ios = { ...organization, ...(await addApp(app, organization, 'iOS')) };
    android = { ...organization, ...(await addApp(app, organization, 'Android')) };
    const apps = { iosAppId: ios.appId, androidAppId: android.appId };
    link = await createLink(organization, {
      title: 'Get the app',
      url: 'https://shop.example.com/',
      ...apps,
    });
    campaign = await createCampaign(organization, { name: 'Launch', goalType: 'purchase', ...apps });
    const ofLink = `/${codeOf(link)}`;
    const ofCampaign = `/c/${campaign.alias}/poster`;
    const installed = [{ stage: 'APP_INSTALLED' }, { stage: 'APP_OPENED' }];
    const buys = (goalValue: number) => ({ goalType: 'purchase', goalValue });
    const now = Date.now();
    app.clock.set(new Date(now - 40 * DAY_MS));
    await person(ios, ofLink, KOREA, installed);
    app.clock.set(new Date(now - 2 * DAY_MS));
    await person(ios, ofLink, KOREA, [...installed, buys(39_000)]);
    await person(ios, ofLink, AMERICA, installed);
    await person(android, ofLink, KOREA, installed);
    app.clock.set(new Date(now - DAY_MS));
    await person(ios, ofLink, KOREA, []);
    await person(ios, ofCampaign, KOREA, [...installed, buys(12_000), buys(8_500)]);
    await person(android, ofCampaign, AMERICA, [...installed, { goalType: 'signup' }]);
    await person(android, ofCampaign, AMERICA, []);
    app.clock.run();
    await eventually(async () => {
      expect((await installsOf(`/mobile-apps/${ios.appId}/install-stats`, 90)).totalClicks).toBe(5);
      expect((await installsOf(`/mobile-apps/${android.appId}/install-stats`, 90)).totalClicks).toBe(3);
    });
  });

  const installsOf = (path: string, days: number) => {
    const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    return get<Installs>(path, { startDate: day(days - 1), endDate: day(0) });
  };
  const figure = (page: Page, label: string, value: string) =>
    page
      .locator('main')
      .getByText(`${label}${value}`)
      .or(
        page
          .locator('.mantine-Paper-root')
          .filter({ has: page.getByText(label, { exact: true }) })
          .getByText(value, { exact: true }),
      )
      .first()
      .waitFor();
  const rowsOf = async (page: Page, title: string): Promise<string[][]> => {
    const name = `Actions of ${title}`;
    await page.getByRole('button', { name }).click();
    await page.getByRole('menu', { name }).getByRole('menuitem', { name: 'Show as table' }).click();
    const rows = page.getByRole('table', { name: title }).locator('tbody tr');
    await rows.first().waitFor();
    return (await rows.allInnerTexts()).map((row) => row.split('\t').map((cell) => cell.trim()));
  };
  const dailyRows = ({ dailyInstalls }: Installs) =>
    dailyInstalls.map(({ date, iosInstalls, androidInstalls }) => [
      date,
      String(iosInstalls),
      String(androidInstalls),
    ]);
  const reached = ({ funnelStats }: Installs) =>
    funnelStats.stages.map(({ sessionsReached }) => String(sessionsReached));
  const counts = (rows: string[][]) => rows.map(([, count]) => count);

  it('shows the installs of an app beside those before, day by day, with countries and the funnel', async () => {
    const { page, complaints } = await console.open(`/apps/${ios.appId}?tab=installs`);
    const api = await installsOf(`/mobile-apps/${ios.appId}/install-stats`, 30);
    expect(api).toMatchObject({ totalInstalls: 3 });
    await figure(page, 'Installs', '3');
    await page.getByText('Before: 1', { exact: true }).first().waitFor();
    await figure(page, 'Clicks', String(api.totalClicks));
    const rows = await rowsOf(page, 'Installs over time');
    expect(rows).toEqual(dailyRows(api));
    expect(rows.filter(([, installs]) => installs !== '0').map(([, installs]) => installs)).toEqual([
      '2',
      '1',
    ]);
    const countries = page.getByRole('region', { name: 'Countries', exact: true });
    for (const [country, installs] of [
      ['South Korea', '2'],
      ['United States', '1'],
    ] as const)
      await countries
        .locator('li, div')
        .filter({ hasText: country })
        .getByText(installs, { exact: true })
        .first()
        .waitFor();
    expect(counts(await rowsOf(page, 'From click to goal'))).toEqual(reached(api));
    await page.getByText('Last 90 days').click();
    await figure(page, 'Installs', '4');
    expect(complaints).toEqual([]);
  });

  it('shows the installs and the revenue of a campaign on its page', async () => {
    const { page } = await console.open(`/campaigns/${campaign.id}?tab=installs`);
    const api = await installsOf(`/campaigns/${campaign.id}/app-install-stats`, 30);
    expect(api).toMatchObject({ totalInstalls: 2, totalClicks: 3 });
    await figure(page, 'Installs', '2');
    expect(counts(await rowsOf(page, 'Funnel'))).toEqual(reached(api));
    expect(await page.getByRole('table', { name: 'Newest installs' }).locator('tbody tr').count()).toBe(2);
    await page.getByRole('combobox', { name: 'Platform' }).click();
    await page.getByRole('option', { name: 'Android' }).click();
    await figure(page, 'Installs', '1');
    await page.getByRole('tab', { name: 'Revenue' }).click();
    const { revenueStats } = await get<{ revenueStats: Record<string, unknown> }>(
      `/campaigns/${campaign.id}/stats`,
    );
    expect(revenueStats).toMatchObject({ totalRevenue: 20_500, purchaseCount: 2, currency: 'KRW' });
    await figure(page, 'Revenue', '₩20,500');
    await figure(page, 'Purchases', '2');
    await figure(page, 'Average order', '₩10,250');
    const days = await rowsOf(page, 'Revenue over time (KRW)');
    expect(days.filter(([, revenue]) => revenue !== '0').map(([, revenue]) => revenue)).toEqual(['20,500']);
    const goals = page.getByRole('table', { name: 'Goals' });
    await goals.getByRole('row', { name: /purchase\s+2\s+₩20,500/ }).waitFor();
  });
});
