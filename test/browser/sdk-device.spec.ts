import type { Shop } from '../support/shop';
import { initCode, sessionOf, ShopVisits } from '../support/shop-visits';

describe('the device that the browser SDK reports', () => {
  let visits: ShopVisits;
  let shop: Shop;

  beforeAll(async () => {
    visits = await ShopVisits.start();
    ({ shop } = visits);
  });
  afterEach(() => visits.leave());
  afterAll(() => visits.close());

  /** `deviceInfo` of a page whose browser has this `userAgentData`. */
  async function deviceOf(userAgentData: object | null): Promise<Record<string, unknown>> {
    const page = await visits.open(await visits.visitor());
    await page.evaluate(
      `Object.defineProperty(navigator, 'userAgentData', { value: ${JSON.stringify(userAgentData ?? undefined)} })`,
    );
    await page.evaluate(initCode());
    await sessionOf(page);
    return shop.bodiesOf('/session/create')[0]?.deviceInfo as Record<string, unknown>;
  }
  const chromium = { brand: 'Chromium', version: '140' };

  it.each(['Not A;Brand', ' Not A;Brand', 'Not_A Brand', 'Not:A-Brand', '(Not(A:Brand', 'Not?A_Brand'])(
    'never names the placeholder brand: %s',
    async (brand) => {
      const fake = { brand, version: '99' };
      const real = { brand: 'Samsung Internet', version: '28' };
      expect(
        await deviceOf({ platform: 'Android', mobile: true, brands: [fake, chromium, real] }),
      ).toMatchObject({ browser: 'Samsung Internet', browserVersion: '28', deviceType: 'Mobile' });
      shop.reset();
      const unnamed = await deviceOf({ platform: 'Android', mobile: true, brands: [fake, chromium] });
      expect(unnamed).not.toHaveProperty('browser');
      expect(unnamed).not.toHaveProperty('browserVersion');
    },
  );

  it.each([
    ['Android', false, 'Tablet'],
    ['Android', true, 'Mobile'],
    ['Windows', false, 'Desktop'],
  ])('has a type: %s, mobile %s', async (platform, mobile, deviceType) => {
    expect((await deviceOf({ platform, mobile, brands: [] })).deviceType).toBe(deviceType);
  });

  it('leaves the rest to the full user agent', async () => {
    const device = await deviceOf(null);
    expect(device).toMatchObject({ userAgent: expect.stringMatching(/^Mozilla.*Chrome/) });
    for (const field of ['os', 'browser', 'deviceType']) expect(device).not.toHaveProperty(field);
  });

  it('truncates long values between characters, and omits what servers reject', async () => {
    const term = `${'x'.repeat(199)}😀😀`;
    const page = await visits.open(
      await visits.visitor(),
      `/?utm_term=${encodeURIComponent(term)}&utm_source=a%00b`,
    );
    await page.evaluate(initCode());
    await sessionOf(page);
    expect(shop.bodiesOf('/session/create')).toMatchObject([
      { utmTerm: `${'x'.repeat(199)}😀`, utmSource: 'ab' },
    ]);
  });
});
