import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { ShortUrlResponse as Link } from '../../src/modules/links/short-url.dto';
import { CONSOLE, settled, useTestConsole } from '../support/console';
import { createDomain, createLink } from '../support/links';
import { eventually } from '../support/eventually';

describe('the links page of the console', () => {
  const console = useTestConsole();

  const linksOf = async (query = ''): Promise<Link[]> => {
    const { body } = await console.organization.api.get(`/api/v1/service/urls?size=100&${query}`).expect(200);
    return body.content as Link[];
  };
  const byAlias = async (alias: string): Promise<Link> => {
    const found = (await linksOf('archived=all')).find(({ link }) => link.endsWith(`/${alias}`));
    if (!found) throw new Error(`There is no link ${alias}`);
    return found;
  };
  const toast = (page: Page, text: string) =>
    page.getByRole('status').locator('.mantine-Notification-root', { hasText: text }).last().waitFor();
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click();
  const panel = (page: Page) => page.getByRole('dialog', { name: /link/ });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const rowsAre = (page: Page, names: string[]) =>
    eventually(async () => {
      const shown = await page
        .getByRole('row')
        .getByRole('link', { name: /^Product/ })
        .allInnerTexts();
      expect(shown).toEqual(names);
    });

  it('says what to do first', async () => {
    const { page } = await console.open('/links');
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor();
    await page.getByRole('button', { name: 'Create link' }).last().click();
    await panel(page).waitFor();
    expect(new URL(page.url()).search).toBe('?new=1');
  });

  it('creates a link with every kind of field, and shows its QR code and its card', async () => {
    const { page } = await console.open('/links?new=1');
    await page.route('**/link-preview*', (route) =>
      route.fulfill({
        json: { title: 'Shop of spring', description: 'Everything', image: null, siteName: null, icon: null },
      }),
    );
    const form = panel(page);
    const section = (name: string) => form.getByRole('button', { name: new RegExp(name) }).click();
    await form.getByLabel('Destination').first().fill('https://shop.example.com/new?utm_source=shop&size=1');
    await form.getByLabel('Alias').fill('brand-new');
    await form.getByText('brand-new is free').waitFor();
    await form.getByLabel('Title', { exact: true }).fill('A new link');
    const tags = form.getByRole('combobox', { name: 'Tags' });
    for (const tag of ['launch', 'spring']) {
      await tags.fill(tag);
      await tags.press('Enter');
    }
    await section('UTM values');
    await form.getByLabel('Campaign', { exact: true }).fill('spring sale');
    await form
      .getByText('https://shop.example.com/new?utm_source=shop&size=1&utm_campaign=spring+sale')
      .waitFor();
    await section('Card in messengers');
    await form.getByText('Shop of spring').waitFor();
    await form.getByLabel('Card description').fill('Spring is here');
    await section('Schedule');
    await form.getByLabel('Expires').fill('2035-05-01T12:00');
    await form.getByLabel('Maximum number of clicks').fill('500');
    await form.getByLabel('Password', { exact: true }).fill('open sesame');
    await section('Targeting');
    await form.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByRole('combobox', { name: 'Countries' }).fill('South Korea');
    await page.getByRole('option', { name: 'South Korea' }).click();
    const rule = form.getByRole('group', { name: 'Rule 1' });
    await rule.getByRole('button', { name: 'Add a condition' }).click();
    await rule.getByRole('combobox', { name: 'Values' }).fill('Korean');
    await page.getByRole('option', { name: 'Korean' }).click();
    await rule.getByRole('button', { name: 'Add a condition' }).click();
    const weekday = rule.getByRole('group', { name: 'Condition 2' });
    await weekday.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Weekday' }).click();
    for (const day of ['Monday', 'Tuesday', 'Wednesday']) {
      await weekday.getByRole('combobox', { name: 'Values' }).fill(day);
      await page.getByRole('option', { name: day }).click();
    }
    await weekday.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Seoul');
    await page.getByRole('option', { name: 'Asia/Seoul' }).click();
    await rule
      .getByText(
        'If the country is South Korea and the language is Korean and it is Monday to Wednesday in Asia/Seoul',
      )
      .waitFor();
    await rule.getByLabel('Destination').fill('https://kr.example.com/');
    await form.getByRole('button', { name: 'Add a variant' }).click();
    await form.getByRole('textbox', { name: 'Variant 2' }).fill('https://shop.example.com/b');
    await section('More settings');
    await form.getByLabel('Pass on the query').press('Space');
    await form.getByRole('button', { name: 'Create link' }).click();

    await form.getByText('The link is ready to share.').waitFor();
    await form.getByRole('img', { name: /^QR code of/ }).waitFor();
    await settled(page);
    expect(await byAlias('brand-new')).toMatchObject({
      originalUrl: 'https://shop.example.com/new?utm_source=shop&size=1',
      title: 'A new link',
      tags: ['launch', 'spring'],
      utmSource: 'shop',
      utmCampaign: 'spring sale',
      ogDescription: 'Spring is here',
      expiresAt: '2035-05-01T12:00:00Z',
      maxClicks: 500,
      hasPassword: true,
      forwardQuery: false,
      targeting: [
        {
          countries: ['KR'],
          devices: [],
          os: [],
          conditions: [
            { property: 'language', operator: 'IS', values: ['ko'], parameter: null, timeZone: null },
            {
              property: 'weekday',
              operator: 'ONE_OF',
              values: ['MON', 'TUE', 'WED'],
              parameter: null,
              timeZone: 'Asia/Seoul',
            },
          ],
          url: 'https://kr.example.com/',
        },
      ],
      variants: [
        { url: 'https://shop.example.com/new?utm_source=shop&size=1', weight: 50 },
        { url: 'https://shop.example.com/b', weight: 50 },
      ],
    });
  });

  it('goes on from a new link wherever one likes', async () => {
    const { page, complaints } = await console.open('/links');
    const form = panel(page);
    const button = (name: string) => form.getByRole('button', { name, exact: true }).last().click();
    const gone = () => form.waitFor({ state: 'detached' });
    const ways: Record<string, () => Promise<void>> = {
      close: () => button('Close').then(gone),
      cross: () => form.getByRole('button', { name: 'Close' }).first().click().then(gone),
      escape: () => page.keyboard.press('Escape').then(gone),
      another: async () => {
        await button('Create another');
        expect(await form.getByLabel('Destination').first().inputValue()).toBe('');
        await page.keyboard.press('Escape');
        await gone();
      },
      page: async () => {
        await form.getByRole('link', { name: 'Open its page' }).click();
        await page.getByRole('heading', { name: 'Made by page' }).waitFor();
      },
    };
    for (const [name, leave] of Object.entries(ways)) {
      await page.getByRole('button', { name: 'Create link' }).first().click();
      await form.getByLabel('Destination').first().fill(`https://shop.example.com/${name}`);
      await form.getByLabel('Title', { exact: true }).fill(`Made by ${name}`);
      await form.getByRole('button', { name: 'Create link' }).click();
      await form.getByText('The link is ready to share.').waitFor();
      await leave();
      expect(await page.getByText('Something on this page went wrong.').count()).toBe(0);
      if (name !== 'page') await row(page, `Made by ${name}`).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('shows the utm values of a pasted destination in their fields, and stores the destination as it is', async () => {
    const { page } = await console.open('/links?new=1');
    const form = panel(page);
    const destination = form.getByLabel('Destination').first();
    const source = form.getByLabel('Source', { exact: true });
    const medium = form.getByLabel('Medium', { exact: true });
    const shown = async () => [await source.inputValue(), await medium.inputValue()];
    await destination.fill('https://shop.example.com/utm?utm_source=first&utm_medium=e-mail');
    await form.getByRole('combobox', { name: 'Tags' }).click();
    await form.getByRole('button', { name: /UTM values/ }).click();
    await form.getByText('utm_medium, from the destination').waitFor();
    expect(await shown()).toEqual(['first', 'e-mail']);
    await medium.fill('poster');
    const url = 'https://shop.example.com/utm?b=%7e&utm_source=Zweite+Quelle&a=1';
    await destination.fill(url);
    expect(await shown()).toEqual(['Zweite Quelle', 'poster']);
    await form.getByText(/utm_medium=poster/).waitFor();
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByText('The link is ready to share.').waitFor();
    const [link] = await linksOf('keyword=/utm');
    expect(link).toMatchObject({ originalUrl: url, utmSource: 'Zweite Quelle', utmMedium: 'poster' });
    await page.goto(`${CONSOLE}/links?edit=${link?.id}`);
    await form.getByRole('button', { name: /UTM values/ }).click();
    await destination.fill('https://shop.example.com/utm');
    expect(await shown()).toEqual(['', 'poster']);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    expect((await linksOf('keyword=/utm'))[0]).toMatchObject({
      originalUrl: 'https://shop.example.com/utm',
      utmSource: null,
      utmMedium: 'poster',
    });
  });

  it('refuses what is too long rather than cut it, and says by how much', async () => {
    const { page } = await console.open('/links?new=1');
    const form = panel(page);
    const url = form.getByLabel('Destination').first();
    const long = `https://shop.example.com/${'a'.repeat(1179)}`;
    await url.fill(long);
    await form.getByLabel('Title', { exact: true }).fill('t'.repeat(201));
    await form.getByText('1,204 of 1,000 characters').waitFor();
    await form.getByText('201 of 200 characters').waitFor();
    await form.getByRole('button', { name: 'Create link' }).click();
    expect(await url.inputValue()).toBe(long);
    expect(await url.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    expect(await linksOf('keyword=aaaa')).toEqual([]);
    await url.fill(long.slice(0, 1000));
    await form.getByLabel('Title', { exact: true }).fill('As long as can be');
    const tags = form.getByRole('combobox', { name: 'Tags' });
    for (let index = 0; index <= 20; index++) {
      await tags.fill(`tag ${index}`);
      await tags.press('Enter');
    }
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByText('must have at most 20 items').waitFor();
    await tags.press('Backspace');
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByText('The link is ready to share.').waitFor();
    expect((await linksOf('keyword=aaaa'))[0]).toMatchObject({ originalUrl: long.slice(0, 1000) });
    await page.keyboard.press('Escape');
    const search = page.getByRole('searchbox');
    await search.fill('s'.repeat(101));
    await page.getByText('101 of 100 characters').waitFor();
  });

  it('says at each field what the API said, also in closed sections, and asks before it discards', async () => {
    await createLink(console.organization, { customAlias: 'taken', title: 'Taken' });
    const { page } = await console.open('/links?new=1');
    const form = panel(page);
    await form.getByLabel('Destination').first().fill('ftp://localhost/');
    await form.getByLabel('Alias').fill('api');
    await form.getByText('api is a reserved word').waitFor();
    await form.getByLabel('Alias').fill('taken');
    await form.getByText('taken is taken on this domain').waitFor();
    await form.getByRole('button', { name: /Schedule/ }).click();
    await form.getByLabel('Password', { exact: true }).fill('abc');
    await form.getByRole('button', { name: /Schedule/ }).click();
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByText('must be a valid URL that starts with https://').first().waitFor();
    await form.getByLabel('Password', { exact: true }).waitFor();
    await form.getByText('must be at least 4 characters long').waitFor();
    await form.getByLabel('Destination').first().fill('https://shop.example.com/');
    await form.getByLabel('Password', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByText('is already taken on this domain').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'detached' });
  });

  describe('with links', () => {
    let domainId: number;

    beforeAll(async () => {
      domainId = await createDomain(console.app, console.organization, 'go.example.test', 'ACTIVE');
      for (let index = 1; index <= 6; index++) {
        await createLink(console.organization, {
          url: `https://shop.example.com/products/${index}`,
          customAlias: `product-${index}`,
          title: `Product ${index}`,
          tags: index % 2 === 0 ? ['even', 'shop'] : ['odd', 'shop'],
          enabled: index !== 5,
          ...(index === 6 && { customDomainId: domainId, utmCampaign: 'autumn' }),
        });
      }
    });

    it('searches, filters, sorts and remembers it in its address', async () => {
      const { page } = await console.open('/links?sort=alias,asc&tags=shop');
      await rowsAre(
        page,
        [1, 2, 3, 4, 5, 6].map((index) => `Product ${index}`),
      );
      await page.getByRole('button', { name: 'Sort by Link' }).click();
      await rowsAre(
        page,
        [6, 5, 4, 3, 2, 1].map((index) => `Product ${index}`),
      );
      await page.getByRole('searchbox').fill('products/3');
      await rowsAre(page, ['Product 3']);
      await page.getByRole('searchbox').fill('');
      await row(page, 'Product 4').getByRole('button', { name: 'Filter by even' }).click();
      await rowsAre(page, ['Product 6', 'Product 4', 'Product 2']);
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('combobox', { name: 'Domain' }).click();
      await page.getByRole('option', { name: 'go.example.test' }).click();
      await rowsAre(page, ['Product 6']);
      await page.getByLabel('UTM campaign').fill('autumn');
      await page.getByLabel('UTM campaign').press('Enter');
      await page.getByLabel('Created from').fill('2020-01-01');
      await rowsAre(page, ['Product 6']);
      await page.keyboard.press('Escape');
      await page.reload();
      await rowsAre(page, ['Product 6']);
      expect(page.url()).toContain(`customDomainId=${domainId}`);
      await page.getByRole('button', { name: 'Remove the filter Created from' }).click();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row(page, 'Taken').waitFor();
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByText('No link matches').waitFor();
    });

    it('changes many at once, and takes it back', async () => {
      const { page } = await console.open('/links?sort=alias,asc&keyword=products');
      for (const index of [4, 5]) await row(page, `Product ${index}`).getByRole('checkbox').check();
      const bar = page.getByRole('region', { name: 'Selected links' });
      await bar.getByRole('button', { name: 'Disable' }).click();
      await toast(page, '2 links changed');
      expect([(await byAlias('product-4')).enabled, (await byAlias('product-5')).enabled]).toEqual([
        false,
        false,
      ]);
      await undo(page);
      // Product 5 was off before.
      await eventually(async () =>
        expect([(await byAlias('product-4')).enabled, (await byAlias('product-5')).enabled]).toEqual([
          true,
          false,
        ]),
      );
      for (const index of [3, 4]) await row(page, `Product ${index}`).getByRole('checkbox').check();
      await bar.getByRole('button', { name: 'Tags' }).click();
      const box = page.getByRole('dialog', { name: 'Tags' });
      const tags = box.getByRole('combobox', { name: 'Tags' });
      for (const tag of ['Even', 'fresh']) {
        await tags.fill(tag);
        await tags.press('Enter');
      }
      await box.getByRole('button', { name: 'Add' }).click();
      await toast(page, '2 links changed');
      await eventually(async () =>
        expect((await byAlias('product-3')).tags).toEqual(['odd', 'shop', 'Even', 'fresh']),
      );
      await undo(page);
      await eventually(async () =>
        expect([(await byAlias('product-3')).tags, (await byAlias('product-4')).tags]).toEqual([
          ['odd', 'shop'],
          ['even', 'shop'],
        ]),
      );
      await row(page, 'Product 1').getByRole('checkbox').check();
      await bar.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
      await toast(page, '1 link changed');
      expect((await byAlias('product-1')).archived).toBe(true);
      await row(page, 'Product 1').waitFor({ state: 'detached' });
      await undo(page);
      await row(page, 'Product 1').waitFor();
      await row(page, 'Product 1').getByRole('checkbox').check();
      await row(page, 'Product 2').getByRole('checkbox').check();
      await bar.getByRole('button', { name: 'Delete' }).click();
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
      await page.getByLabel('Type delete 2 links to confirm').fill('delete 2 links');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await toast(page, '2 links deleted');
      expect((await linksOf('keyword=product')).map(({ title }) => title).sort()).toEqual(
        [3, 4, 5, 6].map((index) => `Product ${index}`),
      );
    });

    it('edits in the same panel, sends only what changed, and takes it back', async () => {
      const { page } = await console.open('/links?keyword=products');
      await row(page, 'Product 3')
        .getByRole('button', { name: /^Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      const form = panel(page);
      const sent = page.waitForRequest((request) => request.method() === 'PUT');
      await form.getByLabel('Destination').first().fill('https://shop.example.com/products/three');
      await form.getByRole('button', { name: 'Save' }).click();
      expect((await sent).postDataJSON()).toEqual({ originalUrl: 'https://shop.example.com/products/three' });
      await toast(page, 'Saved');
      expect((await byAlias('product-3')).originalUrl).toBe('https://shop.example.com/products/three');
      await undo(page);
      await eventually(async () =>
        expect((await byAlias('product-3')).originalUrl).toBe('https://shop.example.com/products/3'),
      );
      await page.goto(page.url().replace(/\?.*/, `?edit=${(await byAlias('product-3')).id}`));
      await form.getByLabel('Destination').first().fill('ftp://shop.example.com/');
      await form.getByRole('button', { name: 'Save' }).click();
      await eventually(async () =>
        expect(await form.getByLabel('Destination').first().getAttribute('aria-invalid')).toBe('true'),
      );
    });

    it('exports what the list shows', async () => {
      const { page } = await console.open('/links?tags=even&sort=alias,asc');
      await row(page, 'Product 4').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
      expect(lines).toHaveLength(3);
      expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual([
        'https://shop.example.com/products/4',
        'https://shop.example.com/products/6',
      ]);
    });

    it('says why an export failed', async () => {
      const { page } = await console.open('/links');
      await page.route('**/urls/export*', (route) =>
        route.fulfill({
          status: 429,
          json: { status: 429, code: 'RATE_LIMITED', message: 'Too many exports: wait a minute' },
        }),
      );
      let downloads = 0;
      page.on('download', () => downloads++);
      await page.getByRole('button', { name: 'Export' }).click();
      await toast(page, 'Too many exports: wait a minute');
      expect(downloads).toBe(0);
    });

    it('looks good everywhere', async () => {
      await console.inspect({ '/links': 'table', '/links?new=1': 'form' });
    });
  });

  it('shows viewers the list, and no form', async () => {
    const { page } = await console.open('/', { as: await console.user('VIEWER') });
    for (const query of ['new=1', 'edit=1', 'import=1']) {
      await page.goto(`${CONSOLE}/links?${query}`);
      await page.getByRole('table').waitFor();
      if (query !== 'import=1') await toast(page, 'Your role may look at this, but not change it.');
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  });
});
