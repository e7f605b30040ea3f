import type { Page } from 'playwright-core';
import { CONSOLE, settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';

/** Pages with the button of a panel; some panels stand in the address. */
const PANELS = [
  ['/links', 'Create link'],
  ['/campaigns', 'Create campaign'],
  ['/contacts', 'Add contact'],
  ['/segments', 'Create segment'],
  ['/opt-outs', 'Register'],
  ['/apps', 'Add app'],
  ['/domains', 'Add domain'],
  ['/webhooks', 'Add endpoint'],
  ['/settings?tab=users', 'Add user'],
  ['/settings?tab=keys', 'Create API key'],
] as const;

describe('the history of the console', () => {
  const console = useTestConsole();

  const entries = (page: Page) => page.evaluate<number>('history.length');
  const discard = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' });
  const answer = async (page: Page, name: 'Cancel' | 'Discard') => {
    await discard(page).getByRole('button', { name, exact: true }).click();
    await discard(page).waitFor({ state: 'detached' });
  };
  /** Waits until no panel has an entry. */
  const noEntry = (page: Page) =>
    eventually(async () => expect(await page.evaluate('history.state.panel')).toBeUndefined());
  const atPath = (page: Page, path: string) =>
    page.waitForURL(({ pathname }) => pathname === `/console${path}`);

  it('goes back from the panel of each page, and asks before typed text is lost', async () => {
    const { page, complaints } = await console.open('/tester');
    for (const [path, open] of PANELS) {
      await page.goto(`${CONSOLE}${path}`);
      await settled(page);
      const before = await entries(page);
      const button = page.getByRole('button', { name: open, exact: true }).first();
      await button.click();
      const panel = page.getByRole('dialog');
      const field = panel.getByRole('textbox').first();
      await field.waitFor();
      expect(await entries(page)).toBe(before + 1);

      await page.goBack();
      await panel.waitFor({ state: 'detached' });
      expect(page.url()).toMatch(new RegExp(`${path.replace('?', '\\?')}$`));

      await button.click();
      await field.fill('typed 1');
      expect(await entries(page)).toBe(before + 1);
      await page.goBack();
      await answer(page, 'Cancel');
      expect(await field.inputValue()).toBe('typed 1');
      await page.keyboard.press('Escape');
      await answer(page, 'Cancel');
      expect(await field.inputValue()).toBe('typed 1');
      const asked = page.waitForEvent('dialog');
      const reloaded = page.evaluate('location.reload()').catch(() => undefined);
      const dialog = await asked;
      expect(dialog.type()).toBe('beforeunload');
      await dialog.dismiss();
      await reloaded;
      expect(await field.inputValue()).toBe('typed 1');
      await page.goBack();
      await answer(page, 'Discard');
      await panel.waitFor({ state: 'detached' });

      await button.click();
      await field.waitFor();
      await panel.getByRole('button', { name: 'Close' }).click();
      await panel.waitFor({ state: 'detached' });
      await noEntry(page);
      await page.goBack();
      await atPath(page, '/tester');
    }
    expect(complaints).toEqual([]);
  });

  it('goes back from a new link to where its panel was opened', async () => {
    const { page } = await console.open('/links');
    await page.getByRole('button', { name: 'Create link' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Destination').first().fill('https://shop.example.com/');
    await panel.getByRole('button', { name: 'Create link' }).click();
    await panel.getByRole('link', { name: 'Open its page' }).click();
    await atPath(page, '/links/1');
    await page.getByRole('tab', { name: 'Statistics' }).waitFor();
    await page.goBack();
    await atPath(page, '/links');
    await settled(page);
    expect(await panel.count()).toBe(0);
    expect(page.url()).toMatch(/links$/);
  });

  it('removes filters one by one, and a search at once', async () => {
    await createLink(console.organization, { title: 'Findable', tags: ['spring'] });
    const { page } = await console.open('/links');
    const before = await entries(page);
    await page.getByRole('searchbox').pressSequentially('Find', { delay: 300 });
    await page.waitForURL(/=Find$/);
    expect(await entries(page)).toBe(before + 1);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('combobox', { name: 'Tags' }).fill('spring');
    await page.getByRole('option', { name: 'spring' }).click();
    await page.waitForURL(/tags=spring/);
    expect(await entries(page)).toBe(before + 2);
    await page.goBack();
    await page.waitForURL(/=Find$/);
    await page.goBack();
    await page.waitForURL(({ search }) => search === '');
    await eventually(async () => expect(await page.getByRole('searchbox').inputValue()).toBe(''));
  });

  it('asks before typed settings are lost by a link', async () => {
    const { page } = await console.open('/settings');
    const name = page.getByRole('textbox').first();
    const kept = await name.inputValue();
    await name.fill('Another name');
    const link = page.getByRole('navigation').getByRole('link', { name: 'Links', exact: true });
    await link.click();
    await answer(page, 'Cancel');
    expect(await name.inputValue()).toBe('Another name');
    await name.fill(kept);
    await link.click();
    await atPath(page, '/links');
  });
});
