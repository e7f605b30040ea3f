import { CONSOLE, seriousFindings, settled, useTestConsole } from '../support/console';
import { screenshot } from '../support/browser';

describe('the sign-in page of the console', () => {
  const console = useTestConsole();

  it('signs in with a password, and goes on to the page that was asked for', async () => {
    const { page, complaints } = await console.browser.look('desktop', { locale: 'en-US' });
    await page.goto(`${CONSOLE}/?range=7d`);
    await page.waitForURL(/sign-in/);
    await settled(page);
    await screenshot(page, 'console-sign-in');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('User name').fill(console.organization.username);
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(console.organization.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${CONSOLE}/?range=7d`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await screenshot(page, 'console-shell');
    // Chromium complains about the two answers 401, which are expected.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
