import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { eventually, heard } from '../support/eventually';
import { appApi, consoleApi, createOrganization, deduplicate } from '../support/factories';
import { codeOf, createLink, URLS } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const SESSION = '/api/v1/cross-platform/session';
const SITE = 'https://shop.example.com/spring';
const TOKEN = /^[\w-]{51}$/;

describe('appendClickId', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const own = perTest(() => createOrganization(app));
  const shop = perTest(() => registerApp(own, { platform: 'Web', scheme: null, storeUrl: null }));
  const site = appApi(app, shop);

  const make = (body: object = {}) => createLink(own, { url: SITE, appendClickId: true, ...body });
  const follow = async (path: string, options: VisitOptions = {}) => {
    const { headers } = await visit(app, path, options).expect(302);
    return new URL(headers.location as string);
  };
  const tokenOf = (url: URL) => url.searchParams.get('waypost-token') ?? '';
  const begin = async (body: object) =>
    (await site.post(`${SESSION}/create`, { platform: 'WEB', ...body }).expect(201)).body;
  const sessionsOf = (trackedLinkId: number) =>
    app.sql<{ id: string; appId: number | null }>(
      'SELECT id, app_id AS "appId" FROM funnel_sessions WHERE tracked_link_id = $1',
      [trackedLinkId],
    );

  it('is off by default, set on links and campaigns, and shown', async () => {
    const link = await createLink(own, { url: SITE });
    expect(link).toMatchObject({ appendClickId: null });
    expect((await follow(`/${codeOf(link)}`)).href).toBe(SITE);
    const put = async (appendClickId: boolean | null) =>
      (await own.api.put(`${URLS}/${link.id}`, { appendClickId }).expect(200)).body.appendClickId;
    expect(await put(true)).toBe(true);
    await heard(async () => expect(tokenOf(await follow(`/${codeOf(link)}`))).toMatch(TOKEN));
    expect(await put(null)).toBeNull();
    await heard(async () => expect((await follow(`/${codeOf(link)}`)).href).toBe(SITE));
  });

  it('defaults to the setting of the organization', async () => {
    const path = own.consolePath;
    const { body } = await consoleApi(app).patch(path, { appendClickId: true }).expect(200);
    expect(body).toMatchObject({ appendClickId: true });
    const campaign = await createCampaign(own, { originalUrl: SITE });
    expect(tokenOf(await follow(`/c/${campaign.alias}`))).toMatch(TOKEN);
    const off = await make({ appendClickId: false });
    expect((await follow(`/${codeOf(off)}`)).href).toBe(SITE);
  });

  it('lets the site continue the session of the click', async () => {
    const campaign = await createCampaign(own, {
      originalUrl: SITE,
      appendClickId: true,
      goalType: 'signup',
    });
    const arrived = await follow(`/c/${campaign.alias}/poster?cid=kim&ref=1`);
    expect(arrived.searchParams.get('ref')).toBe('1');
    const session = await begin({ token: tokenOf(arrived), landingUrl: arrived.href });
    expect(session).toMatchObject({ campaignId: campaign.id, goalType: 'signup', stages: ['CLICKED'] });
    expect(await sessionsOf(campaign.id)).toEqual([{ id: session.sessionId, appId: session.appId }]);
    const again = await begin({ token: tokenOf(arrived) });
    expect(again.sessionId).toBe(session.sessionId);
    const goal = { sessionId: session.sessionId, goalType: 'purchase_USD', goalValue: 9.5 };
    await site.post(`${SESSION}/funnel/track`, goal).expect(200);
    const rows = await app.sql(
      'SELECT tracked_link_id AS target, custom_id AS "customId" FROM goals WHERE organization_id = $1',
      [own.organizationId],
    );
    expect(rows).toEqual([{ target: campaign.id, customId: 'kim' }]);
    const { body } = await own.api.get(
      `/api/v1/service/campaigns/${campaign.id}/app-install-stats?startDate=2026-11-20&endDate=2026-11-20`,
    );
    expect(body.funnelStats).toMatchObject({ totalSessions: 1, completedSessions: 1 });
  });

  it('does not give a member’s session to somebody else who opens the shared URL', async () => {
    const link = await make();
    const token = tokenOf(await follow(`/${codeOf(link)}`));
    const first = await begin({ token });
    const own = { token, externalUserId: 'member-a' };
    expect((await begin(own)).sessionId).toBe(first.sessionId);
    expect((await begin(own)).sessionId).toBe(first.sessionId);
    const ids = [first.sessionId];
    for (const externalUserId of [undefined, null, 'member-b']) {
      const session = await begin({ token, externalUserId });
      expect(session).toMatchObject({ urlId: link.id, externalUserId: externalUserId ?? null });
      ids.push(session.sessionId);
    }
    expect(new Set(ids).size).toBe(4);
  });

  it('links an existing session to the click', async () => {
    const link = await make();
    const token = tokenOf(await follow(`/${codeOf(link)}`));
    const { sessionId } = await begin({});
    const { body } = await site.post(`${SESSION}/register-link`, { sessionId, token }).expect(200);
    expect(body).toMatchObject({ urlId: link.id });
  });

  it('is valid only in its organization, and for the app that had the session first', async () => {
    const token = tokenOf(await follow(`/${codeOf(await make())}`));
    const other = await createOrganization(app);
    const foreign = appApi(app, await registerApp(other));
    await foreign.post(`${SESSION}/create`, { platform: 'WEB', token }).expect(404);
    const first = await begin({ token });
    const second = appApi(app, await registerApp(own));
    const { body } = await second.post(`${SESSION}/create`, { platform: 'WEB', token }).expect(201);
    expect(body.sessionId).not.toBe(first.sessionId);
    expect(body.urlId).toBe(first.urlId);
  });

  it('gives each click a new token, replacing one in the URL', async () => {
    const link = await make({ url: `${SITE}?waypost-token=theirs&a=%2B#part` });
    const [one, two] = [
      await follow(`/${codeOf(link)}?waypost-token=old`),
      await follow(`/${codeOf(link)}?waypost-token=old`),
    ];
    expect(one.href).toBe(`${SITE}?a=%2B&waypost-token=${tokenOf(one)}#part`);
    expect(tokenOf(one)).not.toBe(tokenOf(two));
    expect([tokenOf(one), tokenOf(two)].every((token) => TOKEN.test(token))).toBe(true);
  });

  it('is only for clicks of people: not for bots, HEAD or prefetching browsers', async () => {
    const path = `/${codeOf(await make())}`;
    const others: VisitOptions[] = [
      { userAgent: GOOGLEBOT },
      { method: 'head' },
      { headers: { 'Sec-Purpose': 'prefetch' } },
    ];
    for (const options of others) expect((await follow(path, options)).href).toBe(SITE);
  });

  it('works with the ad page, and with “Continue in browser” of the page that opens an app', async () => {
    const ad = await visit(app, `/${codeOf(await make({ showAdPage: true }))}`).expect(200);
    expect(ad.text).toMatch(new RegExp(`${SITE}\\?waypost-token=[\\w-]{51}"`));
    const ios = await registerApp(own);
    const page = await visit(app, `/${codeOf(await make({ iosAppId: ios.id }))}`, { userAgent: IPHONE });
    const [, token = ''] = /data-token="([^"]+)"/.exec(page.text) ?? [];
    expect(page.text).toContain(`id="web" href="${SITE}?waypost-token=${token}"`);
  });

  it('matches no app start with a click that leads to a site', async () => {
    const ios = await registerApp(own);
    const link = await make({ iosAppId: ios.id });
    const token = tokenOf(await follow(`/${codeOf(link)}`));
    await eventually(async () => expect(await sessionsOf(link.id)).toHaveLength(1));
    const api = appApi(app, ios);
    await api.get('/api/v1/sdk/mobile/deeplink/match', { token }).expect(404);
    const { body } = await api
      .get('/api/v1/sdk/mobile/deeplink/resolve-fingerprint', {
        userAgent: 'Shop/1',
        ipAddress: '203.0.113.7',
      })
      .expect(200);
    expect(body.reason).toBe('NO_CANDIDATE');
  });

  it('counts a repeated click once, and still attributes the visit', async () => {
    const link = await make();
    await deduplicate(app, own, `links/${link.id}`);
    await eventually(async () => {
      await follow(`/${codeOf(link)}`);
      const session = await begin({ token: tokenOf(await follow(`/${codeOf(link)}`)) });
      expect(session.urlId).toBe(link.id);
    });
    expect((await own.api.get(`${URLS}/${link.id}`)).body.clickCount).toBeLessThan(3);
  });
});
