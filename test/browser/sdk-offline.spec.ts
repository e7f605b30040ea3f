import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { distinct, type SdkCall, type Shop } from '../support/shop';
import { call, initCode, sessionOf, ShopVisits, stored } from '../support/shop-visits';

const EVENT = '/session/event';
const FUNNEL = '/session/funnel/track';
const CREATE = '/session/create';

describe('the queue of the browser SDK', () => {
  let visits: ShopVisits;
  let shop: Shop;

  beforeAll(async () => {
    visits = await ShopVisits.start();
    ({ shop } = visits);
  });
  afterEach(() => visits.leave());
  afterAll(() => visits.close());

  const tracked = () => [...shop.of(EVENT), ...shop.of(FUNNEL)];
  const load = (page: Page, path = '/') =>
    page.goto(shop.origin + path).then(() => page.evaluate(initCode()));

  describe('without a network', () => {
    it('keeps calls across reloads, and sends them once', async () => {
      const page = await visits.tracked();
      const sessionId = await sessionOf(page);
      shop.fault = 'down';
      await page.context().setOffline(true);
      await page.evaluate(`for (let i = 0; i < 30; i++) Waypost.getInstance().trackEvent('look', { i })`);
      await call(page, `trackPurchase(10, 'KRW', { transactionId: 'order-1' })`);
      await page.context().setOffline(false);
      await load(page);
      await call(page, `trackPurchase(20, 'KRW')`);
      await load(page);
      expect(shop.calls.length).toBe(1);
      shop.fault = null;
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await eventually(async () => expect(tracked()).toHaveLength(32));
      await eventually(async () => expect(await stored(page)).toBe(0));
      expect(tracked()).toHaveLength(32);
      expect(shop.bodiesOf(EVENT).map(({ eventData }) => (eventData as { i: number }).i)).toEqual([
        ...Array(30).keys(),
      ]);
      expect(shop.bodiesOf(FUNNEL).map(({ goalValue }) => goalValue)).toEqual([10, 20]);
      expect(new Set(tracked().map((each) => each.sessionId))).toEqual(new Set([sessionId]));
    });

    it('starts a session later, and assigns earlier calls to it', async () => {
      const page = await visits.open(await visits.visitor());
      await page.context().setOffline(true);
      await page.evaluate(initCode());
      await call(page, `trackEvent('early')`);
      await call(page, `trackGoal(null, 1)`);
      await page.context().setOffline(false);
      await eventually(async () => expect(tracked()).toHaveLength(2));
      const sessionId = await sessionOf(page);
      expect(tracked().map((each) => each.sessionId)).toEqual([sessionId, sessionId]);
      expect(shop.of(CREATE)).toHaveLength(1);
    });

    it('repeats a call whose response was lost so that the server recognizes it', async () => {
      const page = await visits.tracked();
      shop.fault = 'lost';
      await call(page, `trackEvent('look')`);
      await call(page, 'flush()');
      await load(page);
      await call(page, 'flush()');
      shop.fault = null;
      await call(page, 'flush()');
      await eventually(async () => expect(await stored(page)).toBe(0));
      expect(shop.of(EVENT).length).toBeGreaterThan(2);
      expect(distinct(shop.of(EVENT))).toBe(1);
    });

    it('retries by itself, with increasing delays', async () => {
      const page = await visits.open(await visits.visitor());
      await page.clock.install({ time: '2030-01-01T00:00:00Z' });
      await load(page);
      await sessionOf(page);
      await page.clock.pauseAt('2030-01-02T00:00:00Z');
      shop.fault = 500;
      const before = await page.evaluate<number>('Date.now()');
      await call(page, `trackEvent('look')`);
      await eventually(async () => expect(shop.refused).toBeGreaterThan(0));
      shop.fault = null;
      await page.clock.runFor(1_000);
      expect(shop.of(EVENT)).toHaveLength(0);
      await page.clock.runFor(5_000);
      await eventually(async () => expect(shop.of(EVENT)).toHaveLength(1));
      expect(Date.parse(String(shop.bodiesOf(EVENT)[0]?.clientTimestamp))).toBe(before);
    });

    it('sends nothing before the time that Retry-After names', async () => {
      const page = await visits.open(await visits.visitor());
      await page.clock.install({ time: '2030-01-01T00:00:00Z' });
      await load(page);
      await sessionOf(page);
      shop.fault = 429;
      shop.retryAfter = 60;
      await call(page, `trackEvent('look', { i: 0 })`);
      await call(page, 'flush()');
      shop.fault = null;
      await page.clock.runFor(59_000);
      await call(page, `trackEvent('look', { i: 1 })`);
      await call(page, 'flush()');
      await expect(call(page, 'refreshSession()')).rejects.toThrow('Too many calls');
      expect([shop.refused, shop.of(EVENT).length, await stored(page)]).toEqual([1, 0, 2]);
      await page.clock.runFor(2_000);
      await eventually(async () => expect(shop.of(EVENT)).toHaveLength(2));
    });

    it('is bounded: events are dropped first, conversions stay', async () => {
      const page = await visits.tracked();
      await page.context().setOffline(true);
      await call(page, `trackPurchase(1, 'KRW')`);
      await page.evaluate(`for (let i = 0; i < 520; i++) Waypost.getInstance().trackEvent('look', { i })`);
      expect(await stored(page)).toBe(500);
      const first = await page.evaluate<string[]>(
        `Object.keys(localStorage).filter((key) => key.includes('.q:')).sort().slice(0, 2).map((key) => localStorage[key])`,
      );
      expect(first.map((entry) => (JSON.parse(entry) as SdkCall).body)).toMatchObject([
        { goalType: 'purchase_KRW' },
        { eventData: { i: 21 } },
      ]);
    });

    it('delays calls about members, reports to the page when they are saved, and stores nothing of them', async () => {
      const page = await visits.tracked();
      await page.context().setOffline(true);
      const saved = call(
        page,
        `identify({ externalUserId: 'm1', name: 'Kim Minji', phone: '01023456789', email: 'kim@shop.example' })`,
      );
      const optedIn = call(page, `optIn({ externalUserId: 'm1', smsOptIn: true })`);
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/Kim|0102|shop\.example/);
      await page.context().setOffline(false);
      expect(await saved).toEqual({ success: true, action: 'created', externalUserId: 'm1' });
      expect(await optedIn).toMatchObject({ success: true });
      expect(shop.calls.map(({ path }) => path).filter((path) => /identify|opt-in/.test(path))).toEqual([
        '/identify',
        '/opt-in',
      ]);
      await eventually(async () =>
        expect(shop.bodiesOf('/session/:id/link-user')).toMatchObject([{ externalUserId: 'm1' }]),
      );
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/Kim|0102|shop\.example/);
    });
  });

  it('drops calls that the server refuses for good, and continues with the rest', async () => {
    const page = await visits.tracked();
    shop.fault = 400;
    await call(page, `trackEvent('refused')`);
    await call(page, 'flush()');
    expect(await stored(page)).toBe(0);
    for (const fault of [401, 403, 429, 503] as const) {
      shop.fault = fault;
      await call(page, `trackEvent('kept')`);
      await call(page, 'flush()');
    }
    expect(await stored(page)).toBe(4);
    shop.fault = null;
    await call(page, 'flush()');
    expect(shop.bodiesOf(EVENT).map(({ eventType }) => eventType)).toEqual(Array(4).fill('kept'));
  });
});
