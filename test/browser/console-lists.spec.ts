import type { Page } from 'playwright-core';
import { PERMISSIONS } from '../../src/access/caller';
import { createCampaign } from '../support/campaigns';
import { CONSOLE, goTo, seriousFindings, settled, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { addApp, createSession, track } from '../support/journeys';
import { createLink } from '../support/links';
import { CHROME, visit } from '../support/visits';

describe('lists of the console', () => {
  const console = useTestConsole({ baseCurrency: 'KRW' });
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
    // At one moment, because rows that are out of sight come and go.
    const inSight = () =>
      title.evaluateAll((shown) => shown.filter((one) => one.getBoundingClientRect().bottom <= 768).length);
    await eventually(async () => expect(await inSight()).toBeGreaterThanOrEqual(15));
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

  it('ignores what the address cannot mean', async () => {
    const { page, complaints } = await console.open('/');
    const main = page.locator('main');
    for (const path of [
      '/links?sort=zz',
      '/links?archived=zz&health=zz&enabled=zz&customDomainId=zz&appId=zz&createdAfter=zz',
      '/campaigns?sort=zz',
      '/campaigns?archived=zz&health=zz&expired=zz&customDomainId=zz&expiresBefore=2026-02-31',
      '/contacts?groupId=zz',
      '/contacts?segmentId=zz&origin=zz&smsOptIn=zz&updatedAfter=zz',
      '/domains?sort=zz',
    ]) {
      await goTo(page, path);
      await main.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await main.getByRole('alert').count()]).toEqual([path, 0]);
      expect([path, await main.getByText(/zz|2026-02-31/).count()]).toEqual([path, 0]);
    }
    expect(complaints).toEqual([]);
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
      await settled(page);
      const before = await left.boundingBox();
      await left.click();
      await page.getByRole('heading', { name: 'Imported 320' }).waitFor();
      await back();
      await left.waitFor();
      await eventually(async () => expect((await left.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1));
    }
  });

  it('selects all links that match, and names those that it could not change', async () => {
    const gone = await createLink(console.organization, { title: 'Imported and gone' });
    const other = await createLink(console.organization, { title: 'Of another kind' });
    const { page } = await console.open('/links?keyword=Imported');
    const bar = page.getByRole('region', { name: 'Selected links' });
    await page.getByText('401 rows').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await bar.getByText('100 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 401 that match' }).click();
    await bar.getByText('401 selected').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await console.organization.api.delete(`/api/v1/service/urls/${gone.id}`).expect(204);
    await bar.getByRole('button', { name: 'Disable' }).click();
    await page
      .getByRole('dialog', { name: 'Change 401 links?' })
      .getByRole('button', { name: 'Change' })
      .click();
    await page.getByText('400 links changed').waitFor();
    await page.getByText(/^1 of 401 links were not changed and are still selected. \S+: /).waitFor();
    await bar.getByText('1 selected').waitFor();
    const { body } = await console.organization.api
      .get('/api/v1/service/urls?enabled=false&size=1')
      .expect(200);
    expect((body as { totalElements: number }).totalElements).toBe(400);
    const { body: kept } = await console.organization.api.get(`/api/v1/service/urls/${other.id}`).expect(200);
    expect(kept).toMatchObject({ enabled: true });
    await page.getByRole('searchbox').fill('another kind');
    await bar.waitFor({ state: 'detached' });
  });

  describe('beside clicks', () => {
    let places: string[];
    beforeAll(async () => {
      const { app, organization } = console;
      const own = { ...organization, ...(await addApp(app, organization, 'Web')) };
      const link = await createLink(own, { title: 'With purchases', customAlias: 'bought' });
      const campaign = await createCampaign(own, { name: 'Sold out' });
      await visit(app, '/bought', { userAgent: CHROME }).expect(302);
      await visit(app, `/c/${campaign.alias}`, { userAgent: CHROME }).expect(302);
      for (const source of [{ urlId: link.id }, { campaignId: campaign.id }]) {
        const { sessionId } = await createSession(own, source);
        await track(own, { sessionId, goalType: 'purchase', goalValue: 12_900 });
        await track(own, { sessionId, goalType: 'purchase_USD', goalValue: 7 });
        await track(own, { sessionId, goalType: 'signup' });
      }
      const statistics = '/?tab=statistics&range=7d';
      places = ['/links', '/campaigns', '/', statistics, `/campaigns/${campaign.id}?tab=channels`];
      await eventually(async () =>
        expect(await console.platform.read(`${own.consolePath}/analytics/clicks`)).toMatchObject({
          total: 2,
        }),
      );
    });

    /** Rows of tables, or bars. */
    const figures = (page: Page) =>
      page.locator('tr, ul > li').filter({ hasText: /With purchases|Sold out|Without a channel|^None/ });

    it('stand conversions and revenue, with those of other currencies', async () => {
      const { page } = await console.open('/links');
      await page.setViewportSize({ width: 1366, height: 768 });
      for (const path of places) {
        await goTo(page, path);
        await eventually(async () => {
          const text = (await figures(page).allInnerTexts()).join(' ');
          expect([path, text]).toEqual([path, expect.stringMatching(/\b3\b[^]*₩12,900[^]*and \$7/)]);
        });
        expect(await seriousFindings(page)).toEqual([]);
      }
      const korean = await console.open('/links', { locale: 'ko-KR' });
      await korean.page.getByRole('columnheader', { name: '전환' }).waitFor();
      await korean.page.getByRole('columnheader', { name: '매출' }).waitFor();
    });

    it('stand the ones alone that a user may see', async () => {
      const without = async (...missing: string[]) => {
        const as = await console.user('VIEWER');
        const permissions = PERMISSIONS.filter((each) => !missing.includes(each));
        await console.app.sql('UPDATE users SET permissions = $2 WHERE username = $1', [
          as.username,
          permissions,
        ]);
        return as;
      };
      const counts = await without('revenue.view');
      const nothing = await without('revenue.view', 'conversion.view');
      const { page } = await console.open('/links', { as: counts });
      const { page: bare, complaints } = await console.open('/links', { as: nothing });
      for (const path of places) {
        await goTo(page, path);
        await eventually(async () =>
          expect((await figures(page).allInnerTexts()).join(' ')).toMatch(/\b3\b/),
        );
        expect(await page.getByText(/₩12,900|Revenue/).count()).toBe(0);
        await goTo(bare, path);
        await figures(bare).first().waitFor();
        expect(await bare.getByText(/₩12,900|Revenue|onversions/).count()).toBe(0);
      }
      expect(complaints).toEqual([]);
    });
  });

  it('names an export by its search and filters', async () => {
    const { page } = await console.open('/links?keyword=Imported&enabled=true&tags=a%2Cb');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('links Imported, enabled=true, tags=a b.csv');
  });

  it('duplicates a link, and gives a new one the title of its destination', async () => {
    const url = 'https://shop.example.com/copied';
    await createLink(console.organization, {
      title: 'The original',
      url,
      tags: ['kept'],
      customAlias: 'original',
    });
    const { page } = await console.open('/links');
    await page.route('**/link-preview*', (route) =>
      route.fulfill({
        json: { title: 'Its own title', description: null, image: null, siteName: null, icon: null },
      }),
    );
    await row(page, 'The original')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    const form = page.getByRole('dialog', { name: 'Create link' });
    await form.getByLabel('Title', { exact: true }).fill('');
    expect(await form.getByLabel('Destination').first().inputValue()).toBe(url);
    expect(await form.getByLabel('Alias').inputValue()).toBe('');
    await form.getByPlaceholder('Its own title').waitFor();
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByText('The link is ready to share.').waitFor();
    const { body } = await console.organization.api.get('/api/v1/service/urls?size=1').expect(200);
    expect((body as { content: object[] }).content[0]).toMatchObject({
      title: 'Its own title',
      originalUrl: url,
      tags: ['kept'],
    });
  });

  it('shows both values when two edit one link, and loses nothing that was typed', async () => {
    const { id } = await createLink(console.organization, { title: 'Before' });
    const change = (title: string, more = {}) =>
      console.organization.api.put(`/api/v1/service/urls/${id}`, { title, ...more }).expect(200);
    const titleOf = async () =>
      ((await console.organization.api.get(`/api/v1/service/urls/${id}`)).body as { title: string }).title;
    const { page } = await console.open(`/links?edit=${id}`);
    const form = page.getByRole('dialog', { name: 'Edit link' });
    const title = form.getByLabel('Title', { exact: true });
    const save = form.getByRole('button', { name: 'Save', exact: true });
    await title.fill('Mine');
    await change('Theirs', { tags: ['of', 'others'] });
    await save.click();
    const conflict = form.getByRole('alert');
    await conflict.getByText('Title', { exact: true }).waitFor();
    await conflict.getByText('Yours: Mine').waitFor();
    await conflict.getByText('Stored: Theirs').waitFor();
    await conflict.getByText('Tags', { exact: true }).waitFor();
    await conflict.getByText('Stored: of, others').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect([await title.inputValue(), await titleOf()]).toEqual(['Mine', 'Theirs']);
    await conflict.getByRole('button', { name: 'Take the stored values' }).click();
    expect(await title.inputValue()).toBe('Theirs');
    await page.goto(`${CONSOLE}/links?edit=${id}`);
    await title.fill('Mine at last');
    await change('Theirs again');
    await save.click();
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await form.waitFor({ state: 'hidden' });
    expect(await titleOf()).toBe('Mine at last');
    await page.goto(`${CONSOLE}/links?edit=${id}`);
    await title.fill('Beside others');
    const counting = { deduplication: { enabled: true, windowMinutes: 5 }, adPage: { enabled: false } };
    await console.platform
      .put(`${console.organization.consolePath}/links/${id}/settings`, counting)
      .expect(200);
    await save.click();
    await form.waitFor({ state: 'hidden' });
    expect(await titleOf()).toBe('Beside others');
  });

  it('shows what was saved since the conflict, before it is saved over', async () => {
    const { id } = await createLink(console.organization, { title: 'Before' });
    const change = (title: string) =>
      console.organization.api.put(`/api/v1/service/urls/${id}`, { title }).expect(200);
    const { page } = await console.open(`/links?edit=${id}`);
    const form = page.getByRole('dialog', { name: 'Edit link' });
    const title = form.getByLabel('Title', { exact: true });
    const save = form.getByRole('button', { name: 'Save', exact: true });
    const conflict = form.getByRole('alert');
    await title.fill('Mine');
    await change('Second');
    await save.click();
    await conflict.getByText('Stored: Second').waitFor();
    await change('Third');
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await conflict.getByText('Stored: Third').waitFor();
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await form.waitFor({ state: 'hidden' });
    const { body } = await console.organization.api.get(`/api/v1/service/urls/${id}`).expect(200);
    expect(body.title).toBe('Mine');
  });

  it('has whole titles and every menu on a small phone', async () => {
    const title = 'A title that is far too long for one line of a small telephone';
    await createLink(console.organization, { title });
    const { page } = await console.open('/links', { device: 'iphone' });
    for (const width of [320, 390]) {
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
