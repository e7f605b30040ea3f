import type { Page } from 'playwright-core';
import { CONSOLE, settled, useTestConsole } from '../support/console';
import { createLink } from '../support/links';

const KOREAN = { locale: 'ko-KR' };

describe('problems in the Korean console', () => {
  const console = useTestConsole({ allowList: ['127.0.0.0/8'] });

  /** Error texts that are not Korean. */
  const foreign = async (page: Page): Promise<string[]> => {
    const texts = await page
      .locator('.mantine-InputWrapper-error, [role=alert], [role=status] .mantine-Notification-root')
      .allInnerTexts();
    expect(texts.length).toBeGreaterThan(0);
    return texts.filter((text) => !/[가-힣]/.test(text) || /must|is required|[A-Z]{2,}_[A-Z]/.test(text));
  };

  it('stand in Korean at the fields of a form', async () => {
    await createLink(console.organization, { customAlias: 'taken' });
    const { page } = await console.open('/links?new=1', KOREAN);
    const form = page.getByRole('dialog');
    await form.locator('input[type=url]').first().fill('ftp://shop.example.com/');
    await form.getByLabel('별칭').fill('한글');
    await form.getByRole('button', { name: '링크 만들기' }).click();
    await form.getByText('https://로 시작하는 올바른 주소여야 합니다').waitFor();
    await form.getByText('영문자, 숫자, "-", "_"만 쓸 수 있습니다').first().waitFor();
    expect(await foreign(page)).toEqual([]);
    await form.locator('input[type=url]').first().fill('https://shop.example.com/');
    await form.getByLabel('별칭').fill('taken');
    await form.getByRole('button', { name: '링크 만들기' }).click();
    await form.getByText('이 도메인에서 이미 쓰고 있습니다').waitFor();
    expect(await foreign(page)).toEqual([]);
  });

  it('stand in Korean in the rows of an import', async () => {
    const { page } = await console.open('/links?import=1', KOREAN);
    const dialog = page.getByRole('dialog');
    const content = 'url,customAlias\r\nhttps://shop.example.com/,taken\r\nftp://shop.example.com/,free\r\n';
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await dialog.getByRole('row', { name: /이미 쓰는 별칭입니다/ }).waitFor();
    await dialog.getByRole('row', { name: /https:\/\/로 시작하는/ }).waitFor();
    expect(await dialog.getByText(/\bmust|already/).count()).toBe(0);
  });

  it('say that nothing is there, and keep the menu', async () => {
    const { page } = await console.open('/', KOREAN);
    for (const path of ['/links/99999999999999999999', '/contacts/abc', '/journeys/zz', '/no/such/page']) {
      await page.goto(`${CONSOLE}${path}`);
      await page.getByText('이 주소에는 아무것도 없습니다.').waitFor();
      expect(await page.getByText(/must be an integer|9007199254740991/).count()).toBe(0);
      expect(await page.getByRole('button', { name: '다시 시도' }).count()).toBe(0);
      await page.getByRole('navigation').getByRole('link', { name: '링크', exact: true }).waitFor();
    }
  });

  it('say once that choices of a form are missing, beside its button', async () => {
    const { page } = await console.open('/');
    await page.route('**/mobile-apps?*', (route) =>
      route.fulfill({
        status: 500,
        json: {
          status: 500,
          error: 'Internal Server Error',
          code: 'INTERNAL_ERROR',
          message: 'An internal error',
        },
      }),
    );
    await page.goto(`${CONSOLE}/links?new=1`);
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create link' });
    await page.getByText('Some choices are missing. An internal error').waitFor();
    await settled(page);
    expect(await page.getByText('Some choices are missing').count()).toBe(1);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      // Nothing covers the button.
      await create.click({ trial: true });
    }
  });

  it('are not codes in the audit log', async () => {
    await console.organization.api
      .post('/api/v1/service/messaging/contacts/bulk', [{ email: 'minji@example.com' }])
      .expect(200);
    const { page } = await console.open('/settings?tab=audit', KOREAN);
    await settled(page);
    await page.getByText('연락처 일괄 저장').waitFor();
    expect(
      await page
        .getByRole('table')
        .getByText(/^[a-z_]+\.[a-z_]+$/)
        .count(),
    ).toBe(0);
  });
});
