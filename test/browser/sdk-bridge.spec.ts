import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { SDK_VERSION } from '../support/shop';
import { call, HIDE, initCode, sessionOf, SHOW, useShopVisits } from '../support/shop-visits';

/** Bridges that native code injects into pages, before their scripts or later. */
const BRIDGES = {
  IOS: {
    ready: `window.got = []; window.webkit = window.webkit ?? { messageHandlers: {} };
      window.webkit.messageHandlers.LinkBridge = { postMessage(body) {
        if (this !== window.webkit.messageHandlers.LinkBridge) throw new TypeError('Illegal invocation');
        got.push(structuredClone(body));
      } };`,
    consent: `window.told = []; window.webkit = window.webkit ?? { messageHandlers: {} };
      window.webkit.messageHandlers.syncPushConsent = { postMessage: (body) => told.push(['IOS', body]) };`,
  },
  ANDROID: {
    ready: `window.got = []; window.LinkBridge = { onReady(json) {
        if (this !== window.LinkBridge) throw new TypeError('Java bridge method called on another object');
        got.push(JSON.parse(json));
      } };`,
    consent: `window.told = []; window.syncPushConsent = { postMessage: (json) => told.push(['ANDROID', JSON.parse(json)]) };`,
  },
} as const;
const LAYERS = ['IOS', 'ANDROID'] as const;
type Layer = (typeof LAYERS)[number];

describe('webview bridges', () => {
  const { visits, shop } = useShopVisits();

  /** A page in an app, with a frozen clock. */
  async function inApp(layer: Layer | null, path = '/'): Promise<Page> {
    const context = await visits.visitor();
    if (layer) await context.addInitScript(BRIDGES[layer].ready);
    return visits.open(context, path);
  }
  async function withoutBridge(): Promise<Page> {
    const context = await visits.visitor();
    const page = await context.newPage();
    await page.clock.install({ time: '2030-01-01T00:00:00Z' });
    await page.clock.pauseAt('2030-01-01T00:00:01Z');
    await page.goto(shop.origin);
    await page.evaluate(initCode());
    await sessionOf(page);
    return page;
  }
  const got = (page: Page) => page.evaluate<Record<string, unknown>[]>('window.got ?? []');
  const reasons = async (page: Page) =>
    (await got(page)).map(({ reason, initialized }) => [reason, initialized]);

  describe.each(LAYERS)('READY, %s', (layer) => {
    it('is sent once after initialization, with all fields', async () => {
      const page = await inApp(layer, '/spring?waypost-url=7');
      await page.evaluate(initCode({ externalUserId: 'm1' }));
      await eventually(async () => expect(await got(page)).toHaveLength(1));
      expect(await got(page)).toEqual([
        {
          event: 'READY',
          sessionId: await sessionOf(page),
          platform: 'WEB',
          bridge: layer,
          appId: 42,
          sdkVersion: SDK_VERSION,
          externalUserId: 'm1',
          goalType: 'subscribe',
          urlId: 7,
          campaignId: null,
          initialized: true,
          reason: 'init',
          url: `${shop.origin}/spring?waypost-url=7`,
          error: null,
        },
      ]);
      await call(page, `trackEvent('look')`);
      await call(page, 'flush()');
      expect(await got(page)).toHaveLength(1);
    });

    it('is sent whenever the page becomes visible again, and on request', async () => {
      const page = await inApp(layer);
      await page.evaluate(initCode());
      await eventually(async () => expect(await reasons(page)).toEqual([['init', true]]));
      for (const length of [2, 3]) {
        await page.evaluate(HIDE + SHOW + SHOW);
        await eventually(async () => expect(await got(page)).toHaveLength(length));
      }
      await call(page, 'notifyReady()');
      await eventually(async () =>
        expect(await reasons(page)).toEqual([
          ['init', true],
          ['resume', true],
          ['resume', true],
          ['manual', true],
        ]),
      );
      expect(new Set((await got(page)).map(({ sessionId }) => sessionId)).size).toBe(1);
    });

    it('reports once that initialization failed, and why; the next return to the foreground retries', async () => {
      shop.fault = 503;
      const page = await inApp(layer);
      await page.evaluate(initCode());
      await eventually(async () => expect(await got(page)).toHaveLength(1));
      expect(await got(page)).toMatchObject([
        { reason: 'init', initialized: false, error: 'fault 503 (503)', sessionId: null },
      ]);
      await page.evaluate(HIDE + SHOW);
      await eventually(async () => expect(await got(page)).toHaveLength(2));
      shop.fault = null;
      await page.evaluate(HIDE + SHOW);
      await eventually(async () => expect(await got(page)).toHaveLength(4));
      expect(await reasons(page)).toEqual([
        ['init', false],
        ['resume', false],
        ['init', true],
        ['resume', true],
      ]);
      expect((await got(page)).slice(2)).toMatchObject([
        { error: null, sessionId: await sessionOf(page) },
        { error: null, sessionId: await sessionOf(page) },
      ]);
    });

    it('waits for a late bridge: after 6 s, once', async () => {
      const page = await withoutBridge();
      await page.clock.runFor(6_000);
      await page.evaluate(BRIDGES[layer].ready);
      expect(await got(page)).toEqual([]);
      await page.clock.runFor(500);
      expect(await reasons(page)).toEqual([['init', true]]);
      await page.clock.runFor(10_000);
      expect(await got(page)).toHaveLength(1);
    });

    it('stops waiting: a bridge after 8 s receives the next resume, but no init', async () => {
      const page = await withoutBridge();
      await page.clock.runFor(8_000);
      await page.evaluate(BRIDGES[layer].ready);
      await page.clock.runFor(10_000);
      expect(await got(page)).toEqual([]);
      await page.evaluate(HIDE + SHOW);
      await eventually(async () => expect(await reasons(page)).toEqual([['resume', true]]));
    });
  });

  it('that fail do not break the page', async () => {
    const page = await inApp(null);
    await page.evaluate(`window.LinkBridge = { onReady() { throw new Error('native'); } }`);
    await page.evaluate(initCode());
    expect(await sessionOf(page)).toBeTruthy();
    await call(page, 'notifyReady()');
  });

  describe('syncPushConsent', () => {
    const told = (page: Page) => page.evaluate('window.told');
    const member = `externalUserId: 'm1'`;

    it.each(LAYERS)('passes push consents on after they were saved, %s', async (layer) => {
      const page = await visits.tracked();
      await page.evaluate(BRIDGES[layer].consent);
      await call(page, `identify({ ${member}, name: 'Kim', pushOptIn: true })`);
      await call(page, `identify({ ${member}, pushIdentify: 'push-1', pushAdOptIn: true })`);
      await call(page, `optIn({ ${member}, pushAdOptIn: false, smsOptIn: true })`);
      await call(page, `withdraw('m1')`);
      await call(page, `syncPushConsent({ identify: 'm2', pushOptIn: true, pushAdOptIn: false })`);
      expect(await told(page)).toEqual([
        [layer, { identify: 'm1', pushOptIn: true, pushAdOptIn: false }],
        [layer, { identify: 'push-1', pushOptIn: true, pushAdOptIn: true }],
        [layer, { identify: 'push-1', pushOptIn: true, pushAdOptIn: false }],
        [layer, { identify: 'push-1', pushOptIn: false, pushAdOptIn: false }],
        [layer, { identify: 'm2', pushOptIn: true, pushAdOptIn: false }],
      ]);
    });

    it('passes on the stored consents where the page names none', async () => {
      const page = await visits.tracked();
      await page.evaluate(BRIDGES.ANDROID.consent);
      shop.consents = { pushOptIn: true, pushAdOptIn: true };
      await call(page, `identify({ ${member} })`);
      expect(await told(page)).toEqual([['ANDROID', { identify: 'm1', pushOptIn: true, pushAdOptIn: true }]]);
    });

    it('passes on nothing that was not saved, and nothing without a bridge', async () => {
      const page = await visits.tracked();
      await page.evaluate(`window.told = []`);
      await call(page, `identify({ ${member}, pushOptIn: true })`);
      await page.evaluate(BRIDGES.ANDROID.consent);
      shop.fault = 404;
      await expect(call(page, `optIn({ ${member}, pushOptIn: false })`)).rejects.toThrow('fault 404');
      expect(await told(page)).toEqual([]);
    });

    it('is not a global of the page', async () => {
      const page = await visits.tracked();
      await call(page, `identify({ ${member}, pushOptIn: true })`);
      expect(await page.evaluate(`'syncPushConsent' in window || 'LinkBridge' in window`)).toBe(false);
    });
  });
});
