import type { CampaignResponse as Campaign } from '../../src/modules/campaigns/campaign.dto';
import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { toast, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { CHROME, GALAXY, IPHONE, visit } from '../support/visits';
import { perSuite } from '../support/test-app';

describe('campaigns in the console', () => {
  const console = useTestConsole();

  const base = () => `${console.organization.consolePath}/campaigns`;
  const get = (id: number): Promise<Campaign> => console.platform.read<Campaign>(`${base()}/${id}`);
  const named = async (name: string): Promise<Campaign | undefined> =>
    (await console.platform.read<{ content: Campaign[] }>(base(), { search: name, archived: 'all' }))
      .content[0];

  const campaign = perSuite(() =>
    createCampaign(console.organization, {
      name: 'Autumn sale',
      alias: 'autumn',
      variants: ['a', 'b'].map((path) => ({ url: `https://shop.example.com/${path}`, weight: 1 })),
    }),
  );
  beforeAll(async () => {
    for (let index = 0; index < 8; index++) {
      await createCampaign(console.organization, {
        name: `Campaign ${index}`,
        enabled: index !== 3,
        archived: index === 4,
      });
    }
    const visits = [
      ['/poster?cid=anna', IPHONE],
      ['/poster?cid=ben', GALAXY],
      ['/mail?cid=anna', CHROME],
      ['', CHROME],
    ] as const;
    for (const [path, userAgent] of visits)
      await visit(console.app, `/c/autumn${path}`, { userAgent }).expect(302);
    await eventually(async () => expect((await get(campaign.id))['clickCount']).toBe(4));
  });

  it('creates a campaign with every field, and shows the errors of the API at their fields', async () => {
    const { page } = await console.open('/campaigns');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    const panel = page.getByRole('dialog');
    const send = () => panel.getByRole('button', { name: 'Create campaign' }).click();
    await panel.getByLabel('Name').fill('Winter sale');
    await panel.getByLabel('Destination').fill('shop.example.com');
    await send();
    await panel.getByText('must be a valid URL').waitFor();
    await panel.getByLabel('Destination').fill('https://shop.example.com/winter');
    await panel.getByLabel('Alias').fill('autumn');
    await send();
    await panel.getByText('is already taken on this domain').waitFor();
    await panel.getByLabel('Alias').fill('winter');
    await panel.getByLabel('Title', { exact: true }).fill('Winter');
    await panel.getByRole('button', { name: 'UTM values' }).click();
    await panel.getByLabel('Source').fill('poster');
    const tags = panel.getByRole('combobox', { name: 'Tags' });
    await tags.fill('winter');
    await tags.press('Enter');
    await panel.getByRole('button', { name: /Schedule/ }).click();
    await panel.getByLabel('Expires').fill('2030-01-02T03:04');
    await panel.getByLabel('Password', { exact: true }).fill('open sesame');
    await panel.getByRole('button', { name: 'Apps and goal' }).click();
    await panel.getByLabel('Conversion goal').fill('signup');
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'More settings' }).click();
    await panel.getByRole('switch', { name: 'Pass on the query' }).click();
    await panel.getByLabel('External id').fill('winter-1');
    await send();
    await page.waitForURL(/\/campaigns\/\d+$/);
    await page.getByRole('heading', { name: 'Winter sale' }).waitFor();
    expect(await named('Winter sale')).toMatchObject({
      alias: 'winter',
      originalUrl: 'https://shop.example.com/winter',
      title: 'Winter',
      utmSource: 'poster',
      goalType: 'signup',
      forwardQuery: false,
      externalId: 'winter-1',
      tags: ['winter'],
      hasPassword: true,
      expiresAt: expect.stringMatching(/^2030-01-0/) as string,
    });
  });

  it('sets each filter in the menu, shows it, keeps it in the address, and removes it by keyboard', async () => {
    const { id: appId } = await registerApp(console.organization, { appName: 'Shop' });
    await createCampaign(console.organization, {
      name: 'Filtered',
      iosAppId: appId,
      utmCampaign: 'spring',
      expiresAt: '2031-05-06T12:00:00Z',
    });
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const filters = [
      ['customDomainId', 'Domain', 'Default domain', 'default'],
      ['enabled', 'Enabled', 'Enabled', 'true'],
      ['archived', 'Archive', 'Archived too', 'all'],
      ['expired', 'Expiry', 'Not expired', 'false'],
      ['health', 'Health', 'Not checked yet', 'unknown'],
      ['appId', 'App', 'Shop (iOS)', String(appId)],
      ['utmCampaign', 'UTM campaign', null, 'spring'],
      ['createdAfter', 'Created from', null, day],
      ['createdBefore', 'Created until', null, '2099-01-02'],
      ['expiresAfter', 'Expires from', null, '2031-05-01'],
      ['expiresBefore', 'Expires until', null, '2031-05-31'],
    ] as const;
    const { page, complaints } = await console.open('/campaigns');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Filters' });
    for (const [, name, choice, value] of filters) {
      const field = menu.getByLabel(name, { exact: true }).and(menu.locator('input'));
      if (choice === null) await field.fill(value);
      else {
        await field.click();
        await menu.getByRole('option', { name: choice, exact: true }).click();
      }
    }
    await page.keyboard.press('Escape');
    const address = () => Object.fromEntries(new URL(page.url()).searchParams);
    const expected: Record<string, string> = Object.fromEntries(
      filters.map(([key, , , value]) => [key, value]),
    );
    await eventually(async () => expect(address()).toEqual(expected));
    await page.reload();
    const names = page.getByRole('table').getByRole('link', { name: /^(Autumn|Campaign|Winter|Filtered)/ });
    await eventually(async () => expect(await names.allInnerTexts()).toEqual(['Filtered']));
    for (const [key, name, choice, value] of filters) {
      await page.getByText(`${name}: ${choice ?? value}`, { exact: true }).waitFor();
      await page.getByRole('button', { name: `Remove the filter ${name}`, exact: true }).focus();
      await page.keyboard.press('Enter');
      Reflect.deleteProperty(expected, key);
      await eventually(async () => expect(address()).toEqual(expected));
    }
    await page.getByRole('link', { name: 'Campaign 2' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('edits with undo, disables and archives with undo, and deletes after the name was typed', async () => {
    const { id } = await createCampaign(console.organization, { name: 'To change' });
    const { page } = await console.open(`/campaigns/${id}`);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Changed');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    expect(await get(id)).toMatchObject({ name: 'Changed' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await get(id)).toMatchObject({ name: 'To change' }));
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for To change' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Disable');
    await toast(page, '1 campaign changed');
    await page.getByText('This campaign is disabled').waitFor();
    expect(await get(id)).toMatchObject({ enabled: false });
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await get(id)).toMatchObject({ enabled: true }));
    await choose('Archive');
    await toast(page, '1 campaign changed');
    expect(await get(id)).toMatchObject({ archived: true });
    await choose('Delete');
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill('To change');
    await remove.click();
    await page.waitForURL(/\/campaigns$/);
    expect(await named('To change')).toBeUndefined();
  });

  it('shows channels and customers with their addresses, and the clicks of one customer', async () => {
    const { page } = await console.open(`/campaigns/${campaign.id}?tab=channels`);
    await page.getByRole('row', { name: /poster.*2.*50%/ }).waitFor();
    await page.getByRole('textbox', { name: 'Channel' }).fill('radio');
    await page.getByRole('textbox', { name: 'Customer' }).fill('a b');
    await page.getByText('/c/autumn/radio?cid=a+b').waitFor();
    await page.getByRole('tab', { name: 'Customers' }).click();
    await page.getByRole('row', { name: /anna.*autumn\?cid=anna.*2/ }).waitFor();
    await page.getByRole('searchbox').fill('BEN');
    await eventually(async () => expect(await page.getByRole('button', { name: 'anna' }).count()).toBe(0));
    await page.getByRole('button', { name: 'ben', exact: true }).click();
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'poster' }).waitFor();
  });

  it('shows statistics, revenue, installs and clicks, and exports them', async () => {
    const { page } = await console.open(`/campaigns/${campaign.id}`);
    await page.getByRole('region', { name: 'Over time' }).waitFor();
    await page.getByRole('row', { name: /shop\.example\.com\/b .*50%/ }).waitFor();
    await page.getByRole('tab', { name: 'Revenue' }).click();
    await page.getByText('Purchases per click').waitFor();
    await page.getByRole('tab', { name: 'Installs' }).click();
    await page.getByText('Installs per click').waitFor();
    await page.getByRole('tab', { name: 'Clicks' }).click();
    await page.getByRole('row', { name: /poster.*ben/ }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`campaign-${campaign.id}-clicks.csv`);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const path = `/campaigns/${campaign.id}`;
    await console.inspect({
      '/campaigns': 'table',
      '/campaigns?new=1': 'form',
      [path]: 'canvas',
      [`${path}?tab=channels`]: 'table',
      [`${path}?tab=customers`]: 'table',
      [`${path}?tab=clickLog`]: 'table',
      [`${path}?tab=revenue`]: 'canvas',
      [`${path}?tab=settings`]: 'form',
    });
  });
});
