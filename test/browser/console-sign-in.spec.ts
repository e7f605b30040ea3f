import { SignInLinks } from '../../src/access/sign-in-links/sign-in-links.service';
import { CONSOLE, seriousFindings, settled, useTestConsole } from '../support/console';

describe('the sign-in page of the console', () => {
  const console = useTestConsole();

  it('signs in with a password, and goes on to the page that was asked for', async () => {
    const { page, complaints } = await console.browser.look('desktop', { locale: 'en-US' });
    await page.goto(`${CONSOLE}/?range=7d`);
    await page.waitForURL(/sign-in/);
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('User name').fill(console.organization.username);
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(console.organization.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${CONSOLE}/?range=7d`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Chromium complains about the two answers 401, which are expected.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('is passed once by a sign-in link, which leaves no token in the address or the history', async () => {
    const { username, password } = console.organization;
    const link = (await console.app.get(SignInLinks).create({ username })) ?? '';
    const first = await console.browser.look('desktop');
    await first.page.goto(link);
    await first.page.waitForURL(/\/console\/?$/);
    await first.page.getByRole('navigation').waitFor();
    await first.page.goBack();
    expect(first.page.url()).not.toContain('token');
    // A second use shows the API's error above the form.
    const second = await console.browser.look('iphone');
    await second.page.goto(link);
    const alert = second.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('has been used');
    expect(second.page.url()).not.toContain('token');
    await second.page.getByLabel('User name').fill(username);
    await second.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.waitForURL(/\/console\/?$/);
  });
});
