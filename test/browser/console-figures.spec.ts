import type { Page } from 'playwright-core';
import { createCampaign } from '../support/campaigns';
import { goTo, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { addApp, type AppOwner, createSession, track } from '../support/journeys';
import { codeOf, createLink } from '../support/links';
import { CHROME, GALAXY, IPHONE, visit } from '../support/visits';

const DAY_MS = 86_400_000;
const ZONE = 'Asia/Seoul';
const ZONE_MS = 9 * 3_600_000;

/** Pages of the console that show the same figure show the same number. */
describe('figures that stand on two pages of the console', () => {
  const console = useTestConsole({ baseCurrency: 'KRW', timeZone: ZONE });
  let link: { id: number; shortUrl: string };
  let campaign: { id: number; alias: string };
  let android: AppOwner;
  let page: Page;

  /** An hour of a day of the organization. */
  const at = (daysAgo: number, hour: number): Date => {
    const today = Math.floor((Date.now() + ZONE_MS) / DAY_MS) * DAY_MS - ZONE_MS;
    return new Date(today - daysAgo * DAY_MS + hour * 3_600_000);
  };

  async function person(path: string, userAgent: string, goals: readonly object[] | null): Promise<void> {
    const ip = '168.126.63.1';
    if (goals === null) {
      await visit(console.app, path, { ip, userAgent: CHROME }).expect(302);
      return;
    }
    const opened = await visit(console.app, path, { ip, userAgent }).expect(200);
    const [, token = ''] = /data-token="([^"]+)"/.exec(opened.text) ?? [];
    const { sessionId } = await createSession(android, { platform: 'ANDROID', sessionId: undefined, token });
    for (const goal of [{ stage: 'APP_INSTALLED' }, { stage: 'APP_OPENED' }, ...goals])
      await track(android, { sessionId, ...goal });
  }

  beforeAll(async () => {
    const { app, organization } = console;
    android = { ...organization, ...(await addApp(app, organization, 'Android')) };
    const ios = await addApp(app, organization, 'iOS');
    const apps = { iosAppId: ios.appId, androidAppId: android.appId };
    link = await createLink(organization, { title: 'Shop', url: 'https://shop.example.com/', ...apps });
    campaign = await createCampaign(organization, { name: 'Spring', ...apps });
    const [ofLink, ofCampaign] = [`/${codeOf(link)}`, `/c/${campaign.alias}/poster`];
    // On both sides of the midnight at which the range begins, in the organization's time zone and in UTC.
    for (const [daysAgo, hour] of [
      [7, 10],
      [7, 23.5],
      [6, 0.5],
      [6, 8.5],
      [6, 9.5],
      [2, 12],
    ] as const) {
      app.clock.set(at(daysAgo, hour));
      await person(ofLink, GALAXY, [{ goalType: 'purchase', goalValue: 10_000 + hour }]);
      await person(ofCampaign, GALAXY, [{ goalType: 'signup' }, { goalType: 'purchase', goalValue: 500 }]);
      await person(ofCampaign, CHROME, null);
      await visit(app, ofLink, { userAgent: IPHONE }).expect(200);
    }
    app.clock.run();
    for (const path of [`/urls/${link.id}`, `/campaigns/${campaign.id}`])
      await eventually(async () =>
        expect(await console.platform.read(`${organization.consolePath}${path}`)).toMatchObject({
          clickCount: 12,
        }),
      );
  });
  beforeEach(async () => {
    ({ page } = await console.open('/domains'));
  });

  type Reader = (page: Page) => Promise<string>;
  /** The value of a card. */
  const card =
    (label: string): Reader =>
    (page) =>
      page
        .locator('.mantine-Paper-root')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('.numbers')
        .first()
        .innerText();
  /** The value of a column in the row of a list. */
  const cell =
    (row: string, column: string): Reader =>
    async (page) => {
      const headers = await page.getByRole('columnheader').allInnerTexts();
      const index = headers.findIndex((header) => header.trim() === column);
      return page.getByRole('row').filter({ hasText: row }).getByRole('cell').nth(index).innerText();
    };
  /** The count of a stage of the funnel. */
  const stage =
    (name: string): Reader =>
    (page) =>
      page
        .getByRole('region', { name: /^(Funnel|From click to goal)$/ })
        .getByRole('listitem')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('p')
        .nth(1)
        .innerText();

  async function figure(path: string, read: Reader): Promise<number> {
    await goTo(page, path);
    const text = await read(page);
    return Number(/[\d,.]+/.exec(text)?.[0].replaceAll(',', ''));
  }

  it('clicks of a range', async () => {
    const all = await figure('/?tab=statistics&range=7d', card('Clicks'));
    expect(all).toBe(16);
    const ofLink = await figure(`/links/${link.id}?range=7d`, card('Clicks'));
    const ofCampaign = await figure(`/campaigns/${campaign.id}?range=7d`, card('Clicks'));
    expect(ofLink + ofCampaign).toBe(all);
    expect(await figure('/journeys?tab=activity&range=7d', card('Clicks'))).toBe(all);
    expect(await figure(`/?tab=statistics&range=7d&filters=link%3D${link.id}`, card('Clicks'))).toBe(ofLink);
  });

  it('clicks of all time', async () => {
    const all = await figure('/', card('Clicks, last 30 days'));
    expect(await figure('/?tab=statistics&range=30d', card('Clicks'))).toBe(all);
    for (const [list, row, page] of [
      ['/links', 'Shop', `/links/${link.id}`],
      ['/campaigns', 'Spring', `/campaigns/${campaign.id}`],
    ] as const)
      expect(await figure(list, cell(row, 'Clicks'))).toBe(await figure(`${page}?range=30d`, card('Clicks')));
  });

  it('revenue', async () => {
    const revenue = (source: string) =>
      figure(`/journeys?tab=revenue&range=7d&source=${source}`, card('Revenue'));
    const ofCampaign = await figure(`/campaigns/${campaign.id}?tab=revenue&range=7d`, card('Revenue'));
    expect(ofCampaign).toBe(4 * 500);
    expect(await revenue(`campaign:${campaign.id}`)).toBe(ofCampaign);
    expect(await revenue('')).toBe((await revenue(`url:${link.id}`)) + ofCampaign);
  });

  it('installs and stages', async () => {
    const ofApp = `/apps/${android.appId}?tab=installs&days=30`;
    const ofLink = `/links/${link.id}?range=30d`;
    const ofCampaign = `/campaigns/${campaign.id}?tab=installs&range=30d`;
    const installs = await figure(ofApp, card('Installs'));
    expect(installs).toBe(12);
    expect((await figure(ofLink, card('Installs'))) + (await figure(ofCampaign, card('Installs')))).toBe(
      installs,
    );
    const onAndroid = encodeURIComponent(`app=${android.appId}&os=Android`);
    const clicks = await figure(ofApp, card('Clicks'));
    expect(await figure(`/?tab=statistics&range=30d&filters=${onAndroid}`, card('Clicks'))).toBe(clicks);
    expect(await figure(ofApp, stage('Clicked'))).toBe(clicks);
    const journeys = `/journeys?app=${android.appId}&range=30d`;
    for (const name of ['Clicked', 'App installed', 'App opened', 'Goal completed'])
      expect([name, await figure(journeys, stage(name))]).toEqual([name, await figure(ofApp, stage(name))]);
    expect(await figure(`${ofCampaign}&platform=Android`, stage('App installed'))).toBe(
      await figure(`${journeys}&source=campaign:${campaign.id}`, stage('App installed')),
    );
  });
});
