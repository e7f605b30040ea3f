import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import type { ClickAnalyticsResponse as Analytics } from '../../src/modules/analytics/clicks/clicks.dto';
import { settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { codeOf, createApp, createDomain, createLink } from '../support/links';
import { CHROME, IPHONE, visit } from '../support/visits';

const DAY_MS = 86_400_000;
const KOREA = '168.126.63.1';
const AMERICA = '8.8.8.8';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('plots of clicks in the console', () => {
  const console = useTestConsole({ timeZone: 'Asia/Seoul' });
  let path = '';
  let id = 0;

  const ask = async (query: Record<string, string>): Promise<Analytics> => {
    const { body } = await console.platform
      .get(`${console.organization.consolePath}/analytics/clicks`, `link=${id}`)
      .query(query)
      .expect(200);
    return body as Analytics;
  };

  // In each of the last ten days two clicks from Korea and one from America, and one a day a month before.
  beforeAll(async () => {
    const { app, organization } = console;
    const link = await createLink(organization, { title: 'Spring sale' });
    id = link.id;
    path = `/links/${link.id}?tab=statistics`;
    const click = (ip: string, userAgent: string, headers = {}) =>
      visit(app, `/${codeOf(link)}`, { ip, userAgent, headers }).expect(302);
    const now = Date.now();
    for (let daysAgo = 39; daysAgo >= 0; daysAgo--) {
      if (daysAgo > 9 && daysAgo < 30) continue;
      app.clock.set(new Date(now - daysAgo * DAY_MS));
      await click(KOREA, CHROME, { Referer: 'https://news.example/' });
      if (daysAgo > 9) continue;
      await click(KOREA, IPHONE);
      await click(AMERICA, IPHONE);
    }
    app.clock.run();
    const startDate = new Date(now - 41 * DAY_MS).toISOString().slice(0, 10);
    const endDate = new Date(now + DAY_MS).toISOString().slice(0, 10);
    await eventually(async () => expect((await ask({ startDate, endDate })).total).toBe(40));
  });

  const plot = (page: Page, name: string) =>
    page.locator('section').and(page.getByRole('region', { name, exact: true }));
  const figure = (page: Page, count: number) =>
    page.locator('main').getByText(String(count), { exact: true }).first();
  const filters = (page: Page) => new URL(page.url()).searchParams.get('filters') ?? '';
  const boxOf = async (element: Locator) => {
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox();
    if (!box) throw new Error('The plot is not drawn');
    return box;
  };
  const act = async (page: Page, title: string, item: string) => {
    const name = `Actions of ${title}`;
    await page.getByRole('button', { name }).click();
    await page.getByRole('menu', { name }).getByRole('menuitem', { name: item }).click();
  };
  const download = async (page: Page, title: string, item: string): Promise<[string, Buffer]> => {
    const [file] = await Promise.all([page.waitForEvent('download'), act(page, title, item)]);
    return [file.suggestedFilename(), await readFile(await file.path())];
  };

  it('filter by the country that is clicked on the map, and by bars; chips remove filters', async () => {
    const { page, complaints } = await console.open(path);
    await figure(page, 30).waitFor();
    const map = plot(page, 'Countries on the map');
    const { x, y, width, height } = await boxOf(map.locator('canvas').first());
    await clickWhere(page, map.getByText('United States', { exact: false }), {
      x: x + width * 0.1,
      y: y + height * 0.2,
      width: width * 0.25,
      height: height * 0.4,
    });
    await eventually(async () => expect(filters(page)).toBe('country=US'));
    await figure(page, 10).waitFor();
    await plot(page, 'Sources').getByText('news.example').waitFor({ state: 'detached' });
    const chips = page.getByRole('group', { name: 'Filters' });
    await chips.getByText('United States').waitFor();
    // The other countries stay, to be added.
    await plot(page, 'Places')
      .getByRole('button', { name: /South Korea.*20/ })
      .click();
    await eventually(async () => expect(filters(page)).toBe('country=US&country=KR'));
    await figure(page, 30).waitFor();
    await plot(page, 'Sources')
      .getByRole('button', { name: /news\.example.*10/ })
      .click();
    await eventually(async () => expect(filters(page)).toBe('country=US&country=KR&referrer=news.example'));
    await figure(page, 10).waitFor();
    await chips.getByRole('button', { name: 'Remove the filter news.example' }).click();
    await plot(page, 'Places')
      .getByRole('button', { name: /South Korea/, pressed: true })
      .click();
    await eventually(async () => expect(filters(page)).toBe('country=US'));
    await chips.getByRole('button', { name: 'Clear filters' }).click();
    await figure(page, 30).waitFor();
    expect([filters(page), complaints]).toEqual(['', []]);
  });

  it('name devices in Korean: bars, filters and single clicks', async () => {
    const { page } = await console.open(`${path}&filters=device%3DMobile`, { locale: 'ko-KR' });
    await page.getByRole('group', { name: '필터' }).getByText('모바일').waitFor();
    await page.getByRole('button', { name: /^모바일/ }).waitFor();
    await page.getByRole('button', { name: /^데스크톱/ }).waitFor();
    await page.getByRole('tab', { name: '최근 클릭' }).click();
    await page.getByText('모바일 · iOS').first().waitFor();
    expect(await page.getByText(/(?:Mobile|Desktop) · /).count()).toBe(0);
  });

  it('compare with the period before, as figures, in the table and in the address', async () => {
    const { page } = await console.open(path);
    await page.getByRole('button', { name: /^Comparison: / }).click();
    await page.getByRole('menuitemradio', { name: 'Previous period' }).click();
    await page.getByText('Before: 10', { exact: true }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('compare')).toBe('previous');
    await act(page, 'Over time', 'Show as table');
    const table = page.getByRole('table', { name: 'Over time' });
    await table.getByRole('columnheader', { name: 'Clicks, compared range' }).waitFor();
    const rows = await table.locator('tbody tr').allInnerTexts();
    const cells = rows.map((row) => row.split('\t').map((cell) => cell.trim()));
    const sum = (column: number) => cells.reduce((all, row) => all + Number(row[column]), 0);
    expect([cells.length, sum(1), sum(2)]).toEqual([30, 30, 10]);
    await plot(page, 'Places')
      .getByRole('button', { name: /South Korea.*▲ 100%.*20/ })
      .waitFor();
    await plot(page, 'Places')
      .getByRole('button', { name: /United States.*New.*10/ })
      .waitFor();
  });

  it('zoom to the days that are dragged over, whose figures are those of the API', async () => {
    const { page } = await console.open(path);
    await figure(page, 30).waitFor();
    const { x, y, width, height } = await boxOf(plot(page, 'Over time').locator('canvas').first());
    await page.mouse.move(x + width * 0.5, y + height / 2);
    await page.mouse.down();
    for (const at of [0.6, 0.7, 0.8]) await page.mouse.move(x + width * at, y + height / 2);
    await page.mouse.up();
    await page.waitForURL(/range=custom/);
    const { searchParams } = new URL(page.url());
    const [startDate, endDate] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
    const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(13);
    await settled(page);
    const { total, series } = await ask({ startDate, endDate });
    expect(total).toBeLessThan(30);
    await figure(page, total).waitFor();
    await act(page, 'Over time', 'Show as table');
    expect(await page.getByRole('table', { name: 'Over time' }).locator('tbody th').allInnerTexts()).toEqual(
      series.map(({ start }) => start),
    );
  });

  it('are filtered by a value that is searched, and by one that clicks must not have', async () => {
    const { page } = await console.open(path);
    await figure(page, 30).waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add filter' });
    await dialog.getByText('Is not', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Value' }).fill('united');
    await dialog.getByRole('option', { name: 'United States' }).click();
    await page.waitForURL(/filters=country%3D%2521US/);
    await settled(page);
    await figure(page, 20).waitFor();
    await page.getByText('not United States').waitFor();
    await page.goBack();
    await figure(page, 30).waitFor();
  });

  it('are filtered by an app and a domain without clicks', async () => {
    const { app, organization } = console;
    await createApp(app, organization, 'Web', 'unclicked');
    await createDomain(app, organization, 'unclicked.example', 'ACTIVE');
    for (const [dimension, name] of [
      ['Apps', 'Shop'],
      ['Domains', 'unclicked.example'],
    ] as const) {
      const { page } = await console.open(path);
      await figure(page, 30).waitFor();
      await page.getByRole('button', { name: 'Add filter' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add filter' });
      await dialog.getByRole('combobox', { name: 'Filter by' }).click();
      await dialog.getByRole('option', { name: dimension, exact: true }).click();
      await dialog.getByRole('combobox', { name: 'Value' }).fill(name.slice(0, 3));
      await dialog.getByRole('option', { name }).click();
      await figure(page, 0).waitFor();
    }
  });

  it('take no twenty-first value, and say so', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `country=Z${String.fromCharCode(65 + index)}`).join(
      '&',
    );
    const { page } = await console.open(`${path}&filters=${encodeURIComponent(many)}`);
    const address = page.url();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add filter' });
    await dialog.getByRole('combobox', { name: 'Value' }).fill('XY');
    await dialog.getByRole('option', { name: 'Use "XY"' }).click();
    await page.getByText('Filters take at most 20 values of a dimension.').waitFor();
    expect(page.url()).toBe(address);
  });

  it('show no figures of another filter while they load', async () => {
    const { page } = await console.open(path);
    await figure(page, 30).waitFor();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    await page.route(/analytics\/clicks\?.*country=/, async (route) => {
      await gate;
      await route.fallback();
    });
    await plot(page, 'Places')
      .getByRole('button', { name: /United States/ })
      .click();
    await page.waitForURL(/filters=country/);
    await eventually(async () => expect(await page.locator('main').innerText()).not.toMatch(/^30$/m));
    open();
    await figure(page, 10).waitFor();
  });

  it('lead into the day of a point by a click and by the keyboard', async () => {
    const { page } = await console.open(path);
    await figure(page, 30).waitFor();
    const points = plot(page, 'Over time').getByRole('slider');
    await points.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL(/range=custom/);
    const byKeys = new URL(page.url()).searchParams;
    expect(byKeys.get('from')).toBe(byKeys.get('to'));
    await page.goBack();
    await settled(page);
    const { x, y, width, height } = await boxOf(plot(page, 'Over time').locator('canvas').first());
    await page.mouse.click(x + width * 0.9, y + height / 2);
    await page.waitForURL(/range=custom/);
    const byClick = new URL(page.url()).searchParams;
    expect(byClick.get('from')).toBe(byClick.get('to'));
  });

  it('are downloaded as CSV with what is shown, and as PNG', async () => {
    const { page, complaints } = await console.open(`${path}&filters=country%3DUS`);
    await figure(page, 10).waitFor();
    const { series } = await ask({ country: 'US' });
    const [csvName, csv] = await download(page, 'Over time', 'Download CSV');
    expect(csvName).toMatch(/^Over time \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, country=United States\.csv$/);
    const lines = csv.toString('utf8').replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(lines[0]).toBe('Period,Clicks,Visitors');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual(
      series.map(({ start, value }) => [start, String(value)]),
    );
    const [, places] = await download(page, 'Places', 'Download CSV');
    expect(places.toString('utf8')).toContain('United States');
    const [, map] = await download(page, 'Countries on the map', 'Download CSV');
    expect(map.toString('utf8')).toBe(
      '\uFEFFCountry,Code,Clicks\r\nSouth Korea,KR,20\r\nUnited States,US,10\r\n',
    );
    for (const title of ['Over time', 'Countries on the map', 'Places']) {
      const [name, png] = await download(page, title, 'Download PNG');
      expect(name).toMatch(new RegExp(`^${title} .*, country=United States\\.png$`));
      expect(png.subarray(0, 8)).toEqual(PNG);
      expect(png.readUInt32BE(16)).toBeGreaterThan(300);
      expect(png.length).toBeGreaterThan(2_000);
    }
    expect(complaints).toEqual([]);
  });
});

/** Moves over part of a plot until its tooltip shows a text, then clicks. */
async function clickWhere(
  page: Page,
  text: Locator,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Promise<void> {
  for (let down = 0; down < 1; down += 0.1) {
    for (let right = 0; right < 1; right += 0.1) {
      const at = [x + width * right, y + height * down] as const;
      await page.mouse.move(...at);
      if (await text.last().isVisible()) return page.mouse.click(...at);
    }
  }
  throw new Error('The text is shown nowhere');
}
