import { faintTexts, fits, type Looked, screenshot, stopClock, TestBrowser } from '../support/browser';
import { createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { BRAND, setBrand, type VisitorPage, visitorPages } from '../support/visitor-pages';

/** Every language on every device. */
const LOOKS = [
  ['iphone', 'en-US', 'light'],
  ['iphone', 'ko-KR', 'dark'],
  ['iphone', 'ja-JP', 'light'],
  ['desktop', 'en-US', 'dark'],
  ['desktop', 'ko-KR', 'light'],
  ['desktop', 'ja-JP', 'dark'],
] as const;
const EXTREMES = ['pale', 'loud'];

describe('pages for visitors in a browser', () => {
  const app = useTestApp();
  let browser: TestBrowser;
  const pages = new Map<string, VisitorPage[]>();
  let looks = 0;

  beforeAll(async () => {
    browser = await TestBrowser.start(app);
    const plain = await createOrganization(app, { name: 'Plain' });
    const branded = await createOrganization(app);
    await setBrand(app, branded, BRAND);
    const pale = await createOrganization(app);
    await setBrand(app, pale, { brandName: '긴이름'.repeat(33), brandColor: '#fefefe' });
    const loud = await createOrganization(app);
    await setBrand(app, loud, { brandName: 'M'.repeat(100), brandColor: '#ff5a1f' });
    const organizations: [string, TestOrganization][] = [
      ['plain', plain],
      ['branded', branded],
      ['pale', pale],
      ['loud', loud],
    ];
    for (const [name, organization] of organizations) pages.set(name, await visitorPages(app, organization));
  });
  afterAll(() => browser.close());

  /** Visible faults of a page. */
  async function faultsOf(
    { page, complaints }: Looked,
    { name, url, status }: VisitorPage,
  ): Promise<string[]> {
    // A new IP address per view, because opt-out pages are rate-limited by address.
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `198.51.100.${++looks % 250}` });
    const response = await page.goto(url);
    const faults = (await faintTexts(page)).map((text) => `${name}: faint: ${text}`);
    if (response?.status() !== status) faults.push(`${name}: ${response?.status()}`);
    if (!(await fits(page))) faults.push(`${name}: does not fit`);
    // The browser logs each error status; any other complaint is a fault.
    const real = complaints.splice(0).filter((text) => !/status of 4\d\d/.test(text));
    return [...faults, ...real.map((text) => `${name}: ${text}`)];
  }

  it.each(LOOKS)('fit, and read well, on %s in %s, %s', async (device, locale, colorScheme) => {
    const faults: string[] = [];
    const browsers = new Map<string, Looked>();
    for (const [brand, shown] of pages) {
      // Names of maximum length: the narrowest screen, and a language in each scheme, are enough.
      if (EXTREMES.includes(brand) && (locale === 'ja-JP' || device !== 'iphone')) continue;
      for (const one of shown) {
        const { userAgent } = one;
        let looked = browsers.get(userAgent);
        if (!looked) {
          looked = await browser.look(device, { colorScheme, locale, userAgent });
          // A running clock would let the page with an advertisement redirect during the checks.
          await stopClock(looked.page);
          browsers.set(userAgent, looked);
        }
        faults.push(...(await faultsOf(looked, one)));
        const language = await looked.page.getAttribute('html', 'lang');
        if (!locale.startsWith(`${language}-`)) faults.push(`${one.name}: ${language}`);
        await screenshot(looked.page, `pages/${one.name}-${brand}-${language}-${device}-${colorScheme}`);
      }
    }
    await Promise.all([...browsers.values()].map(({ context }) => context.close()));
    expect(faults).toEqual([]);
  });
});
