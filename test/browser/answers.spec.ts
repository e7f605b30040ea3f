import { createOrganization } from '../support/factories';
import { type Device, type Looked, screenshot, stopClock, useTestBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';

const DESTINATION = 'https://shop.example.com/spring/sale?color=red&size=42#top';
const SHOWN = {
  url: DESTINATION,
  title: 'Everything for spring, 20 % off until Sunday',
  ogDescription: 'Jackets, shoes and all that the garden needs.',
  ogImageUrl: 'https://cdn.example.com/spring.png',
};

const app = useTestApp();
const organization = perSuite(() => createOrganization(app));
const browser = useTestBrowser(app);

describe('pages in a browser', () => {
  async function clicksOf(id: number): Promise<unknown> {
    return (await organization.api.get(`/api/v1/service/urls/${id}`).expect(200)).body.clickCount;
  }

  it.each([
    ['https://shop.example.com/spring?color=red', 'https://shop.example.com/spring?color=red#part'],
    [DESTINATION, DESTINATION],
  ])('the ad page carries the visitor’s fragment over to %s', async (url, expected) => {
    const { shortUrl } = await createLink(organization, { url, showAdPage: true });
    const { page, complaints } = await browser.look('desktop');
    await stopClock(page);
    await page.goto(`${shortUrl}#part`);
    expect(await page.locator('#go').getAttribute('href')).toBe(expected);
    await page.clock.runFor(10_000);
    await eventually(async () => expect(page.url()).toBe(expected));
    expect(complaints).toEqual([]);
  });

  it('the preview of a crawler’s look-alike carries the fragment over', async () => {
    const { shortUrl } = await createLink(organization, {
      ...SHOWN,
      url: 'https://shop.example.com/spring',
    });
    const { page } = await browser.look('desktop', { userAgent: 'facebookexternalhit/1.1' });
    await page.goto(`${shortUrl}#part`);
    await eventually(async () => expect(page.url()).toBe('https://shop.example.com/spring#part'));
  });

  it('the ad page counts down, continues by itself, and counts one click', async () => {
    const { shortUrl, id } = await createLink(organization, { ...SHOWN, showAdPage: true });
    const { page, complaints } = await browser.look('desktop');
    await stopClock(page);
    await page.goto(shortUrl);
    expect(await page.getByRole('timer').textContent()).toBe('Continuing in 5 seconds');
    await page.clock.runFor(4_000);
    expect(await page.getByRole('timer').textContent()).toBe('Continuing in 1 second');
    await page.clock.runFor(1_000);
    await page.waitForURL(DESTINATION);
    await eventually(async () => expect(await clicksOf(id)).toBe(1));
    expect(complaints).toEqual([]);
  });

  it('the ad page waits for those who pause it', async () => {
    const { shortUrl } = await createLink(organization, { ...SHOWN, showAdPage: true });
    const { page } = await browser.look('desktop');
    await stopClock(page);
    await page.goto(shortUrl);
    await page.getByRole('button', { name: 'Stay on this page' }).click();
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shortUrl);
    await screenshot(page, 'ad-held');
    await page.getByRole('link', { name: 'Continue now' }).press('Enter');
    await page.waitForURL(DESTINATION);
  });

  it('the ad page continues without JavaScript, by link and by itself', async () => {
    const { shortUrl } = await createLink(organization, { ...SHOWN, showAdPage: true });
    const { page } = await browser.look('iphone', { javaScriptEnabled: false });
    await page.goto(shortUrl);
    await screenshot(page, 'ad-without-script');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.waitForURL(DESTINATION);
    await page.goto(shortUrl);
    await page.getByRole('link', { name: 'Continue now' }).click();
    await page.waitForURL(DESTINATION);
  });

  it('the preview page forwards a person mistaken for a crawler', async () => {
    const { shortUrl } = await createLink(organization, { ...SHOWN, ogTitle: 'Spring' });
    const crawler = { userAgent: 'Twitterbot/1.0' };
    const { page, complaints } = await browser.look('desktop', crawler);
    await page.goto(shortUrl).catch(() => undefined);
    await page.waitForURL(DESTINATION);
    expect(complaints).toEqual([]);
    const still = await browser.look('desktop', { ...crawler, javaScriptEnabled: false });
    await still.page.goto(shortUrl);
    await screenshot(still.page, 'preview-without-script');
    await still.page.getByRole('link', { name: 'Continue' }).click();
    await still.page.waitForURL(DESTINATION);
  });
});

const PASSWORD = 'öffne dich';

describe('the password page in a browser', () => {
  const enter = async ({ page }: Looked, password: string) => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it.each([
    ['desktop', true],
    ['iphone', false],
  ] as [Device, boolean][])(
    'leads on with the right one, on %s (scripts: %s)',
    async (device, javaScriptEnabled) => {
      const { shortUrl } = await createLink(organization, { url: DESTINATION, password: PASSWORD });
      const looked = await browser.look(device, { javaScriptEnabled });
      const { page, context, complaints } = looked;
      await page.goto(`${shortUrl}?ref=42`);
      await screenshot(page, `password-${device}`);
      await enter(looked, '<script>alert(1)</script>');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').textContent()).toContain('Incorrect password');
      await screenshot(page, `password-wrong-${device}`);
      // Destinations of redirects are not simulated, so only the browser's request shows.
      const left = page.waitForEvent('requestfailed', (failed) =>
        failed.url().startsWith('https://shop.example.com/'),
      );
      await enter(looked, PASSWORD);
      const request = await left;
      expect(request.url()).toBe('https://shop.example.com/spring/sale?color=red&size=42&ref=42');
      expect([request.method(), request.failure()?.errorText]).toEqual([
        'GET',
        'net::ERR_SSL_PROTOCOL_ERROR',
      ]);
      // The browser logs the 403 of a wrong password; there must be no other complaint.
      expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
      await expect(page.goto(shortUrl)).rejects.toThrow('ERR_SSL_PROTOCOL_ERROR');
      await context.close();
    },
  );

  it('carries the visitor’s fragment over, also after a wrong password', async () => {
    const url = 'https://shop.example.com/spring';
    const { shortUrl } = await createLink(organization, { url, password: PASSWORD, showAdPage: true });
    const looked = await browser.look('desktop');
    await looked.page.goto(`${shortUrl}#part`);
    await enter(looked, 'wrong');
    await looked.page.getByRole('alert').waitFor();
    await enter(looked, PASSWORD);
    await looked.page.locator('#go').waitFor();
    expect(await looked.page.locator('#go').getAttribute('href')).toBe(`${url}#part`);
    await looked.context.close();
  });
});
