import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { seriousFindings, useTestConsole } from '../support/console';

describe('an import of the console', () => {
  const console = useTestConsole();
  const total = async (path: string): Promise<number> => {
    const { platform, organization } = console;
    return (await platform.read<{ totalElements: number }>(`${organization.consolePath}${path}`))
      .totalElements;
  };
  const choose = async (page: Page, lines: readonly string[]) => {
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'rows.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
    return dialog;
  };

  it('sends nothing after it is stopped, and says what was imported', async () => {
    const { page } = await console.open('/contacts');
    await page.getByRole('button', { name: 'Import' }).click();
    const rows = Array.from({ length: 1_600 }, (_, row) => `stopped-${row},Stopped ${row}`);
    const dialog = await choose(page, ['externalUserId,name', ...rows]);
    let sent = 0;
    let answer = () => {};
    const stopped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/contacts/import', async (route) => {
      if (++sent === 2) await stopped;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('500 of 1,600 rows').waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    answer();
    await dialog.getByText('The import was stopped').waitFor();
    await dialog.getByText('1,000 of 1,600 rows').waitFor();
    await dialog.getByText('Created: 1,000, changed: 0').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import another file' }).waitFor();
    expect({ sent, created: await total('/messaging/contacts') }).toEqual({ sent: 2, created: 1_000 });
  });

  it('that lost an answer continues where it was, and creates nothing twice', async () => {
    const { page } = await console.open('/links?import=1');
    // The second part is imported, but the browser never hears of it; the third does not reach the service.
    await page.evaluate(`{
      const real = fetch;
      let parts = 0;
      window.keys = [];
      window.fetch = async (url, call) => {
        if (!url.includes('dryRun=false')) return real(url, call);
        window.keys.push(call.headers.get('idempotency-key'));
        const part = ++parts;
        if (part === 4) throw new TypeError('away');
        const answer = await real(url, call);
        if (part === 2) throw new TypeError('lost');
        return answer;
      };
    }`);
    const rows = Array.from({ length: 1_200 }, (_, row) => `https://shop.example.com/broken/${row}`);
    const dialog = await choose(page, ['url', ...rows]);
    await dialog.getByText('1,200 links would be created').waitFor();
    await dialog.getByRole('button', { name: 'Import 1,200 rows' }).click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await dialog.getByText('500 of 1,200 rows').waitFor();
    expect(await total('/urls?keyword=broken')).toBe(1_000);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1,000 of 1,200 rows').waitFor();
    await page.getByRole('button', { name: 'Show' }).click();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('1,200 links were imported').waitFor();
    expect(await total('/urls?keyword=broken')).toBe(1_200);
    const keys: string[] = await page.evaluate('window.keys');
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 1, 1, 3, 3]);
  });

  it('reads JSON of another product, and shows the clicks that it brings along', async () => {
    const { page } = await console.open('/links?import=1');
    const item = (shortCode: string) => ({
      ...{ shortCode, longUrl: 'https://shop.example.com/old', title: `Old ${shortCode}` },
      visitsSummary: { total: 1_234 },
    });
    const data = [item('old-sale'), item('old.sale'), item('old/sale')];
    const dialog = await choose(page, [JSON.stringify({ shortUrls: { data } })]);
    await dialog.getByText('2 links would be created. 1 keeps a code that new ones cannot have.').waitFor();
    await dialog.getByText('must not contain "/"').waitFor();
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByText('2 links were imported').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(page.url().replace(/\/links.*/, '/links?search=shop.example.com/old'));
    const row = page.getByRole('row', { name: /old\.sale/ });
    await row.getByText('+ 1,234 imported').waitFor();
  });

  it('gives the rows that failed as a file, which is mended and imported, and shows what came', async () => {
    await console.organization.api
      .post('/api/v1/service/urls', { url: 'https://shop.example.com/newest', title: 'Newest' })
      .expect(201);
    const { page } = await console.open('/links?import=1');
    const rows = Array.from({ length: 50 }, (_, n) => {
      const url = n % 10 === 4 ? `shop.example.com/mended/${n}` : `https://shop.example.com/mended/${n}`;
      return `${url};Mended ${n};"a|b; c";2019-01-01`;
    });
    // As an old Mac would write it, which Excel for Mac still offers.
    const content = ['sep=;', '', 'Long URL;Title;Notes;Created at', ...rows].join('\r');
    const dialog = await choose(page, [content]);
    await dialog.getByText('45 links would be created').waitFor();
    await dialog.getByText('These columns are not used: Notes').waitFor();
    await dialog.getByRole('row', { name: /^8 .*https:.*Long URL: shop.example.com\/mended\/4/ }).waitFor();
    await dialog.getByRole('button', { name: 'Import 45 rows' }).click();
    await dialog.getByText('45 links were imported').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download failed rows' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('rows-failed.csv');
    const failed = await readFile(await file.path(), 'utf8');
    expect(failed.split('\r\n')).toEqual([
      '\ufeffLong URL,Title,Notes,Created at,error',
      ...[4, 14, 24, 34, 44].map((n): unknown =>
        expect.stringContaining(`shop.example.com/mended/${n},Mended ${n},"a|b; c",2019-01-01,url: must`),
      ),
      '',
    ]);
    await dialog.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, [failed.replaceAll('shop.example.com', 'https://shop.example.com')]);
    await dialog.getByText('These columns are not used: Notes, error').waitFor();
    await dialog.getByRole('button', { name: 'Import 5 rows' }).click();
    await dialog.getByText('5 links were imported').waitFor();
    expect(await total('/urls?keyword=mended')).toBe(50);
    await dialog.getByRole('button', { name: 'Show what was imported' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /Mended 44/ }).waitFor();
    expect(await page.getByRole('row').nth(1).textContent()).toContain('Mended');
  });

  it('says where a file cannot be read, and that it has no rows', async () => {
    const { page } = await console.open('/links?import=1');
    const dialog = await choose(page, [
      'url',
      'https://shop.example.com/quoted',
      '"https://shop.example.com/',
    ]);
    await dialog.getByText('Line 3 has a quote that is never closed').waitFor();
    await choose(page, ['url', '']);
    await dialog.getByText('The file has no rows below its header.').waitFor();
  });

  it.each([
    ['/links', 'url\thttps://shop.example.com/'],
    ['/contacts', 'externalUserId\tname'],
    ['/opt-outs', 'value\r\n+821012345678'],
  ])('says at %s that a file is UTF-16', async (path, content) => {
    const { page, complaints } = await console.open(path);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'unicode.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`\ufeff${content}\r\n`, 'utf16le'),
    });
    // Files of links are checked at once.
    if (path !== '/links') await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('Line 1 is UTF-16, not UTF-8; save the file as “CSV UTF-8”.').waitFor();
    expect(await dialog.getByText(/must be a column|0 of 0/).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
