import { DeepLinkTokensService } from '../../src/modules/attribution/tokens/deep-link-tokens.service';
import { openAppPage } from '../support/app-pages';
import { PLAY_STORE, registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { appApi, createOrganization, deduplicate } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { ANDROID, IPHONE, visit } from '../support/visits';

const MOBILE = '/api/v1/sdk/mobile/deeplink';
const NOW = '2026-11-20T08:32:00Z';
const PHONE = { ipAddress: '203.0.113.7', userAgent: 'Shop/4.2.0 CFNetwork/3826.500.131 Darwin/25.0.0' };

describe('installs and openings', () => {
  const app = useTestApp({ at: NOW });
  const own = perTest(() => createOrganization(app));
  const ios = perTest(() => registerApp(own));
  const android = perTest(() => registerApp(own, { platform: 'Android', storeUrl: PLAY_STORE }));
  const api = appApi(app, ios);

  const tied = (more = {}) =>
    createLink(own, { iosAppId: ios.id, androidAppId: android.id, iosDeepLinkPath: '/p/42', ...more });
  const click = ({ id }: { id: number }, more = {}) =>
    openAppPage(app, own, { trackedLinkId: id, appIds: [ios.id, android.id], ...more });
  const clicked = async (link: { id: number }, more = {}) => {
    const token = await click(link, more);
    await eventually(async () =>
      expect(await app.sql('SELECT 1 FROM clicks WHERE tracked_link_id = $1', [link.id])).not.toEqual([]),
    );
    return token;
  };
  const visitStore = (token: string) => app.get(DeepLinkTokensService).trackStoreVisit(token);
  const match = (token: string, query: object = {}, client = api) =>
    client.get(`${MOBILE}/match`, { token, ...query }).expect(200);
  const resolve = (path: string, query: object = {}, client = api) =>
    client.get(`${MOBILE}/resolve-shorturl/${path}`, query);
  const fingerprint = (query: object = {}) =>
    api
      .get(`${MOBILE}/resolve-fingerprint`, { ...PHONE, resolution: '393x852', osVersion: '26.0', ...query })
      .expect(200);
  const figures = async (path: string) => {
    const range = '?startDate=2026-11-20&endDate=2026-11-20';
    const { body } = await own.api.get(`/api/v1/service/${path}${range}`).expect(200);
    const reached = (body.funnelStats.stages as { stageCode: string; sessionsReached: number }[])
      .filter(({ sessionsReached }) => sessionsReached > 0)
      .map(({ stageCode, sessionsReached }) => [stageCode, sessionsReached]);
    return {
      installs: body.totalInstalls as number,
      openings: body.reengagementStats.totalReengagements as number,
      sessions: body.funnelStats.totalSessions as number,
      ...Object.fromEntries(reached),
    };
  };
  const linkFigures = ({ id }: { id: number }) => figures(`urls/${id}/app-install-stats`);
  const page = async (path: string, userAgent: string) => {
    const { text } = await visit(app, path, { userAgent }).expect(200);
    const hrefOf = (id: string) =>
      new RegExp(`id="${id}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    return { open: hrefOf('open'), store: hrefOf('store') };
  };

  it('an opening by the page’s scheme URL continues the session of the click', async () => {
    const link = await tied();
    const { open } = await page(`/${codeOf(link)}`, IPHONE);
    const token = new URL(open).searchParams.get('waypost_token') ?? '';
    const { body } = await match(token, PHONE);
    expect(body).toMatchObject({ urlId: link.id, sessionId: expect.any(String) });
    expect(await linkFigures(link)).toEqual({
      ...{ installs: 0, openings: 1, sessions: 1, CLICKED: 1, DEEP_LINK_RESOLVED: 1 },
    });
  });

  it('the referrer of Google Play counts as an installation, once', async () => {
    const link = await tied();
    const { store } = await page(`/${codeOf(link)}`, ANDROID);
    const referrer = new URL(store).searchParams.get('referrer') ?? '';
    const token = new URLSearchParams(referrer).get('waypost_token') ?? '';
    const droid = appApi(app, android);
    for (let n = 0; n < 3; n++) await match(token, { isFirstLaunch: true }, droid);
    expect(await linkFigures(link)).toEqual({
      ...{ installs: 1, openings: 0, sessions: 1 },
      ...{ CLICKED: 1, APP_INSTALLED: 1, APP_OPENED: 1, DEEP_LINK_RESOLVED: 1 },
    });
    await match(token, { isFirstLaunch: false }, droid);
    expect(await linkFigures(link)).toMatchObject({ installs: 1, openings: 1 });
  });

  it('a start after a store visit counts as an installation by default', async () => {
    const link = await tied();
    const [installed, opened] = [await clicked(link), await clicked(link)];
    await visitStore(installed);
    await match(installed);
    await match(installed);
    await match(opened);
    expect(await linkFigures(link)).toMatchObject({ installs: 1, openings: 1, APP_INSTALLED: 1 });
    const said = await clicked(link);
    await visitStore(said);
    await match(said, { isFirstLaunch: false });
    expect(await linkFigures(link)).toMatchObject({ installs: 1, openings: 2 });
  });

  it('the installation of a click that de-duplication filtered counts', async () => {
    const link = await tied();
    await deduplicate(app, own, `links/${link.id}`);
    const deduplicationWindowMinutes = 10;
    await clicked(link, { deduplicationWindowMinutes });
    const token = await click(link, { deduplicationWindowMinutes });
    const { body } = await match(token, { isFirstLaunch: true });
    expect(body.sessionId).toEqual(expect.any(String));
    expect((await match(token, { isFirstLaunch: true })).body.sessionId).toBe(body.sessionId);
    expect(await linkFigures(link)).toMatchObject({ installs: 1, openings: 0, APP_INSTALLED: 1 });
  });

  it('repeated starts of one phone by fingerprint count as one installation', async () => {
    const link = await tied();
    const device = { userAgent: IPHONE, resolution: '393x852', browserId: 'one' };
    for (let n = 0; n < 3; n++) {
      const token = await clicked(link, { userAgent: IPHONE });
      await app.get(DeepLinkTokensService).updateFingerprint(token, device);
      await eventually(async () => expect((await fingerprint()).body).toMatchObject({ matched: true }));
      app.clock.advance(60_000);
    }
    expect(await linkFigures(link)).toMatchObject({ installs: 1, openings: 2, sessions: 3 });
    const token = await clicked(link);
    await app.get(DeepLinkTokensService).updateFingerprint(token, { ...device, browserId: 'other' });
    await eventually(async () =>
      expect((await fingerprint({ isFirstLaunch: false })).body).toMatchObject({ matched: true }),
    );
    expect(await linkFigures(link)).toMatchObject({ installs: 1, openings: 3 });
    for (const isFirstLaunch of ['maybe', '1', '']) {
      const { body } = await api
        .get(`${MOBILE}/resolve-fingerprint`, { ...PHONE, isFirstLaunch })
        .expect(400);
      expect(body.details[0].field).toBe('isFirstLaunch');
    }
  });

  describe('in which the system opens the app for a link’s own URL', () => {
    it('count as openings of the app’s session, not as installations', async () => {
      const link = await tied({ goalType: 'purchase' });
      const path = `${ios.path}/${codeOf(link)}`;
      const { body } = await resolve(path, { ...PHONE, sessionId: 'opening-1' }).expect(200);
      expect(body).toMatchObject({ urlId: link.id, sessionId: 'opening-1' });
      await resolve(path, { ...PHONE, sessionId: 'opening-1' }).expect(200);
      expect(await linkFigures(link)).toEqual({
        ...{ installs: 0, openings: 2, sessions: 1, DEEP_LINK_RESOLVED: 1 },
      });
      const session = await api.get('/api/v1/cross-platform/session/opening-1').expect(200);
      expect(session.body).toMatchObject({ urlId: link.id, goalType: 'purchase', platform: 'IOS' });
      expect((await resolve(path, PHONE).expect(200)).body.sessionId).toBeNull();
    });

    it('count once however often a call is repeated with one requestId', async () => {
      const [link, other] = [await tied(), await tied()];
      const path = `${ios.path}/${codeOf(link)}`;
      const repeated = (...calls: (() => Promise<unknown>)[]) => Promise.all(calls.map((call) => call()));
      const again = { ...PHONE, sessionId: 'opening', requestId: 'opening-1' };
      await repeated(...Array.from({ length: 5 }, () => async () => resolve(path, again).expect(200)));
      expect(await linkFigures(link)).toMatchObject({ openings: 1, DEEP_LINK_RESOLVED: 1 });
      await resolve(`${ios.path}/${codeOf(other)}`, again).expect(200);
      await resolve(path, { ...again, requestId: 'opening-2' }).expect(200);
      expect(await linkFigures(link)).toMatchObject({ openings: 2 });
      expect(await linkFigures(other)).toMatchObject({ openings: 1 });
      const token = await clicked(other);
      for (let n = 0; n < 3; n++)
        await match(token, { ...PHONE, isFirstLaunch: false, requestId: 'match-1' });
      expect(await linkFigures(other)).toMatchObject({ openings: 2 });
      await resolve(path, { requestId: 'x'.repeat(201) }).expect(400);
    });

    it('continue the session of a click on the same link', async () => {
      const [link, other] = [await tied(), await tied()];
      const token = await clicked(link);
      const path = `${ios.path}/${codeOf(link)}`;
      const { body } = await resolve(path, { token }).expect(200);
      expect(body.sessionId).toEqual((await match(token)).body.sessionId);
      const elsewhere = await resolve(`${ios.path}/${codeOf(other)}`, { token, sessionId: 's' }).expect(200);
      expect(elsewhere.body.sessionId).toBe('s');
      expect((await resolve(path, { token: 'x' }).expect(200)).body.sessionId).toBeNull();
      expect(await linkFigures(link)).toMatchObject({ installs: 0, sessions: 1, DEEP_LINK_RESOLVED: 1 });
    });

    it('count as installations on the first start', async () => {
      const campaign = await createCampaign(own, { iosAppId: ios.id });
      const query = { sessionId: 'first', isFirstLaunch: true, ...PHONE };
      for (let n = 0; n < 2; n++)
        await api.get(`${MOBILE}/resolve-campaign/${campaign.alias}`, query).expect(200);
      expect(await figures(`campaigns/${campaign.id}/app-install-stats`)).toMatchObject({
        ...{ installs: 1, openings: 0, sessions: 1, APP_INSTALLED: 1, DEEP_LINK_RESOLVED: 1 },
      });
    });
  });
});
