import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { distinct, type Shop } from '../support/shop';
import { call, HIDE, initCode, sessionOf, SHOW, ShopVisits, stored } from '../support/shop-visits';

const EVENT = '/session/event';
const FUNNEL = '/session/funnel/track';
const CREATE = '/session/create';

describe('sessions of the browser SDK', () => {
  let visits: ShopVisits;
  let shop: Shop;

  beforeAll(async () => {
    visits = await ShopVisits.start();
    ({ shop } = visits);
  });
  afterEach(() => visits.leave());
  afterAll(() => visits.close());

  const load = (page: Page, path = '/') =>
    page.goto(shop.origin + path).then(() => page.evaluate(initCode()));

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
