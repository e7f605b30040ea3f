import type { Page } from 'playwright-core';
import { useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';

describe('lists of the console', () => {
  const console = useTestConsole();
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  beforeAll(async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `https://shop.example.com/${at},Imported ${at}`);
    await console.organization.api
      .post('/api/v1/service/urls/import')
      .set('Content-Type', 'text/csv')
      .send(['url,title', ...rows].join('\n'))
      .expect(200);
  });

  it('shows 15 links on a laptop, whose columns and distance are as the user chose', async () => {
    const { page } = await console.open('/links');
    await page.setViewportSize({ width: 1366, height: 768 });
    const table = page.getByRole('table');
    const title = table.getByTitle(/^Imported/);
    await title.first().waitFor();
    const inSight = async () => {
      const boxes = await Promise.all((await title.all()).map((one) => one.boundingBox()));
      return boxes.filter((box) => box && box.y + box.height <= 768).length;
    };
    expect(await inSight()).toBeGreaterThanOrEqual(15);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Tags' }).uncheck();
    await table.getByRole('columnheader', { name: 'Tags' }).waitFor({ state: 'detached' });
    await page.getByText('Comfortable').click();
    await eventually(async () => expect(await inSight()).toBeLessThan(10));
    await page.reload();
    await title.first().waitFor();
    expect(await table.getByRole('columnheader', { name: 'Tags' }).count()).toBe(0);
    expect(await inSight()).toBeLessThan(10);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Usual columns' }).click();
    await table.getByRole('columnheader', { name: 'Tags' }).waitFor();
  });

  it('comes back to where a long list was left', async () => {
    const { page } = await console.open('/links?sort=createdAt,asc');
    await eventually(async () => {
      await page.evaluate('scrollTo(0, 9_600)');
      await page.getByRole('link', { name: 'Imported 320' }).waitFor({ timeout: 500 });
    });
    const left = page.getByRole('link', { name: 'Imported 320' });
    for (const back of [
      () => page.goBack(),
      () => page.getByRole('link', { name: 'Back to Links' }).click(),
    ]) {
      const before = await left.boundingBox();
      await left.click();
      await page.getByRole('heading', { name: 'Imported 320' }).waitFor();
      await back();
      await left.waitFor();
      await eventually(async () => expect((await left.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1));
    }
  });

  it('has whole titles and every menu on a small phone', async () => {
    const title = 'A title that is far too long for one line of a small telephone';
    await createLink(console.organization, { title });
    for (const width of [320, 390]) {
      const { page } = await console.open('/links', { device: 'iphone' });
      await page.setViewportSize({ width, height: 640 });
      const name = row(page, title).getByTitle(title);
      await name.waitFor();
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
      const menu = await row(page, title)
        .getByRole('button', { name: /^Actions for/ })
        .boundingBox();
      expect((menu?.x ?? width) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
    }
  });
});
