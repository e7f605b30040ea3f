import { fits, screenshot, useTestBrowser } from '../support/browser';
import { consoleApi, createOrganization } from '../support/factories';
import { perSuite, useTestApp } from '../support/test-app';
import { phone, UnsubscribeClient } from '../support/unsubscribes';

describe('the opt-out page in a browser', () => {
  const app = useTestApp();
  let made = 0;

  const organization = perSuite(() => createOrganization(app, { defaultRegion: 'KR' }));
  const sms = new UnsubscribeClient(organization);
  const browser = useTestBrowser(app);

  async function createLink(body: object): Promise<string> {
    const path = `${organization.consolePath}/messaging/opt-out-links`;
    return (await consoleApi(app).post(path, body).expect(201)).body.url;
  }

  describe.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('%s', (_name, javaScriptEnabled) => {
    it('opts out, and undoes it', async () => {
      const value = phone(made++);
      const { page, complaints } = await browser.look('iphone', { javaScriptEnabled });
      await page.goto(await createLink({ value }));
      await screenshot(page, `opt-out-${javaScriptEnabled ? 'js' : 'plain'}`);
      expect(await page.textContent('main')).not.toContain(value.slice(3, -2));
      expect(await sms.check(value)).toBe(false);

      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('heading', { name: 'You’re unsubscribed' }).waitFor();
      expect(await sms.check(value)).toBe(true);
      await screenshot(page, `opted-out-${javaScriptEnabled ? 'js' : 'plain'}`);
      expect(await fits(page)).toBe(true);

      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('heading', { name: 'Unsubscribing was undone' }).waitFor();
      expect(await sms.check(value)).toBe(false);
      expect(complaints).toEqual([]);
    });

    it('asks for a number when the link has none, and rejects an invalid one', async () => {
      const value = phone(made++);
      const { page } = await browser.look('iphone', { javaScriptEnabled, colorScheme: 'dark' });
      await page.goto(await createLink({}));
      await page.getByLabel('Phone number').fill('12');
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('valid phone number');
      await screenshot(page, `opt-out-ask-${javaScriptEnabled ? 'js' : 'plain'}`);
      await page.getByLabel('Phone number').fill(value.replace('+82', '0'));
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('heading', { name: 'You’re unsubscribed' }).waitFor();
      expect(await sms.check(value)).toBe(true);
    });
  });
});
