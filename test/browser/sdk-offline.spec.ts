import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { distinct, type SdkCall } from '../support/shop';
import { call, initCode, sessionOf, useShopVisits, stored, HIDE, SHOW } from '../support/shop-visits';

const EVENT = '/session/event';
const FUNNEL = '/session/funnel/track';
const CREATE = '/session/create';

const { visits, shop } = useShopVisits();

const load = (page: Page, path = '/') => page.goto(shop.origin + path).then(() => page.evaluate(initCode()));

describe('the queue of the browser SDK', () => {
  const tracked = () => [...shop.of(EVENT), ...shop.of(FUNNEL)];

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

describe('sessions of the browser SDK', () => {
  it('start once, even when the response is lost and the page is reloaded', async () => {
    shop.fault = 'lost';
    const page = await visits.open(await visits.visitor());
    await page.evaluate(initCode());
    await eventually(async () => expect(shop.of(CREATE).length).toBeGreaterThan(0));
    await load(page);
    shop.fault = null;
    await load(page);
    await sessionOf(page);
    const ids = shop.bodiesOf(CREATE).map(({ sessionId }) => sessionId);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
  });

  it('continue when the proxy refuses the member', async () => {
    const options = initCode({ externalUserId: shop.stranger });
    const page = await visits.open(await visits.visitor());
    await page.evaluate(options);
    await call(page, `trackEvent('look')`);
    await eventually(async () => expect(shop.of(EVENT)).toHaveLength(1));
    // A page that is left before it has the answer sends the event again.
    await eventually(async () => expect(await stored(page)).toBe(0));
    await load(page);
    await page.goto(shop.origin);
    await page.evaluate(options);
    await call(page, `trackEvent('look')`);
    await eventually(async () => expect(shop.of(EVENT)).toHaveLength(2));
    expect(shop.bodiesOf(CREATE)).toHaveLength(1);
    await eventually(async () => expect(await stored(page)).toBe(0));
  });

  it.each(['http://127.0.0.1', 'http://shop.test'])(
    'are shared by the tabs of %s, with what they track',
    async (host) => {
      const origin = `${host}:${shop.port}`;
      const context = await visits.visitor();
      const [one, two] = await Promise.all([
        visits.open(context, '/', origin),
        visits.open(context, '/', origin),
      ]);
      expect(await one.evaluate(`'locks' in navigator`)).toBe(host.endsWith('1'));
      await Promise.all([one.evaluate(initCode()), two.evaluate(initCode())]);
      expect(await sessionOf(one)).toBe(await sessionOf(two));
      expect(shop.of(CREATE)).toHaveLength(1);
      await context.setOffline(true);
      const burst = `for (let i = 0; i < 20; i++) Waypost.getInstance().trackEvent('look', { i })`;
      await Promise.all([one.evaluate(burst), two.evaluate(burst)]);
      await one.evaluate(`Waypost.getInstance().trackSignup()`);
      await context.setOffline(false);
      await eventually(async () => expect(distinct(shop.of(EVENT))).toBe(40));
      await eventually(async () => expect(await stored(two)).toBe(0));
      expect([shop.of(EVENT).length, shop.of(FUNNEL).length]).toEqual([40, 1]);
    },
  );

  it('end after half an hour without activity', async () => {
    const page = await visits.open(await visits.visitor());
    await page.clock.install({ time: '2030-01-01T00:00:00Z' });
    await load(page);
    const first = await sessionOf(page);
    await page.clock.fastForward('29:00');
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    await page.clock.fastForward('29:00');
    await load(page);
    expect(await sessionOf(page)).toBe(first);
    await page.clock.fastForward('30:01');
    expect(await call(page, 'getSession()')).toBeNull();
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    const second = await sessionOf(page);
    expect(second).not.toBe(first);
    expect(shop.of(EVENT).map((each) => each.sessionId)).toEqual([first, second]);
    await page.clock.fastForward('31:00');
    await page.evaluate(HIDE + SHOW);
    await eventually(async () => expect([first, second]).not.toContain(await sessionOf(page)));
  });

  it('are reloaded, or replaced when the server has forgotten them', async () => {
    const page = await visits.tracked();
    const first = await sessionOf(page);
    expect(await call(page, 'refreshSession()')).toMatchObject({ sessionId: first });
    expect(shop.of('/session/:id')).toHaveLength(1);
    shop.forgotten.add(first);
    const refreshed = await call<{ sessionId: string }>(page, 'refreshSession()');
    expect(refreshed.sessionId).not.toBe(first);
    shop.forgotten.add(refreshed.sessionId);
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    expect(shop.of(EVENT).map((each) => each.sessionId)).toEqual([await sessionOf(page)]);
    expect([first, refreshed.sessionId]).not.toContain(await sessionOf(page));
  });

  it('are replaced for another member and after a logout', async () => {
    const page = await visits.tracked({ externalUserId: 'm1' });
    const first = await sessionOf(page);
    await call(page, `identify({ externalUserId: 'm1' })`);
    expect(await sessionOf(page)).toBe(first);
    await call(page, `identify({ externalUserId: 'm2' })`);
    await call(page, 'flush()');
    const second = await sessionOf(page);
    expect(second).not.toBe(first);
    expect(await call(page, 'getSession()')).toMatchObject({ externalUserId: 'm2' });
    await call(page, 'reset()');
    expect(await call(page, 'getSession()')).toBeNull();
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    expect(await call(page, 'getSession()')).toMatchObject({ externalUserId: null });
  });
});
