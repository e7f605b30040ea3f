import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { registerApp } from '../support/apps';
import { CONSOLE, settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { createLink } from '../support/links';
import { logoOf, readQr } from '../support/qr-images';
import { CHROME, GOOGLEBOT, IPHONE, visit } from '../support/visits';

describe('the page of a link in the console', () => {
  const console = useTestConsole({ timeZone: 'UTC' });
  let id: number;

  beforeAll(async () => {
    const iosApp = await registerApp(console.organization, { platform: 'iOS' });
    const link = await createLink(console.organization, {
      url: 'https://shop.example.com/spring',
      customAlias: 'spring',
      title: 'Spring sale',
      tags: ['spring', 'shop'],
    });
    id = link.id;
    for (let count = 0; count < 30; count++) {
      const userAgent = count % 3 === 0 ? IPHONE : CHROME;
      await visit(console.app, '/spring', {
        ip: `203.0.113.${count}`,
        userAgent,
        headers: { Referer: 'https://news.example.org/' },
      });
    }
    await visit(console.app, '/spring', { userAgent: GOOGLEBOT });
    await console.organization.api
      .put(`/api/v1/service/urls/${id}`, {
        iosAppId: iosApp.id,
        customAlias: 'summer',
        variants: [
          { url: 'https://shop.example.com/a', weight: 1 },
          { url: 'https://shop.example.com/b', weight: 3 },
        ],
      })
      .expect(200);
    for (let count = 0; count < 40; count++) {
      await visit(console.app, link.shortUrl.replace(/^.*\//, '/'), { ip: `198.51.100.${count}` });
    }
    for (let count = 0; count < 5; count++) {
      await visit(console.app, new URL(String((await read()).link)).pathname, {
        ip: `192.0.2.${count}`,
        userAgent: IPHONE,
      });
    }
    await eventually(async () => expect((await read()).clickCount).toBe(75));
  });

  const read = async (): Promise<Record<string, unknown>> =>
    (await console.organization.api.get(`/api/v1/service/urls/${id}`).expect(200)).body as Record<
      string,
      unknown
    >;
  const toast = (page: Page, text: string) =>
    page.locator('.mantine-Notification-root', { hasText: text }).last().waitFor();
  const choose = async (page: Page, item: string) => {
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  it('shows clicks, variants with their rates, installs and funnel', async () => {
    const { page, complaints } = await console.open(`/links/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Spring sale' }).waitFor();
    await page.getByText('75 clicks').waitFor();
    const variants = page.getByRole('table', { name: 'Variants' });
    const rows = await variants.getByRole('row').allInnerTexts();
    expect(rows).toHaveLength(3);
    const { body } = await console.organization.api.get(`/api/v1/service/urls/${id}/stats`).expect(200);
    const counted = body.variants as { url: string; clicks: number }[];
    const all = counted.reduce((sum, { clicks }) => sum + clicks, 0);
    expect(all).toBe(45);
    for (const variant of counted) {
      const shown = rows.find((row) => row.includes(variant.url.replace('https://', ''))) ?? '';
      const rate = variant.clicks / all;
      expect(shown).toContain(rate.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 }));
      const [, low = 0, high = 0] = (/\((\S+)% to (\S+)%\)/.exec(shown) ?? []).map(Number);
      expect(low / 100).toBeLessThan(rate);
      expect(high / 100).toBeGreaterThan(rate);
    }
    expect(rows.join()).toContain('25%');
    await page.getByRole('region', { name: 'Funnel' }).getByText('Store visited').waitFor();
    await page.getByText('Installs per click').waitFor();
    await settled(page);
    expect(complaints).toEqual([]);
  });

  it('asks for countries once, zooms in until Back, and saves a plot with its legend', async () => {
    const { page } = await console.open('/');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/clicks\?.*groupBy=country/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${CONSOLE}/links/${id}`);
    const plot = page.getByRole('region', { name: 'Over time', exact: true });
    const points = plot.getByRole('slider');
    await points.waitFor();
    await settled(page);
    expect(asked).toHaveLength(1);
    await page.getByRole('region', { name: 'Places' }).getByRole('list').waitFor();

    await points.focus();
    for (const key of ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter'])
      await page.keyboard.press(key);
    await page.waitForURL(/range=custom/);
    await page.goBack();
    await page.waitForURL((url) => url.pathname.endsWith(`/links/${id}`) && !url.search.includes('custom'));

    await settled(page);
    const download = page.waitForEvent('download');
    await plot.getByRole('button', { name: 'Actions of Over time' }).click();
    await page.getByRole('menuitem', { name: 'Download PNG' }).click();
    const path = await (await download).path();
    // Twice the heights of title, legend and chart.
    expect((await readFile(path)).readUInt32BE(20)).toBe(2 * (40 + 24 + 280));
  });

  it('lists recent clicks, those of bots too, and exports them', async () => {
    const { page } = await console.open(`/links/${id}`);
    await page.getByRole('tab', { name: 'Recent clicks' }).click();
    const table = page.getByRole('table', { name: 'Recent clicks' });
    await table.getByRole('row').nth(1).waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('75');
    await page.getByRole('combobox', { name: 'Bots' }).click();
    await page.getByRole('option', { name: 'Bots only' }).click();
    await eventually(async () => expect(await table.getAttribute('aria-rowcount')).toBe('1'));
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'NDJSON' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { isBot: boolean }).isBot)).toEqual([true]);
    await page.getByLabel('Until').fill('2020-01-01');
    await page.getByText('No clicks yet').waitFor();
  });

  it('shows every field and former alias, and changes settings, which can be taken back', async () => {
    const { page } = await console.open(`/links/${id}?tab=settings`);
    await page
      .getByText(/\/spring$/)
      .last()
      .waitFor();
    await page.getByLabel('Count repeated clicks once').check({ force: true });
    await page.getByLabel('Window in minutes').fill('999999');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/must be/).waitFor();
    await page.getByLabel('Window in minutes').fill('15');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    const settings = async () =>
      (
        await console.app.sql<{ minutes: number | null }>(
          'SELECT deduplication_window_minutes AS minutes FROM links WHERE id = $1',
          [id],
        )
      )[0]?.minutes;
    expect(await settings()).toBe(15);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await settings()).toBeNull());
    await page.getByRole('button', { name: 'Edit' }).last().click();
    await page
      .getByRole('dialog', { name: 'Edit link' })
      .getByLabel('Title', { exact: true })
      .fill('Summer sale');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Summer sale' }).waitFor();
  });

  it('gives the QR code as PNG and SVG in the chosen size and colour', async () => {
    const { page } = await console.open(`/links/${id}?tab=qr`);
    await page.getByRole('combobox', { name: 'Size' }).click();
    const asked = page.waitForResponse((response) => /qr\?.*size=1024.*format=svg/.test(response.url()));
    await page.getByRole('option', { name: '1,024' }).click();
    await asked;
    const colored = page.waitForResponse((response) => /qr\?.*darkColor=%23003366/.test(response.url()));
    await page.getByLabel('Dark colour').fill('#003366');
    await colored;
    await settled(page);
    const svg = page.waitForEvent('download');
    await page.getByRole('link', { name: 'SVG' }).click();
    const text = await readFile(await (await svg).path(), 'utf8');
    expect(text).toContain('width="1024"');
    expect(text).toContain('#003366');
    const png = page.waitForEvent('download');
    await page.getByRole('link', { name: 'PNG' }).click();
    expect((await readFile(await (await png).path())).readUInt32BE(16)).toBe(1024);
  });

  it('draws QR codes that can be read, with presets and a logo', async () => {
    const posters = {
      name: 'Posters',
      darkColor: '#5b21b6',
      lightColor: '#fff8e1',
      logo: true,
      isDefault: true,
    };
    await console.organization.api
      .put('/api/v1/service/qr-settings', { logo: logoOf(300, 200), presets: [posters] })
      .expect(200);
    const { page } = await console.open(`/links/${id}?tab=qr`);
    const image = page.getByRole('img', { name: /^QR code of/ });
    const field = (name: string) => page.getByRole('combobox', { name, exact: true });
    expect(await field('Preset').inputValue()).toBe('Posters');
    const link = `${String((await read()).link)}?qr=1`;
    await image.waitFor();
    expect(readQr(await image.screenshot())).toBe(link);
    for (const shape of ['Dots', 'Rounded']) {
      const drawn = page.waitForResponse((response) =>
        [`shape=${shape.toLowerCase()}`, 'darkColor=%235b21b6', 'logo=true', 'format=svg'].every((part) =>
          response.url().includes(part),
        ),
      );
      await field('Shape').click();
      await page.getByRole('option', { name: shape }).click();
      await drawn;
      await settled(page);
      expect([shape, readQr(await image.screenshot())]).toEqual([shape, link]);
    }
    await page.getByRole('button', { name: 'Save as preset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('posters');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('already belongs to another preset').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Flyers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Preset saved');
    await field('Preset').click();
    await page.getByRole('option', { name: 'Flyers' }).click();
    const { body } = await console.organization.api.get('/api/v1/service/qr-settings').expect(200);
    expect(body.presets).toMatchObject([
      posters,
      { ...posters, name: 'Flyers', shape: 'rounded', isDefault: false },
    ]);
  });

  it('looks good everywhere', async () => {
    await console.inspect({
      [`/links/${id}`]: 'section',
      [`/links/${id}?tab=recentClicks`]: 'table',
      [`/links/${id}?tab=settings`]: 'form',
      [`/links/${id}?tab=qr`]: 'img[alt]',
    });
  });

  it('disables with undo, and deletes when its name is typed', async () => {
    const { page } = await console.open(`/links/${id}`);
    await choose(page, 'Disable');
    await toast(page, '1 link changed');
    expect((await read()).enabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect((await read()).enabled).toBe(true));
    await choose(page, 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete the link?' });
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(String((await read()).link).replace(/^https?:\/\//, ''));
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/console\/links$/);
    await console.organization.api.get(`/api/v1/service/urls/${id}`).expect(404);
  });
});
