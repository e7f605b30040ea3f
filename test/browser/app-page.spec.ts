import type { Page } from 'playwright-core';
import { PLAY_STORE, registerApp } from '../support/apps';
import { arrival, screenshot, stopClock, useTestBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';

const STORE = 'https://apps.apple.com/app/id1234567890';
const DESTINATION = 'https://shop.example.com/spring';
const CLICKED_AND_STORE_VISITED = 3;

describe('the app page in a browser', () => {
  const app = useTestApp();
  let iosAppId: number;
  let iosPath: string;
  let androidAppId: number;

  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    const icon = { appIconUrl: 'https://cdn.example.com/icon.png', appName: 'Example Shop' };
    const android = { platform: 'Android', storeUrl: PLAY_STORE, ...icon };
    const ios = await registerApp(organization, { teamId: 'ABCDE12345', ...icon });
    [iosAppId, iosPath] = [ios.id, ios.path];
    androidAppId = (await registerApp(organization, android)).id;
  });
  const browser = useTestBrowser(app);

  const link = (body: Record<string, unknown> = {}) =>
    createLink(organization, {
      url: DESTINATION,
      title: 'Everything for spring, 20 % off',
      iosAppId,
      androidAppId,
      iosDeepLinkPath: '/p/42?next=%2Fa',
      ...body,
    });

  const tokenOf = async (id: number) => {
    const [row] = await app.sql(
      `SELECT t.resolution, t.language, t.store_visited_at IS NOT NULL AS visited, s.stages
         FROM deep_link_tokens t LEFT JOIN funnel_sessions s ON s.id = t.session_id WHERE t.tracked_link_id = $1`,
      [id],
    );
    return row;
  };

  it.each(['iphone', 'android'] as const)('%s: reports its device, and goes to the store', async (device) => {
    const { id, shortUrl } = await link();
    const { page, complaints } = await browser.look(device);
    const asked = await navigationsOf(page);
    await page.goto(shortUrl);
    if (device === 'iphone') await arrival(page, STORE);
    else
      await eventually(async () => expect(page.url()).toMatch(/^https:\/\/play.*&referrer=waypost_token%3D/));
    expect(asked.some((url) => /^(?:intent|exampleshop):/.test(url))).toBe(device === 'android');
    await eventually(async () =>
      expect(await tokenOf(id)).toEqual({
        resolution: '390x844',
        language: 'en-US',
        visited: true,
        stages: CLICKED_AND_STORE_VISITED,
      }),
    );
    expect(tolerated(complaints)).toEqual([]);
  });

  it.each(['iphone', 'android'] as const)('%s: carries the visitor’s fragment over', async (device) => {
    const { shortUrl } = await link();
    const { page } = await browser.look(device);
    await stopClock(page);
    const addresses = async (fragment: string) => {
      // Another fragment of the same address would load nothing.
      await page.goto('about:blank');
      await page.goto(`${shortUrl}${fragment}`);
      const [open, web] = await Promise.all(
        ['#open', '#web'].map((id) => page.locator(id).getAttribute('href')),
      );
      return { open: open?.replaceAll(/(waypost[-_]\w+)(=|%3D)[^&#;%]+/g, '$1$2x'), web };
    };
    const { open: bare = '' } = await addresses('');
    const { open, web } = await addresses('#part/2');
    expect(web).toBe(`${DESTINATION}#part/2`);
    expect(open).toBe(
      device === 'iphone'
        ? `${bare}#part/2`
        : bare
            .replace('#Intent;', '#part/2#Intent;')
            .replace(/(S\.browser_fallback_url=[^;]*)/, '$1%23part%2F2'),
    );
    // A fragment does not turn into an intent of its own.
    if (device === 'android') expect((await addresses('#Intent;scheme=evil;end')).open).toBe(bare);
  });

  it('gives the app a second and a half', async () => {
    const { shortUrl } = await link();
    const { page } = await browser.look('iphone');
    await stopClock(page);
    await page.goto(shortUrl);
    await page.clock.runFor(1_400);
    expect(page.url()).toBe(shortUrl);
    await screenshot(page, 'app-iphone');
    await page.clock.runFor(100);
    await arrival(page, STORE);
  });

  it('waits for a tap on iOS where the app may be there, and tries its scheme then', async () => {
    const single = await registerApp(organization, { appName: 'Example Shop' });
    const { shortUrl } = await link({ iosAppId: single.id });
    const { page } = await browser.look('iphone');
    const asked = await navigationsOf(page);
    await stopClock(page);
    await page.goto(shortUrl);
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shortUrl);
    await screenshot(page, 'app-iphone-waiting');
    expect(asked).toEqual([]);
    const open = page.getByRole('link', { name: 'Open in app' });
    expect(await open.getAttribute('href')).toMatch(/^exampleshop:.*[?&]waypost_token=[\w-]{51}$/);
    await open.click();
    await eventually(async () => expect(asked).toEqual([expect.stringMatching(/^exampleshop:/)]));
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shortUrl);
  });

  it.each([
    ['a window that lost the focus', `dispatchEvent(new Event('blur'))`],
    ['a page that was left', `dispatchEvent(new PageTransitionEvent('pagehide'))`],
    [
      'a page that was covered',
      `Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
       document.dispatchEvent(new Event('visibilitychange'))`,
    ],
  ])('stays out of the way of an app that opened: %s', async (_name, leave) => {
    const { shortUrl } = await link();
    const { page } = await browser.look('iphone');
    await stopClock(page);
    await page.goto(shortUrl);
    await page.evaluate(leave);
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shortUrl);
  });

  it('continues to the destination when the app is in no store', async () => {
    const unsold = await registerApp(organization, { storeUrl: null, teamId: 'ABCDE12345' });
    const { shortUrl } = await link({ iosAppId: unsold.id, mobileTargetUrl: 'https://m.example.com/' });
    const { page, complaints } = await browser.look('iphone');
    await page.goto(shortUrl);
    await arrival(page, 'https://m.example.com/');
    expect(tolerated(complaints)).toEqual([]);
  });

  it('waits for the person in an in-app browser', async () => {
    const { id, shortUrl } = await link();
    const { page, complaints } = await browser.look('instagram');
    await stopClock(page);
    await page.goto(shortUrl);
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shortUrl);
    await screenshot(page, 'app-in-app');
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Open in app',
      'Get the app',
      'Continue in browser',
    ]);
    await page.getByRole('link', { name: 'Get the app' }).click();
    await arrival(page, STORE);
    await eventually(async () => expect(await tokenOf(id)).toMatchObject({ visited: true }));
    expect(complaints).toEqual([]);
  });

  it('does not go to the store after a person has continued in the browser, however slow that is', async () => {
    // Without a scheme, because Chromium asks its user before it opens one.
    const silent = await registerApp(organization, { scheme: null });
    const { id, shortUrl } = await link({ iosAppId: silent.id });
    const { page } = await browser.look('iphone');
    await stopClock(page);
    await page.goto(shortUrl);
    await page.evaluate(`document.getElementById('web').onclick = (event) => event.preventDefault()`);
    await page.getByRole('link', { name: 'Continue in browser' }).click();
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shortUrl);
    await eventually(async () => expect(await tokenOf(id)).toMatchObject({ visited: false, stages: 1 }));
  });

  it('has plain links without JavaScript', async () => {
    const { shortUrl } = await link();
    const { page } = await browser.look('iphone', { javaScriptEnabled: false });
    await page.goto(shortUrl);
    await screenshot(page, 'app-without-script');
    const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await hrefOf('Open in app')).toContain('exampleshop://p/42?next=%2Fa&waypost_token=');
    expect(await hrefOf('Continue in browser')).toBe(DESTINATION);
    await page.getByRole('link', { name: 'Get the app' }).click();
    await arrival(page, STORE);
  });

  it('talks to the API’s origin from a custom domain', async () => {
    const customDomainId = await createDomain(app, organization, 'links.brand.test', 'ACTIVE');
    const { id, shortUrl: code } = await link({ customDomainId });
    const { page, complaints } = await browser.look('iphone');
    await page.goto(`http://links.brand.test/${iosPath}/${code}`);
    await arrival(page, STORE);
    await eventually(async () =>
      expect(await tokenOf(id)).toMatchObject({ resolution: '390x844', visited: true }),
    );
    expect(tolerated(complaints)).toEqual([]);
  });
});

/** URLs to which the page navigates from now on, reachable or not. */
async function navigationsOf(page: Page): Promise<string[]> {
  const urls: string[] = [];
  const session = await page.context().newCDPSession(page);
  session.on('Page.frameRequestedNavigation', ({ url }) => urls.push(url));
  await session.send('Page.enable');
  return urls;
}

/** Drops complaints that are expected of a Chromium without apps and without user gestures. */
function tolerated(complaints: readonly string[]): string[] {
  return complaints.filter(
    (text) => !/^(?:Failed|Not allowed) to launch '(?:exampleshop|intent):/.test(text),
  );
}
