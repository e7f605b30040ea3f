import type { Locator, Page } from 'playwright-core';
import { createCampaign } from '../support/campaigns';
import { CONSOLE, seriousFindings, settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';
import { createLink } from '../support/links';

/** Pages of the menu, with the button of the panel that creates something. */
const PANELS = [
  ['Links', 'Create link'],
  ['Campaigns', 'Create campaign'],
  ['Contacts', 'Add contact'],
  ['Segments', 'Create segment'],
  ['Opt-outs', 'Register'],
  ['Apps', 'Add app'],
  ['Domains', 'Add domain'],
  ['Webhooks', 'Add endpoint'],
] as const;

const PLAIN = ['Overview', 'Journeys', 'Link tester', 'Settings'] as const;

describe('the keyboard in the console', () => {
  const console = useTestConsole();

  const isFocused = (element: Locator) =>
    element.evaluate((one) => one === (one.ownerDocument.activeElement as unknown));
  /** Presses Tab until the element has the focus, which must be seen at each stop. */
  const reach = async (page: Page, element: Locator) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await isFocused(element)) return;
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string | null>(UNSEEN)).toBeNull();
    }
    throw new Error(`${String(element)} is not reached by Tab`);
  };
  /** Focuses the element that Tab reaches first on a new page. */
  const fromTheTop = (page: Page) => page.getByRole('link', { name: 'Skip to content' }).focus();
  const follow = async (page: Page, label: string) => {
    const link = page.getByRole('navigation').getByRole('link', { name: label, exact: true });
    await reach(page, link);
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await link.getAttribute('aria-current')).toBe('page'));
    await settled(page);
  };

  it('opens the panel of each page and closes it again', async () => {
    const { page, complaints } = await console.open('/');
    for (const [label, button] of PANELS) {
      await fromTheTop(page);
      await follow(page, label);
      const create = page.getByRole('button', { name: button, exact: true }).first();
      await reach(page, create);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      const field = dialog.locator('input:focus, textarea:focus');
      await eventually(async () => expect([label, await field.count()]).toEqual([label, 1]));
      expect(await page.evaluate<string | null>(UNSEEN)).toBeNull();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await eventually(async () => expect([label, await isFocused(create)]).toEqual([label, true]));
    }
    expect(complaints).toEqual([]);
  });

  it('reaches the pages without a panel, and everything on them', async () => {
    const { page, complaints } = await console.open('/links');
    for (const label of PLAIN) {
      await fromTheTop(page);
      await follow(page, label);
      const main = page.getByRole('main');
      await eventually(async () => expect([label, await isFocused(main)]).toEqual([label, true]));
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate<string | null>(UNSEEN)).toBeNull();
      }
    }
    expect(complaints).toEqual([]);
  });

  it('skips to the content', async () => {
    const { page } = await console.open('/links');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    expect(await isFocused(skip)).toBe(true);
    await eventually(async () => expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0));
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  it('finds everything with Ctrl K, and opens it with Enter', async () => {
    const { organization } = console;
    await createLink(organization, { title: 'Needle of a link', customAlias: 'by-search' });
    await createCampaign(organization, { name: 'Needle campaign' });
    const { page } = await console.open('/webhooks');
    const dialog = page.getByRole('dialog', { name: 'Search everything' });
    const field = dialog.getByRole('combobox');
    const options = dialog.getByRole('option');
    const search = async (text: string) => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
    };
    await search('needle');
    await dialog.getByRole('group', { name: 'Links' }).getByText('Needle of a link').waitFor();
    await dialog.getByRole('group', { name: 'Campaigns' }).getByText('Needle campaign').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Needle of a link' }).waitFor();
    await search('audit');
    await eventually(async () => expect(await options.count()).toBe(1));
    await page.keyboard.press('Enter');
    await page.waitForURL(/settings\?tab=audit/);
    await search('create li');
    await eventually(async () => expect(await options.count()).toBe(1));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create link' }).waitFor();
    const viewer = await console.open('/links', { as: await console.user('VIEWER') });
    await viewer.page.keyboard.press('Control+k');
    await viewer.page.getByRole('option', { name: 'Links' }).waitFor();
    expect(await viewer.page.getByRole('option', { name: 'Create link' }).count()).toBe(0);
  });

  it('opens menus and the calendar, whose parts screen readers can name', async () => {
    await createLink(console.organization, { title: 'With a menu' });
    const { page } = await console.open('/links');
    await reach(page, page.getByRole('button', { name: /^Actions for/ }).first());
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(`${CONSOLE}/?tab=statistics`);
    await page.getByRole('button', { name: /^Range: / }).click();
    await page.getByRole('menuitemradio', { name: 'Custom range' }).click();
    const calendar = page.getByRole('dialog', { name: 'Custom range' });
    await calendar.getByRole('button', { name: 'Previous month' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('goes to the first field with an error, in a section that it opens', async () => {
    const { page } = await console.open('/links?new=1');
    const form = page.getByRole('dialog', { name: 'Create link' });
    const password = form.getByLabel('Password', { exact: true });
    const section = form.getByRole('button', { name: /Schedule/ });
    await form.getByLabel('Destination').first().fill('https://shop.example.com/');
    await section.click();
    await password.fill('abc');
    await section.click();
    await password.waitFor({ state: 'hidden' });
    await form.getByRole('button', { name: 'Create link' }).click();
    await eventually(async () => expect(await isFocused(password)).toBe(true));
    const box = await password.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0);
    await password.fill('');
    await form.getByRole('button', { name: 'Create link' }).click();
    const said = form.getByRole('status').filter({ hasText: 'The link is ready to share.' });
    await eventually(async () => expect(await isFocused(said)).toBe(true));
    await page.goto(`${CONSOLE}/contacts`);
    await page.getByRole('button', { name: 'Add contact' }).first().click();
    const contact = page.getByRole('dialog');
    await contact.getByRole('button', { name: 'Add contact' }).click();
    await eventually(async () => expect(await isFocused(contact.getByRole('alert'))).toBe(true));
  });

  it.each(['no-preference', 'reduce'] as const)(
    'keeps the focus after a dialog or a form that was opened from a menu, motion: %s',
    async (reducedMotion) => {
      const { body } = await consoleApi(console.app)
        .post(`/api/v1/console/organizations/${console.organization.organizationId}/messaging/contacts`, {
          externalUserId: `erased-${reducedMotion}`,
          name: 'To be erased',
        })
        .expect(201);
      const { page } = await console.open(`/contacts/${(body as { id: number }).id}`, { reducedMotion });
      const actions = page.getByRole('main').getByRole('button', { name: 'Actions' });
      const dialog = page.getByRole('dialog');
      const ask = async () => {
        await actions.click();
        await page.getByRole('menuitem', { name: /^Erase/ }).click();
        await dialog.waitFor();
      };
      await ask();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await eventually(async () => expect(await isFocused(actions)).toBe(true));
      await ask();
      await dialog.getByRole('textbox').fill('To be erased');
      await dialog.getByRole('button', { name: /^Erase/ }).click();
      await page.waitForURL(/\/contacts$/);
      await settled(page);
      await eventually(async () => expect(await isFocused(page.getByRole('main'))).toBe(true));
      const title = `Edited from its menu, ${reducedMotion}`;
      await createLink(console.organization, { title });
      await page.goto(`${CONSOLE}/links`);
      const menu = page
        .getByRole('row')
        .filter({ hasText: title })
        .getByRole('button', { name: /^Actions for/ });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog.getByLabel('Title', { exact: true }).fill(`${title}, twice`);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await eventually(async () => expect(await isFocused(menu)).toBe(true));
    },
  );

  it('opens the menu of the account with Enter, and closes it with Escape', async () => {
    const { page } = await console.open('/links');
    const account = page.getByRole('button', { name: 'Account' });
    await reach(page, account);
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowDown');
    await eventually(async () => expect(await page.locator('[role=menuitem]:focus').count()).toBe(1));
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await eventually(async () => expect(await isFocused(account)).toBe(true));
  });
});

/** The focused element if nothing shows that it has the focus. */
const UNSEEN = `(() => {
  const focused = document.activeElement;
  if (focused === document.body || focused.localName === 'main') return null;
  const shows = (element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  const field = focused.matches('input, textarea, [role=combobox], canvas, iframe');
  if (field || (focused.checkVisibility() && shows(focused))) return null;
  return focused.textContent + ' ' + focused.checkVisibility() + ' ' + getComputedStyle(focused).outline + ' ' + focused.outerHTML;
})()`;
