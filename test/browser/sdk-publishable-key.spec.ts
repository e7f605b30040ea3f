import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { blocks, section } from '../docs/blocks';
import { registerApp } from '../support/apps';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { temporaryFolder } from '../support/servers';
import { Shop } from '../support/shop';
import { call, consoleOf, initCode, loadSdk, sessionOf, ShopVisits, stored } from '../support/shop-visits';
import { perSuite, useTestApp } from '../support/test-app';
import { CHROME } from '../support/visits';

const ROOT = resolve(__dirname, '../..');
const README = readFileSync(join(ROOT, 'clients/web/README.md'), 'utf8');
const UNSIGNED = 'X-Identity-Signature';

function readme(heading: string, language: string): string {
  const block = blocks(section(README, `## ${heading}`)).find((each) => each.language === language);
  if (!block) throw new Error(`The README has no ${language} below ${heading}`);
  return block.text;
}

/** The README's code for servers. */
function loadSigning(): { signedMember: (externalUserId: string) => object } {
  const file = join(mkdtempSync(join(temporaryFolder('readme'), 'server-')), 'members.mjs');
  writeFileSync(file, readme('Members', 'js'));
  return jest.requireActual(file);
}

describe('the browser SDK with a publishable key, on pages of another origin than the service', () => {
  // Node and Chromium reach the service only by its IP address.
  const app = useTestApp({ env: { SHORT_URL_BASE: 'http://127.0.0.1' } });
  let appId: number;
  let publishableKey: string;
  let visits: ShopVisits;
  let shop: Shop;
  let externalUserId: string;

  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    const registered = await registerApp(organization, { platform: 'Web', bundleId: 'shop.example' });
    appId = registered.id;
    publishableKey = registered.publishableKey;
    process.env.WAYPOST_APP_KEY = registered.apiKey;
    const { signedMember } = loadSigning();
    shop = new Shop((_request, response) => {
      response.json(signedMember(externalUserId));
    });
    visits = await ShopVisits.start(shop);
  });
  afterEach(async () => {
    await organization.api.put(`/api/v1/service/mobile-apps/${appId}`, { allowedOrigins: [] });
    await visits.leave();
  });
  afterAll(async () => {
    delete process.env.WAYPOST_APP_KEY;
    await visits.close();
  });

  const init = (options: Record<string, unknown> = {}) =>
    initCode({ appId, publishableKey, proxyUrl: undefined, ...options });
  /** The shop in a new tab, with the SDK as the service serves it. */
  async function opened(path = '/', context = visits.visitor()): Promise<Page> {
    const page = await visits.open(await context, path);
    await loadSdk(page, app.url);
    return page;
  }
  const signed = (page: Page) =>
    page.evaluate<Record<string, unknown>>(`fetch('/waypost/member').then((response) => response.json())`);
  const arrived = (page: Page) => eventually(async () => expect(await stored(page)).toBe(0));

  const sessions = () =>
    app.sql(
      `SELECT id, external_user_id AS member FROM funnel_sessions WHERE app_id = $1 ORDER BY started_at`,
      [appId],
    );
  const goals = () =>
    app.sql(
      `SELECT goal_type AS type, currency, value::float AS value, tracked_link_id AS link FROM goals WHERE app_id = $1 ORDER BY id`,
      [appId],
    );
  const events = (eventType: string) =>
    app.sql('SELECT event_data FROM session_events WHERE event_type = $1 ORDER BY id', [eventType]);
  const contact = async (id: string) => {
    const [row] = await app.sql(
      `SELECT sms_opt_in AS sms, push_opt_in AS push FROM contacts WHERE external_user_id = $1`,
      [id],
    );
    return row;
  };

  it('counts a click, its session in two tabs, and what a signed member does, once each', async () => {
    externalUserId = 'm1';
    const link = await createLink(organization, {
      url: 'https://shop.example.com/landing',
      goalType: 'subscribe',
      appendClickId: true,
    });
    const click = await fetch(`${app.url}/${codeOf(link)}`, {
      redirect: 'manual',
      headers: { 'User-Agent': CHROME },
    });
    const { search } = new URL(click.headers.get('location') ?? '');
    const context = await visits.visitor();
    const page = await opened(`/landing${search}`, Promise.resolve(context));
    await page.evaluate(init());
    const sessionId = await sessionOf(page);
    const other = await opened('/', Promise.resolve(context));
    await other.evaluate(init());
    expect(await sessionOf(other)).toBe(sessionId);

    await context.setOffline(true);
    const burst = `for (let i = 0; i < 5; i++) Waypost.getInstance().trackEvent('look', { i })`;
    await Promise.all([page.evaluate(burst), other.evaluate(burst)]);
    await call(page, `trackGoal(null, 1)`);
    await call(page, `trackPurchase(12900, 'KRW', { transactionId: 'order-1' })`);
    await call(other, `trackPurchase(12900, 'KRW', { transactionId: 'order-1' })`);
    await other.close();
    await context.setOffline(false);
    await page.goto(`${shop.origin}/next`);
    await loadSdk(page, app.url);
    await page.evaluate(init(await signed(page)));
    await arrived(page);
    await call(page, `identify({ externalUserId: 'm1', name: 'Kim Minji', pushOptIn: true })`);
    await call(page, `optIn({ externalUserId: 'm1', smsOptIn: true })`);
    await arrived(page);

    expect(await contact('m1')).toEqual({ sms: true, push: true });
    expect(await events('look')).toHaveLength(10);
    expect(await goals()).toEqual([
      { type: 'subscribe', currency: 'USD', value: 1, link: link.id },
      { type: 'purchase', currency: 'KRW', value: 12900, link: link.id },
    ]);
    expect(await sessions()).toEqual([{ id: sessionId, member: 'm1' }]);
    expect(await call(page, 'refreshSession()')).toMatchObject({
      sessionId,
      externalUserId: 'm1',
      urlId: link.id,
      goalType: 'subscribe',
    });
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/Kim|identitySignature/);
    const [rollup] = await app.sql(
      `SELECT sum(sessions)::int AS sessions, sum(converted)::int AS converted, sum(purchased)::int AS purchased
         FROM session_rollups WHERE organization_id = $1 AND app_id = $2 AND subject_kind = 3`,
      [organization.organizationId, appId],
    );
    expect(rollup).toEqual({ sessions: 1, converted: 1, purchased: 1 });
  });

  it('keeps a signature across reloads while its call is queued, and no longer', async () => {
    externalUserId = 'm2';
    const page = await opened();
    const load = async (options = {}) => {
      await page.goto(shop.origin);
      await loadSdk(page, app.url);
      await page.evaluate(init(options));
    };
    const storage = () => page.evaluate<string>('JSON.stringify(localStorage)');
    const member = await signed(page);
    await load();
    const sessionId = await sessionOf(page);
    const api = `${app.url}/api/**`;
    await page.route(api, (route) => route.abort());
    await load(member);
    await call(page, 'flush()');
    expect(await storage()).toContain('identitySignature');
    await page.unroute(api);
    await load();
    await arrived(page);
    expect(await storage()).not.toContain('identitySignature');
    expect(await sessions()).toContainEqual({ id: sessionId, member: 'm2' });
  });

  it.each([
    ['no', undefined],
    ['a malformed', 'it is me'],
    ['another', 'a'.repeat(64)],
  ])('counts the visit without the member who has %s signature, and warns once', async (_which, given) => {
    const before = (await sessions()).length;
    const page = await opened();
    const said = consoleOf(page);
    await page.evaluate(init({ externalUserId: 'm3', identitySignature: given }));
    await sessionOf(page);
    await call(page, `trackEvent('unsigned', { given: '${String(given)}' })`);
    await arrived(page);
    const saved = call(page, `identify({ externalUserId: 'm3' })`);
    await expect(saved).rejects.toThrow(UNSIGNED);
    expect(await contact('m3')).toBeUndefined();
    const all = await sessions();
    expect([all.length, all.at(-1)?.member]).toEqual([before + 1, null]);
    expect(await events('unsigned')).toContainEqual({ event_data: { given: String(given) } });
    expect(said.filter((line) => line.startsWith('warning'))).toEqual([
      expect.stringMatching(/X-Identity-Signature.*\(401\)$/),
    ]);
  });

  it('does not withdraw a member, and says why', async () => {
    externalUserId = 'm1';
    const page = await opened();
    await page.evaluate(init(await signed(page)));
    await expect(call(page, `withdraw('m1')`)).rejects.toThrow(/secret key.*\(403\)/);
    expect(await contact('m1')).toBeDefined();
  });

  it('keeps calls of an origin that the app does not list, and warns once', async () => {
    const path = `/api/v1/service/mobile-apps/${appId}`;
    await organization.api.put(path, { allowedOrigins: ['https://shop.example'] }).expect(200);
    const page = await opened();
    const said = consoleOf(page);
    await page.evaluate(init());
    await call(page, `trackEvent('elsewhere')`);
    await call(page, 'flush()');
    await call(page, 'flush()');
    expect(said).toEqual([expect.stringMatching(/^warning: \[Waypost\] .*origin.*\(403\)$/i)]);
    expect(await stored(page)).toBe(1);
    await organization.api.put(path, { allowedOrigins: [shop.origin] }).expect(200);
    await call(page, 'flush()');
    expect(await stored(page)).toBe(0);
    expect(await events('elsewhere')).toHaveLength(1);
  });

  it('keeps calls with a wrong key, and warns once', async () => {
    const page = await opened();
    const said = consoleOf(page);
    await page.evaluate(init({ publishableKey: `${publishableKey}0` }));
    await call(page, `trackEvent('keyless')`);
    await call(page, 'flush()');
    await call(page, 'flush()');
    expect(said).toEqual([expect.stringMatching(/^warning: \[Waypost\] .*\(401\)$/)]);
    expect(await stored(page)).toBe(1);
  });

  it('sends nothing for a while after the calls that an address may make', async () => {
    const { id, publishableKey: key } = await registerApp(organization, {
      platform: 'Web',
      bundleId: 'busy.example',
    });
    const page = await opened();
    await page.evaluate(init({ appId: id, publishableKey: key }));
    const sessionId = await sessionOf(page);
    const headers = { 'X-App-ID': String(id), 'X-Mobile-App-API-Key': key };
    const url = `${app.url}/api/v1/cross-platform/session/${sessionId}`;
    await Promise.all(Array.from({ length: 300 }, () => fetch(url, { headers })));
    await expect(call(page, 'refreshSession()')).rejects.toThrow('(429)');
    await expect(call(page, 'refreshSession()')).rejects.toThrow('Too many calls: they are sent later');
  });

  it('says when apiUrl is not that of Waypost', async () => {
    const page = await opened();
    await page.evaluate(init({ apiUrl: shop.origin }));
    await expect(call(page, 'refreshSession()')).rejects.toThrow('Is apiUrl right?');
  });

  describe('as in its README', () => {
    const adapted = (code: string) =>
      code
        .replaceAll(/\b42\b/g, String(appId))
        .replaceAll('https://api.example.com', app.url)
        .replaceAll('wp_pub_…', publishableKey);
    /** A bundle for pages of code that imports the package. */
    async function bundled(contents: string): Promise<string> {
      const { outputFiles } = await build({
        stdin: { contents, loader: 'jsx', resolveDir: ROOT },
        bundle: true,
        write: false,
        format: 'iife',
        jsx: 'automatic',
        define: { 'process.env.NODE_ENV': '"production"' },
      });
      return outputFiles[0]?.text ?? '';
    }
    const purchases = () =>
      app.sql(`SELECT 1 FROM goals WHERE app_id = $1 AND transaction_id = 'order-4711'`, [appId]);
    afterEach(() => app.sql(`DELETE FROM goals WHERE transaction_id = 'order-4711'`));

    it('tracks a purchase by a script in a page', async () => {
      const page = await visits.open(await visits.visitor());
      await page.evaluate('delete window.Waypost');
      await page.setContent(adapted(readme('A page', 'html')));
      await eventually(async () => expect(await purchases()).toHaveLength(1));
    });

    it('tracks a purchase by the module', async () => {
      const page = await visits.open(await visits.visitor());
      await page.addScriptTag({ content: await bundled(adapted(readme('A page', 'js'))) });
      await eventually(async () => expect(await purchases()).toHaveLength(1));
    });

    it('identifies a member by the hook for React', async () => {
      externalUserId = 'm4';
      const page = await visits.open(await visits.visitor());
      const use = `
        import { createRoot } from 'react-dom/client';
        function Buy({ member }) {
          const waypost = useWaypost(member);
          return <button onClick={() => waypost.trackEvent('bought')}>Buy</button>;
        }
        fetch('/waypost/member').then((response) => response.json()).then((member) => {
          createRoot(document.body).render(<><Buy /><Buy member={member} /></>);
        });`;
      await page.addScriptTag({ content: await bundled(adapted(readme('React', 'jsx')) + use) });
      await page.getByRole('button').first().click();
      await eventually(async () => expect(await events('bought')).toHaveLength(1));
      await eventually(async () => expect(await contact('m4')).toBeDefined());
    });
  });
});
