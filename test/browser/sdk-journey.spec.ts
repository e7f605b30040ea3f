import { resolve } from 'node:path';
import type { RequestHandler } from 'express';
import type { Page } from 'playwright-core';
import { registerApp } from '../support/apps';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization } from '../support/factories';
import { Shop } from '../support/shop';
import { createLink } from '../support/links';
import { call, initCode, loadSdk, ShopVisits, stored } from '../support/shop-visits';
import { perSuite, useTestApp } from '../support/test-app';
import { CHROME } from '../support/visits';

const EXAMPLE = resolve(__dirname, '../../clients/web/example-proxy.mjs');

interface ProxyOptions {
  url: string;
  appId: number;
  apiKey: string;
  memberOf: () => string | undefined;
}

/** The README's own proxy. */
const { waypostProxy } = jest.requireActual<{ waypostProxy: (options: ProxyOptions) => RequestHandler }>(
  EXAMPLE,
);

describe('the browser SDK, through the proxy of its README, with the service behind it', () => {
  // Node and Chromium reach the service only by its IP address.
  const app = useTestApp({ env: { SHORT_URL_BASE: 'http://127.0.0.1' } });
  let appId: number;
  let visits: ShopVisits;
  let shop: Shop;
  let member: string | undefined;

  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    const registered = await registerApp(organization, { platform: 'Web', bundleId: 'shop.example' });
    appId = registered.id;
    const { apiKey } = registered as unknown as { apiKey: string };
    shop = new Shop(waypostProxy({ url: app.url, appId, apiKey, memberOf: () => member }));
    visits = await ShopVisits.start(shop);
  });
  afterEach(() => visits.leave());
  afterAll(() => visits.close());

  /** A page with the SDK from the service. */
  async function pageOfShop(path = '/blank'): Promise<Page> {
    const page = await visits.open(await visits.visitor(), path);
    await loadSdk(page, app.url);
    await page.evaluate(initCode({ appId, link: undefined }));
    return page;
  }
  const contact = async (externalUserId: string) => {
    const [row] = await app.sql(
      `SELECT sms_opt_in AS sms, push_opt_in AS push FROM contacts WHERE external_user_id = $1`,
      [externalUserId],
    );
    return row;
  };

  const sessions = () =>
    app.sql(
      `SELECT id, external_user_id AS member, utm_source AS source FROM funnel_sessions WHERE app_id = $1`,
      [appId],
    );
  const goals = () =>
    app.sql(
      `SELECT goal_type AS type, currency, value::float AS value, tracked_link_id AS link FROM goals WHERE app_id = $1 ORDER BY id`,
      [appId],
    );
  const rollup = async () => {
    const [row] = await app.sql(
      `SELECT sum(sessions)::int AS sessions, sum(converted)::int AS converted, sum(purchased)::int AS purchased
         FROM session_rollups WHERE organization_id = $1 AND app_id = $2 AND subject_kind = 3`,
      [organization.organizationId, appId],
    );
    return row;
  };
  const shown = async (sessionId: string) => {
    const answer = await fetch(`${shop.origin}/waypost/api/v1/cross-platform/session/${sessionId}`);
    return (await answer.json()) as object;
  };

  it('follows a web app from the click to the purchase, in five stages, each counted once', async () => {
    const url = 'https://shop.example.com/landing?waypost-code=autumn';
    const body = { url, customAlias: 'autumn', goalType: 'subscribe', utmSource: 'newsletter' };
    const link = await createLink(organization, body);
    const click = await fetch(`${app.url}/autumn`, {
      redirect: 'manual',
      headers: { 'User-Agent': CHROME },
    });
    const { search } = new URL(click.headers.get('location') ?? '');

    member = 'm1';
    const page = await pageOfShop(`/landing${search}`);
    await call(page, `trackStage('CONTENT_VIEWED')`);
    await call(page, `trackStage('ACTION_TAKEN')`);
    await page.context().setOffline(true);
    await page.evaluate(`for (let i = 0; i < 5; i++) Waypost.getInstance().trackEvent('look', { i })`);
    await call(page, `trackGoal(null, 1)`);
    await call(page, `trackPurchase(12900, 'KRW', { transactionId: 'order-1' })`);
    await call(page, `trackPurchase(12900, 'KRW', { transactionId: 'order-1' })`);
    await page.context().setOffline(false);
    shop.fault = 'lost';
    await call(page, 'flush()');
    await call(page, 'flush()');
    shop.fault = null;
    await call(page, `identify({ externalUserId: 'm1' })`);
    await call(page, 'flush()');
    await eventually(async () => expect(await stored(page)).toBe(0));

    expect(await goals()).toEqual([
      { type: 'subscribe', currency: 'USD', value: 1, link: link.id },
      { type: 'purchase', currency: 'KRW', value: 12900, link: link.id },
    ]);
    expect(await app.sql('SELECT event_data FROM session_events ORDER BY id')).toEqual(
      [0, 1, 2, 3, 4].map((i) => ({ event_data: { i } })),
    );
    const all = await sessions();
    expect(all).toMatchObject([{ member: 'm1', source: 'newsletter' }]);
    const session = await call<{ sessionId: string }>(page, 'refreshSession()');
    expect(session).toMatchObject({ externalUserId: 'm1', urlId: link.id, goalType: 'subscribe' });
    expect(session.sessionId).toBe(all[0]?.id);
    expect(await shown(session.sessionId)).toMatchObject({
      platform: 'WEB',
      stages: ['CLICKED', 'DEEP_LINK_RESOLVED', 'CONTENT_VIEWED', 'ACTION_TAKEN', 'GOAL_COMPLETED'],
      converted: true,
    });
    expect(await rollup()).toEqual({ sessions: 1, converted: 1, purchased: 1 });
  });

  it('saves members, consents and withdrawals', async () => {
    member = 'm2';
    const page = await pageOfShop();
    const profile = { externalUserId: 'm2', name: 'Kim', email: 'kim@shop.example', pushOptIn: true };
    await expect(call(page, `optIn({ externalUserId: 'm2', smsOptIn: true })`)).rejects.toThrow('(404)');
    expect(await call(page, `identify(${JSON.stringify(profile)})`)).toEqual({
      success: true,
      action: 'created',
      externalUserId: 'm2',
      pushOptIn: true,
      pushAdOptIn: false,
    });
    await call(page, `optIn({ externalUserId: 'm2', smsOptIn: true, pushOptIn: null })`);
    expect(await contact('m2')).toMatchObject({ sms: true, push: true });
    await call(page, `withdraw('m2')`);
    expect(await contact('m2')).toMatchObject({ sms: false, push: false });
    expect(await call(page, `identify({ externalUserId: 'm2' })`)).toMatchObject({ action: 'reactivated' });
  });

  it('reports without a key, directly to the service that served it', async () => {
    const page = await pageOfShop();
    await call(page, `debugScheme({ appScheme: 'nobodys', pathPart: 'p/1' })`);
    await eventually(async () => {
      const { body } = await consoleApi(app).get('/api/v1/console/debug-schemes').expect(200);
      expect(body.content).toMatchObject([{ appScheme: 'nobodys', pathPart: 'p/1', intentUrl: null }]);
    });
  });
});
