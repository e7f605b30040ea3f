import { eventually } from '../support/eventually';
import { SDK_VERSION } from '../support/shop';
import { call, initCode, sessionOf, useShopVisits } from '../support/shop-visits';

const EVENT = '/session/event';
const FUNNEL = '/session/funnel/track';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const { visits, shop } = useShopVisits();

describe('the browser SDK', () => {
  it('adds one global, starts once, and is available through getInstance', async () => {
    const page = await visits.open(await visits.visitor());
    const own = `Object.getOwnPropertyNames(window)`;
    const frame = `(() => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      return Object.getOwnPropertyNames(frame.contentWindow);
    })()`;
    const inherited = new Set(await page.evaluate<string[]>(frame));
    const added = (await page.evaluate<string[]>(own)).filter((name) => !inherited.has(name));
    expect(added.filter((name) => !/^\d+$|^__playwright|^__pw/.test(name))).toEqual(['Waypost']);
    expect(await page.evaluate('[Waypost.version, Waypost.getInstance()]')).toEqual([SDK_VERSION, null]);
    await page.evaluate(initCode());
    const again = `Waypost.init({ appId: 43 }) === Waypost.getInstance()`;
    expect(await page.evaluate(again)).toBe(true);
    await page.evaluate(`new Promise((done) => {
      const script = document.body.appendChild(document.createElement('script'));
      script.onload = done;
      script.src = '/waypost.js';
    })`);
    expect(await page.evaluate(again)).toBe(true);
    await sessionOf(page);
    expect(shop.of('/session/create')).toHaveLength(1);
  });

  it('does not start with invalid options, and says why', async () => {
    const page = await visits.open(await visits.visitor());
    for (const [options, reason] of [
      ['{}', 'appId must be a number'],
      ['{ appId: "shop" }', 'appId must be a number'],
      ['{ appId: 0 }', 'appId must be a number'],
      ['{ appId: 1, sessionTimeoutMinutes: 0 }', 'sessionTimeoutMinutes must be more than 0'],
      [
        '{ appId: 1, publishableKey: "wp_pub_1", proxyUrl: "/waypost" }',
        'publishableKey or proxyUrl, not both',
      ],
      ['{ appId: 1, publishableKey: "wp_app_1" }', 'the secret key, wp_app_…, must stay on your server'],
      ['{ appId: 1, publishableKey: "" }', 'publishableKey must begin with wp_pub_'],
      ['{ appId: 1, publishableKey: "wp_pub_1", apiUrl: "" }', 'apiUrl is missing'],
    ] as const) {
      const started = page.evaluate(`Waypost.init(${options})`);
      await expect(started).rejects.toThrow(/TypeError: Waypost: /);
      await expect(started).rejects.toThrow(reason);
      expect([options, await page.evaluate('Waypost.getInstance()')]).toEqual([options, null]);
    }
  });

  it('starts a session with device, referrer and utm values', async () => {
    const path = '/spring?utm_source=newsletter&utm_medium=email&utm_term=a&utm_content=b#top';
    const page = await visits.tracked({ externalUserId: 'm1', appVersion: '7.1' }, path);
    const [body] = shop.bodiesOf('/session/create');
    expect(body).toMatchObject({
      sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
      platform: 'WEB',
      externalUserId: 'm1',
      utmSource: 'newsletter',
      utmMedium: 'email',
      utmTerm: 'a',
      utmContent: 'b',
      landingUrl: `${shop.origin}/spring?utm_source=newsletter&utm_medium=email&utm_term=a&utm_content=b`,
      clientTimestamp: expect.stringMatching(ISO),
      clientTimezone: expect.any(String),
      deviceInfo: {
        platform: 'WEB',
        os: 'Linux',
        language: 'en-US',
        screenResolution: '1280x720',
        userAgent: expect.stringContaining('Mozilla/5.0'),
        deviceType: 'Desktop',
        appVersion: '7.1',
        sdkVersion: SDK_VERSION,
      },
    });
    expect(await call(page, 'getSession()')).toMatchObject({ externalUserId: 'm1', goalType: null });
  });

  it('starts none on a prerendered page before it is visible', async () => {
    const page = await visits.open(await visits.visitor());
    await page.evaluate(
      `Object.defineProperty(document, 'prerendering', { configurable: true, value: true })`,
    );
    await page.evaluate(initCode());
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    expect(shop.calls).toEqual([]);
    await page.evaluate(
      `delete document.prerendering; document.dispatchEvent(new Event('prerenderingchange'))`,
    );
    await eventually(async () => expect(shop.of(EVENT)).toHaveLength(1));
    expect(shop.of('/session/create')).toHaveLength(1);
  });

  it('tracks goals', async () => {
    const page = await visits.tracked();
    const sessionId = await sessionOf(page);
    await call(page, `trackPurchase(1290.5, 'krw', { transactionId: 'order-1' })`);
    await call(page, `trackGoal('signup_pro', 3, 'USD')`);
    await call(page, `trackSignup()`);
    await call(page, `trackConversion('download', 0, null, { transactionId: 'd-1' })`);
    await call(page, `trackStage('CONTENT_VIEWED')`);
    await call(page, 'flush()');
    const goal = {
      sessionId,
      stage: 'GOAL_COMPLETED',
      platform: 'WEB',
      timestamp: expect.stringMatching(ISO),
    };
    expect(shop.bodiesOf(FUNNEL)).toEqual([
      { ...goal, goalType: 'purchase_KRW', goalValue: 1290.5, currency: 'KRW', transactionId: 'order-1' },
      {
        ...goal,
        goalType: 'signup_pro',
        goalValue: 3,
        currency: 'USD',
        transactionId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
      },
      { ...goal, goalType: 'signup', goalValue: 1, transactionId: expect.any(String) },
      { ...goal, goalType: 'download', goalValue: 0, transactionId: 'd-1' },
      { sessionId, stage: 'CONTENT_VIEWED', platform: 'WEB', timestamp: expect.stringMatching(ISO) },
    ]);
  });

  it('tracks events, each with a unique time', async () => {
    const page = await visits.tracked();
    const sessionId = await sessionOf(page);
    await page.evaluate(`for (let i = 0; i < 20; i++) Waypost.getInstance().trackEvent('look', { i })`);
    await call(page, 'flush()');
    const events = shop.bodiesOf(EVENT);
    expect(events.map(({ eventData }) => eventData)).toEqual(Array.from({ length: 20 }, (_, i) => ({ i })));
    expect(events[0]).toEqual({
      sessionId,
      eventType: 'look',
      eventData: { i: 0 },
      clientTimestamp: expect.stringMatching(ISO),
      clientTimezone: expect.any(String),
    });
    expect(new Set(events.map(({ clientTimestamp }) => clientTimestamp)).size).toBe(20);
  });

  it.each([
    ['{ urlId: 7 }', '/'],
    ['undefined', '/?waypost-url=7'],
    ['undefined', '/?waypost-token=t0ken'],
    ['{ shortCode: "spring" }', '/'],
    ['undefined', '/?waypost-code=spring'],
  ])('uses the goal type of the link when none is given: %s, %s', async (link, path) => {
    const page = await visits.open(await visits.visitor(), path);
    await page.evaluate(`(() => {
      const waypost = Waypost.init({ appId: 42, proxyUrl: '/waypost', link: ${link} });
      waypost.trackGoal(null, 5);
      waypost.trackGoal('other', 6);
    })()`);
    await eventually(async () =>
      expect(shop.bodiesOf(FUNNEL)).toMatchObject([
        { stage: 'CLICKED' },
        { stage: 'DEEP_LINK_RESOLVED' },
        { stage: 'GOAL_COMPLETED', goalType: 'subscribe' },
        { stage: 'GOAL_COMPLETED', goalType: 'other' },
      ]),
    );
    expect(await call(page, 'getSession()')).toMatchObject({ goalType: 'subscribe', urlId: 7 });
    const ties = [...shop.bodiesOf('/session/create'), ...shop.bodiesOf('/session/register-link')];
    expect(ties.filter(({ urlId, token, shortCode }) => urlId ?? token ?? shortCode)).toHaveLength(1);
  });

  it('registers another link with a running session, once', async () => {
    const page = await visits.tracked();
    for (let i = 0; i < 2; i++) {
      await page.goto(`${shop.origin}/?waypost-url=7`);
      await page.evaluate(initCode());
      await call(page, 'flush()');
    }
    expect(shop.of('/session/create')).toHaveLength(1);
    expect(shop.bodiesOf('/session/register-link')).toEqual([{ sessionId: await sessionOf(page), urlId: 7 }]);
    await call(page, `trackGoal(null, 1)`);
    await eventually(async () => expect(shop.of(FUNNEL)).toHaveLength(3));
    expect(shop.bodiesOf(FUNNEL).at(-1)).toMatchObject({ goalType: 'subscribe' });
  });

  it('logs invalid calls to the console instead of throwing into the page', async () => {
    const page = await visits.tracked();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const wrong = [
      `trackPurchase('9.90', 'KRW')`,
      `trackPurchase(NaN, 'KRW')`,
      `trackPurchase(1, 'won')`.replace('won', 'wons'),
      `trackPurchase(1)`,
      `trackGoal('', 1)`,
      `trackGoal('goal', null)`,
      `trackEvent('x'.repeat(51))`,
      `trackEvent()`,
      `trackEvent('big', { text: 'x'.repeat(70000) })`,
      `trackEvent('circle', (() => { const a = {}; a.a = a; return a; })())`,
    ];
    for (const code of wrong) await call(page, code);
    await call(page, 'flush()');
    expect([shop.of(FUNNEL), shop.of(EVENT)]).toEqual([[], []]);
    expect(said.filter((text) => text.startsWith('[Waypost]'))).toHaveLength(wrong.length);
  });

  it('reports devices, store visits and schemes to Waypost directly', async () => {
    const page = await visits.open(await visits.visitor());
    await page.evaluate(`Waypost.init({ appId: 42 })`);
    await page.evaluate(`navigator.userAgentData.__proto__.getHighEntropyValues = () =>
      Promise.resolve({ model: 'SM-S928B', platformVersion: '16.0.0' })`);
    await call(page, `updateFingerprint('t0ken')`);
    await call(page, `updateFingerprint('t0ken', { isCampaign: true })`);
    await call(page, `trackStoreVisit('t0ken')`);
    await call(page, `debugScheme({ appScheme: 'exampleshop', intentUrl: 'intent://x' })`);
    await eventually(async () => expect(shop.calls).toHaveLength(6));
    const atOnce = {
      token: 't0ken',
      appId: 42,
      resolution: '1280x720',
      language: 'en-US',
      userAgent: await page.evaluate<string>('navigator.userAgent'),
    };
    const asked = { ...atOnce, deviceModel: 'SM-S928B', osVersion: '16.0.0' };
    for (const path of ['/deeplink/update-fingerprint', '/campaign-deep-link/update-fingerprint']) {
      // Two requests, which may arrive in any order.
      const bodies = shop.bodiesOf(path).sort((a, b) => Object.keys(a).length - Object.keys(b).length);
      expect(bodies).toEqual([atOnce, asked]);
    }
    const store = { token: 't0ken', isCampaign: false, appId: 42 };
    expect(shop.bodiesOf('/deeplink/track-store-visit')).toEqual([store]);
    expect(shop.bodiesOf('/deeplink/debug-scheme')).toEqual([
      { appScheme: 'exampleshop', intentUrl: 'intent://x', appId: 42 },
    ]);
  });
});

describe('the device that the browser SDK reports', () => {
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

  it.each(['Not A;Brand', '(Not(A:Brand'])('never names the placeholder brand: %s', async (brand) => {
    const fake = { brand, version: '99' };
    const real = { brand: 'Samsung Internet', version: '28' };
    expect(
      await deviceOf({ platform: 'Android', mobile: true, brands: [fake, chromium, real] }),
    ).toMatchObject({ browser: 'Samsung Internet', browserVersion: '28', deviceType: 'Mobile' });
    shop.reset();
    const unnamed = await deviceOf({ platform: 'Android', mobile: true, brands: [fake, chromium] });
    expect(unnamed).not.toHaveProperty('browser');
    expect(unnamed).not.toHaveProperty('browserVersion');
  });

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
