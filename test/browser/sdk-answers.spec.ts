import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import {
  call,
  consoleOf,
  HIDE,
  initCode,
  sessionOf,
  SHOW,
  useShopVisits,
  stored,
} from '../support/shop-visits';

const EVENT = '/session/event';
const CREATE = '/session/create';
const PAGE = '<!doctype html><title>Log in</title>';
const STRANGERS = [
  { status: 404, body: PAGE },
  { status: 404, body: { statusCode: 404, message: 'Not found' } },
  { status: 404, body: { success: false, message: 'Not found' } },
  // Waypost itself, for an unknown path.
  { status: 404, body: { status: 404, code: 'NOT_FOUND', message: 'Resource not found' } },
  { status: 400, body: PAGE },
  { status: 200, body: PAGE },
  { status: 200, body: { ok: true } },
];
const READY = `window.got = []; window.LinkBridge = { onReady: (json) => got.push(JSON.parse(json)) };`;

describe('the browser SDK, with responses that are not from Waypost', () => {
  const { visits, shop } = useShopVisits();

  async function pageInApp(path = '/'): Promise<Page> {
    const context = await visits.visitor();
    await context.addInitScript(READY);
    return visits.open(context, path);
  }
  const got = (page: Page) => page.evaluate<Record<string, unknown>[]>('window.got');

  it.each(STRANGERS)('loses neither session nor call, and warns once: %j', async (stranger) => {
    const page = await visits.tracked({ externalUserId: 'm1' });
    const said = consoleOf(page);
    const session = await call(page, 'getSession()');
    shop.fault = stranger;
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    await call(page, 'flush()');
    await expect(call(page, 'refreshSession()')).rejects.toThrow('Is proxyUrl right?');
    expect(await call(page, 'getSession()')).toEqual(session);
    expect(session).toMatchObject({ externalUserId: 'm1' });
    expect(await stored(page)).toBe(1);
    const [line] = said;
    expect(said).toHaveLength(1);
    expect(line).toMatch(
      new RegExp(`^warning: \\[Waypost\\] /waypost does not respond like Waypost \\(${stranger.status}, `),
    );
    shop.fault = null;
    await call(page, 'flush()');
    expect(shop.of(EVENT)).toHaveLength(1);
    expect(shop.of(CREATE)).toHaveLength(1);
  });

  it('reports in READY why there is no session', async () => {
    shop.fault = { status: 200, body: PAGE };
    const page = await pageInApp();
    await page.evaluate(initCode());
    await eventually(async () => expect(await got(page)).toHaveLength(1));
    expect(await got(page)).toMatchObject([
      { initialized: false, sessionId: null, error: expect.stringContaining('Is proxyUrl right?') },
    ]);
  });

  it('delays calls about members until Waypost responds, and leaves a login to the page', async () => {
    const page = await visits.tracked();
    shop.fault = { status: 404, body: PAGE };
    const saved = call(page, `identify({ externalUserId: 'm1' })`);
    await eventually(async () => expect(shop.refused).toBeGreaterThan(0));
    shop.fault = null;
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    expect(await saved).toMatchObject({ success: true });
    shop.fault = { status: 401, body: PAGE };
    await expect(call(page, `identify({ externalUserId: 'm1' })`)).rejects.toThrow('401');
  });

  it('drops a call that is too large for a server in between', async () => {
    const page = await visits.tracked();
    await page.evaluate(`Waypost.getInstance().trackEvent('look', { text: '가'.repeat(25000) })`);
    expect(await stored(page)).toBe(0);
    shop.fault = { status: 413, body: PAGE };
    await call(page, `trackEvent('look', { text: 'x' })`);
    await call(page, 'flush()');
    expect(await stored(page)).toBe(0);
  });

  it('reports a wrong key', async () => {
    const page = await visits.tracked();
    const said = consoleOf(page);
    shop.fault = 401;
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    await call(page, 'flush()');
    expect(said).toEqual(['warning: [Waypost] fault 401 (401)']);
    expect(await stored(page)).toBe(1);
  });

  it('starts one session for an unknown code', async () => {
    const page = await visits.open(await visits.visitor(), `/?waypost-code=${shop.unknownCode}`);
    const said = consoleOf(page);
    await page.evaluate(initCode());
    const first = await sessionOf(page);
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    await eventually(async () => expect(shop.of(EVENT)).toHaveLength(1));
    expect(shop.of(CREATE)).toHaveLength(1);
    expect(shop.of(EVENT)[0]?.sessionId).toBe(first);
    expect(await sessionOf(page)).toBe(first);
    expect(said).toEqual(['error: [Waypost] Refused /session/register-link Link not found (404)']);
  });

  it('loses only the token when it is unknown', async () => {
    const page = await visits.open(
      await visits.visitor(),
      `/?waypost-token=${shop.unknownCode}&utm_source=news`,
    );
    await page.evaluate(initCode({ externalUserId: 'm1' }));
    await sessionOf(page);
    const begun = shop.of(CREATE).map(({ body }) => body)[0];
    expect(begun).toMatchObject({ utmSource: 'news', externalUserId: 'm1', sessionId: expect.any(String) });
    expect(begun).toHaveProperty('deviceInfo.userAgent');
    expect(begun).not.toHaveProperty('token');
  });

  it('keeps the member when a call discovers that Waypost has forgotten the session', async () => {
    const page = await visits.tracked({ externalUserId: 'm1' });
    await call(page, 'flush()');
    await page.goto(shop.origin);
    await page.evaluate(initCode());
    const first = await sessionOf(page);
    shop.forgotten.add(first);
    await call(page, `trackEvent('look')`);
    await call(page, 'flush()');
    expect(await call(page, 'getSession()')).toMatchObject({ externalUserId: 'm1' });
    expect(await sessionOf(page)).not.toBe(first);
    expect(shop.of(EVENT).map(({ sessionId }) => sessionId)).toEqual([await sessionOf(page)]);
  });

  it('tracks nothing through the proxy of another app, and reports it', async () => {
    shop.appId = 7;
    const page = await pageInApp();
    const said = consoleOf(page);
    await page.evaluate(initCode());
    await call(page, `trackEvent('look')`);
    await eventually(async () => expect(await got(page)).toHaveLength(1));
    await call(page, 'flush()');
    await page.evaluate(HIDE + SHOW);
    await eventually(async () => expect(await got(page)).toHaveLength(2));
    const error = 'appId is 42, but /waypost has the key of app 7';
    const state = { initialized: false, sessionId: null, error, appId: 42 };
    expect(await got(page)).toMatchObject([
      { reason: 'init', ...state },
      { reason: 'resume', ...state },
    ]);
    await expect(call(page, `identify({ externalUserId: 'm1' })`)).rejects.toThrow(error);
    expect(said).toEqual([`warning: [Waypost] ${error}`]);
    expect(shop.calls.map(({ path }) => path)).toEqual([CREATE]);
    expect(await call(page, 'getSession()')).toBeNull();
    expect(await stored(page)).toBe(1);
  });

  it('has no session without a key, and reports the reason in READY', async () => {
    const page = await pageInApp();
    await page.evaluate('void Waypost.init({ appId: 42 })');
    await eventually(async () => expect(await got(page)).toHaveLength(1));
    await page.evaluate(HIDE + SHOW);
    await eventually(async () => expect(await got(page)).toHaveLength(2));
    const state = { initialized: false, sessionId: null, error: 'publishableKey is missing' };
    expect(await got(page)).toMatchObject([
      { reason: 'init', ...state },
      { reason: 'resume', ...state },
    ]);
  });
});
