import type { Page } from 'playwright-core';
import { CONSOLE, useTestConsole } from '../support/console';
import { API_HOST } from '../support/test-app';

describe('the console when something is missing', () => {
  const console = useTestConsole();
  const path = () => `${console.organization.consolePath}/ip-allow-list`;
  const addresses = async (): Promise<string[]> =>
    (await console.platform.read<{ content: { cidr: string }[] }>(path())).content.map(({ cidr }) => cidr);
  const fillAddress = async (page: Page, cidr: string) => {
    await page.getByRole('button', { name: 'Add address' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Address or range' }).fill(cidr);
    return dialog;
  };
  const endSessions = () =>
    console.app.sql('DELETE FROM console_sessions WHERE user_id = $1', [console.organization.userId]);

  it('asks to sign in again over the page when the session ends, and then does what was asked', async () => {
    const { page } = await console.open('/settings?tab=allowList');
    const dialog = await fillAddress(page, '198.51.100.1');
    await endSessions();
    await dialog.getByRole('button', { name: 'Add address' }).click();
    const signIn = page.getByRole('dialog', { name: /session has ended/ });
    await signIn.getByRole('textbox', { name: 'User name' }).fill(console.organization.username);
    await signIn.getByRole('textbox', { name: 'Password' }).fill(console.organization.password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('198.51.100.1').first().waitFor();
    expect(page.url()).toBe(`${CONSOLE}/settings?tab=allowList`);
    expect(await addresses()).toEqual(['198.51.100.1']);
  });

  it('leads to the same page after a sign-in that a reload asks for', async () => {
    const { page } = await console.open('/settings?tab=keys');
    await endSessions();
    await page.reload();
    await page.getByRole('textbox', { name: 'User name' }).fill(console.organization.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(console.organization.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${CONSOLE}/settings?tab=keys`);
    await page.getByRole('tab', { name: 'API keys', selected: true }).waitFor();
  });

  it('starts anew when another user signs in', async () => {
    const other = await console.user('VIEWER');
    const { page } = await console.open('/settings?tab=organization');
    await endSessions();
    await page.getByRole('tab', { name: 'Users' }).click();
    const signIn = page.getByRole('dialog', { name: /session has ended/ });
    await signIn.getByRole('textbox', { name: 'User name' }).fill(other.username);
    await signIn.getByRole('textbox', { name: 'Password' }).fill(other.password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('tab', { name: 'Your account', selected: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Users' }).count()).toBe(0);
  });

  it('keeps what was typed while the API is away for 30 s, and creates it once', async () => {
    const { page } = await console.open('/settings?tab=allowList');
    await page.clock.install();
    await page.route('**/api/**', (route) => route.abort());
    const dialog = await fillAddress(page, '198.51.100.2');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await page.getByText('What you typed is kept').waitFor();
    await page.clock.runFor(30_000);
    expect(await dialog.getByRole('textbox', { name: 'Address or range' }).inputValue()).toBe('198.51.100.2');
    await page.unroute('**/api/**');
    await page.clock.runFor(5_000);
    await page.getByText('What you typed is kept').waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('198.51.100.2').first().waitFor();
    expect((await addresses()).filter((cidr) => cidr.startsWith('198.51.100.2'))).toHaveLength(1);
  });

  it('creates once what was created by a call whose answer was lost', async () => {
    const { page } = await console.open('/settings?tab=keys');
    let lost = 0;
    await page.route('**/api-keys', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      // The service does it, but the browser never hears of it.
      const { headers, postData } = {
        headers: await route.request().allHeaders(),
        postData: route.request().postData(),
      };
      await fetch(`${console.app.url}${new URL(route.request().url()).pathname}`, {
        method: 'POST',
        headers: { ...plain(headers), Host: API_HOST },
        body: postData ?? '',
      });
      return route.abort();
    });
    await page.getByRole('button', { name: 'Create API key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Purpose' }).fill('Lost and found');
    await dialog.getByRole('switch', { name: 'Everything that its user may do' }).check();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('shown only once').waitFor();
    const { body } = await console.platform.get(path().replace('ip-allow-list', 'api-keys')).expect(200);
    const made = (body as { content: { name: string }[] }).content.filter(
      ({ name }) => name === 'Lost and found',
    );
    expect([lost, made.length]).toEqual([2, 1]);
  });
});

function plain(headers: Record<string, string>): Record<string, string> {
  const names = ['cookie', 'origin', 'content-type', 'idempotency-key'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}
