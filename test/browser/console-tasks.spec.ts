import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { createCampaign } from '../support/campaigns';
import { useTestConsole } from '../support/console';
import { DnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { consoleApi } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { SHORT_HOST } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';
import { WebhookReceiver } from '../support/webhook-receiver';

const DAY_MS = 86_400_000;
const KOREA = '168.126.63.1';
const AMERICA = '8.8.8.8';

/** What people come to the console for, each from the overview on, by the menu, with its clicks counted. */
describe('twelve tasks in the console', () => {
  let dns: DnsServer;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    [dns, receiver] = await Promise.all([DnsServer.start(), WebhookReceiver.start()]);
  });
  afterAll(() => Promise.all([dns.close(), receiver.close()]));
  const console = useTestConsole({ defaultRegion: 'KR' }, () => ({ env: { DNS_SERVERS: dns.address } }));

  const clicks = new Map<string, number>();
  afterAll(() => {
    const rows = [...clicks].map(([task, count]) => `${task}: ${count} clicks`);
    process.stdout.write(`${rows.join('\n')}\n`);
  });

  const api = () => consoleApi(console.app);
  const path = (below: string) =>
    `/api/v1/console/organizations/${console.organization.organizationId}${below}`;
  const contentOf = async (below: string): Promise<Record<string, unknown>[]> =>
    ((await api().get(path(below)).expect(200)).body as { content: Record<string, unknown>[] }).content;

  // Two weeks of clicks; yesterday, the referrer with the most clicks sent none.
  beforeAll(async () => {
    const { app, organization } = console;
    const link = await createLink(organization, { title: 'Shoes' });
    const campaign = await createCampaign(organization, { name: 'Autumn', alias: 'autumn' });
    const now = Date.now();
    for (let daysAgo = 13; daysAgo >= 0; daysAgo--) {
      app.clock.set(new Date(now - daysAgo * DAY_MS));
      const click = (to: string, ip: string, userAgent: string, headers = {}) =>
        visit(app, to, { ip, userAgent, headers }).expect(302);
      await click(`/${codeOf(link)}`, KOREA, IPHONE);
      await click(`/${codeOf(link)}`, AMERICA, CHROME);
      for (let n = 0; n < 3 && daysAgo !== 1; n++)
        await click(`/${codeOf(link)}`, KOREA, CHROME, { Referer: 'https://news.example/' });
      await click('/c/autumn/mail', KOREA, CHROME);
      for (let n = 0; n < (daysAgo < 7 ? 2 : 1); n++) await click('/c/autumn/poster', KOREA, IPHONE);
    }
    app.clock.run();
    await eventually(async () => {
      const [row] = await contentOf('/urls');
      expect(row?.['clickCount']).toBe(14 * 5 - 3);
      expect((await contentOf(`/campaigns`))[0]).toMatchObject({ id: campaign.id, clickCount: 35 });
    });
  });

  /** A task: it ends on no error page, and nothing complains. */
  function task(name: string, does: (page: Page) => Promise<void>): void {
    it(name, async () => {
      const { page, context, complaints } = await console.open('/');
      let count = 0;
      await context.exposeBinding('countClick', () => {
        count++;
      });
      await page.evaluate(COUNT);
      await context.addInitScript(COUNT);
      await does(page);
      expect(await page.getByText('Something on this page went wrong.').count()).toBe(0);
      expect(complaints).toEqual([]);
      clicks.set(name, count);
    });
  }
  const menu = (page: Page, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const button = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).first().click();
  const plot = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog').last();
  const send = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
  const choice = async (page: Page, name: string, item: string) => {
    await page.getByRole('button', { name: new RegExp(`^${name}: `) }).click();
    await page.getByRole('menuitemradio', { name: item, exact: true }).click();
  };
  const choose = async (page: Page, item: string, of: string | RegExp = 'Actions') => {
    await page.getByRole('button', { name: of }).first().click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  task('a link with UTM values, a tag and its QR code', async (page) => {
    await button(page, 'New link');
    await dialog(page).getByLabel('Destination').first().fill('https://shop.example.com/autumn');
    await dialog(page).getByRole('combobox', { name: 'Tags' }).fill('autumn');
    await page.keyboard.press('Enter');
    await dialog(page)
      .getByRole('button', { name: /UTM values/ })
      .click();
    await dialog(page).getByLabel('Source', { exact: true }).fill('newsletter');
    await send(page, 'Create link');
    const file = page.waitForEvent('download');
    await dialog(page).getByRole('link', { name: 'PNG', exact: true }).click();
    expect((await readFile(await (await file).path())).subarray(1, 4).toString()).toBe('PNG');
    const [link] = await contentOf('/urls');
    expect(link).toMatchObject({ tags: ['autumn'], utmSource: 'newsletter' });
  });

  task('the best channel of a campaign, week on week', async (page) => {
    await menu(page, 'Campaigns');
    await page.getByRole('link', { name: 'Autumn' }).click();
    await choice(page, 'Range', 'Last 7 days');
    await choice(page, 'Comparison', 'Previous period');
    await page.getByRole('combobox', { name: 'Sources: Dimension' }).click();
    await page.getByRole('option', { name: 'Channel' }).click();
    const best = plot(page, 'Sources').getByRole('button').filter({ hasText: /▲|▼/ }).first();
    await best.filter({ hasText: /poster.*▲ 100%.*14/ }).waitFor();
  });

  task('why clicks dropped on a day', async (page) => {
    await menu(page, 'Links');
    await page.getByRole('link', { name: 'Shoes' }).click();
    await choice(page, 'Range', 'Yesterday');
    await choice(page, 'Comparison', 'Previous period');
    await page.getByText('Before: 5', { exact: true }).first().waitFor();
    await plot(page, 'Sources').getByText('news.example').waitFor();
  });

  task('clicks by country and device, exported', async (page) => {
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await plot(page, 'Places')
      .getByRole('button', { name: /South Korea/ })
      .click();
    await plot(page, 'Technology')
      .getByRole('button', { name: /Phone|Mobile|mobile/ })
      .click();
    await page.waitForURL(/country.*device|device.*country/);
    await page.getByRole('button', { name: 'Actions of Over time' }).click();
    const file = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download CSV' }).click();
    expect((await file).suggestedFilename()).toMatch(/South Korea/);
  });

  task('an import of 50 rows, 5 of them wrong, mended and imported', async (page) => {
    await menu(page, 'Links');
    await button(page, 'Import');
    const rows = Array.from(
      { length: 50 },
      (_, n) => `${n % 10 === 4 ? '' : 'https://'}shop.example.com/${n}`,
    );
    const file = (text: string) => ({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles(file(['url', ...rows].join('\n')));
    await send(page, 'Import 45 rows');
    await dialog(page).getByText('45 links were imported').waitFor();
    const download = page.waitForEvent('download');
    await send(page, 'Download failed rows');
    const failed = await readFile(await (await download).path(), 'utf8');
    await send(page, 'Import another file');
    const mended = failed.replaceAll('shop.example.com', 'https://shop.example.com');
    await dialog(page).locator('input[type=file]').setInputFiles(file(mended));
    await send(page, 'Import 5 rows');
    await dialog(page).getByText('5 links were imported').waitFor();
  });

  task('a segment and its members', async (page) => {
    for (const [n, grade] of ['gold', 'gold', 'silver'].entries())
      await api()
        .post(path('/messaging/contacts'), { name: `Member ${n}`, customFields: { grade } })
        .expect(201);
    await menu(page, 'Segments');
    await button(page, 'Create segment');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Gold');
    await dialog(page).getByRole('combobox', { name: 'Property' }).click();
    await page.getByRole('option', { name: 'grade', exact: true }).click();
    await dialog(page).getByRole('combobox', { name: 'Value' }).fill('gold');
    await dialog(page).getByText('2 contacts meet the conditions now').waitFor();
    await send(page, 'Create segment');
    await page.getByRole('link', { name: 'Show members' }).click();
    await page.getByRole('link', { name: 'Member 1' }).waitFor();
    expect(await page.getByRole('link', { name: 'Member 2' }).count()).toBe(0);
  });

  task('a person found by phone and erased', async (page) => {
    await api()
      .post(path('/messaging/contacts'), { name: 'Kim Gone', phoneNumber: '+821012345678' })
      .expect(201);
    await menu(page, 'Contacts');
    await page.getByRole('searchbox').fill('010-1234-5678');
    await page.getByRole('link', { name: 'Kim Gone' }).click();
    await choose(page, 'Erase everything');
    await dialog(page).getByRole('textbox').fill('Kim Gone');
    await send(page, 'Erase everything');
    await page.getByRole('status').getByText('Everything about the person was erased').waitFor();
  });

  task('a domain, and an apex one', async (page) => {
    dns.cname(`_waypost.${SHORT_HOST}`, 'alive.test');
    for (const [name, record] of [
      ['go.brand.test', 'CNAME'],
      ['brand.test', 'ALIAS'],
    ] as const) {
      await menu(page, 'Domains');
      await button(page, 'Add domain');
      await dialog(page).getByRole('textbox').fill(name);
      await send(page, 'Add domain');
      await page.getByRole('list', { name: 'Lead visitors here' }).getByText(record).first().waitFor();
    }
  });

  task('an iOS app and its association file', async (page) => {
    await menu(page, 'Apps');
    await button(page, 'Add app');
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
    await dialog(page).getByLabel('Bundle ID').fill('com.example.tasks');
    await dialog(page).getByLabel('Team ID').fill('ABCDE12345');
    await dialog(page).getByLabel('Store page').fill('https://apps.apple.com/app/id1234567890');
    await send(page, 'Add app');
    await page.getByRole('tab', { name: /iles/ }).click();
    await page.locator('pre').filter({ hasText: 'ABCDE12345.com.example.tasks' }).first().waitFor();
  });

  task('a webhook, a failure and its redelivery', async (page) => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    await menu(page, 'Webhooks');
    await button(page, 'Add endpoint');
    await dialog(page).getByRole('textbox', { name: 'Address of the receiver' }).fill(receiver.url);
    await dialog(page).getByRole('switch', { name: 'All events' }).check();
    await send(page, 'Add endpoint');
    await send(page, 'Done');
    await page.getByRole('link', { name: receiver.url }).click();
    await button(page, 'Send test event');
    await page
      .getByRole('row', { name: /webhook\.test/ })
      .getByRole('button', { name: 'Details' })
      .click();
    await dialog(page).getByText('500').first().waitFor();
    receiver.answer = (_, response) => response.writeHead(200).end();
    await send(page, 'Deliver again');
    await page.keyboard.press('Escape');
    await page
      .getByRole('row', { name: /webhook\.test.*Delivered/ })
      .first()
      .waitFor();
  });

  task('a viewer is invited', async (page) => {
    await menu(page, 'Settings');
    await page.getByRole('tab', { name: 'Users' }).click();
    await button(page, 'Invite');
    await dialog(page).getByRole('textbox', { name: 'E-mail address' }).fill('park@example.com');
    await send(page, 'Create link');
    expect(await dialog(page).locator('code').innerText()).toMatch(/^http/);
    expect(await contentOf('/invitations')).toEqual([expect.objectContaining({ role: 'VIEWER' })]);
  });

  task('a key with scopes, rotated', async (page) => {
    await menu(page, 'Settings');
    await page.getByRole('tab', { name: 'API keys' }).click();
    await button(page, 'Create API key');
    await dialog(page).getByRole('textbox', { name: 'Purpose' }).fill('Shop server');
    await dialog(page).getByRole('combobox', { name: 'Only these' }).click();
    await page.getByRole('option', { name: 'links:read' }).click();
    await page.keyboard.press('Escape');
    await send(page, 'Create API key');
    const key = await dialog(page).locator('code').innerText();
    await send(page, 'Done');
    await choose(page, 'Replace', 'Actions: Shop server');
    await send(page, 'Replace');
    expect(await dialog(page).locator('code').innerText()).not.toBe(key);
  });
});

/** Counts what people press, typing apart. */
const COUNT = `addEventListener('pointerdown', ({ isTrusted }) => isTrusted && countClick(), true)`;
