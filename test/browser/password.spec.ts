import { createOrganization, type TestOrganization } from '../support/factories';
import { type Device, type Looked, screenshot, TestBrowser } from '../support/browser';
import { createLink } from '../support/links';
import { useTestApp } from '../support/test-app';

const DESTINATION = 'https://shop.example.com/spring?color=red#top';
const PASSWORD = 'öffne dich';

describe('the password page in a browser', () => {
  const app = useTestApp();
  let organization: TestOrganization;
  let browser: TestBrowser;

  beforeAll(async () => {
    organization = await createOrganization(app);
    browser = await TestBrowser.start(app);
  });
  afterAll(() => browser.close());

  const enter = async ({ page }: Looked, password: string) => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it.each([
    ['desktop', true],
    ['iphone', false],
    ['android', true],
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
      expect(request.url()).toBe('https://shop.example.com/spring?color=red&ref=42');
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
