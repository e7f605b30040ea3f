import request from 'supertest';
import { PLAY_STORE, registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization, deduplicate } from '../support/factories';
import { createDomain, createLink, SHORT_ORIGIN } from '../support/links';
import { API_HOST, perSuite, useTestApp } from '../support/test-app';
import { ANDROID, CHROME, GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const INSTAGRAM = `${IPHONE.replace(/ Safari.*/, '')} Instagram 389.0.0.19.84`;
const STORE = 'https://apps.apple.com/app/id1234567890';
const DESTINATION = 'https://shop.example.com/spring';
const PATHS = { iosDeepLinkPath: '/p/42?next=%2Fa%3Fb&c=%2B', androidDeepLinkPath: '/q/42?d=1' };
const CLICKED = 1;
const STORE_VISITED = 2;

describe('the page that opens an app', () => {
  const app = useTestApp();
  const organization = perSuite(() => createOrganization(app));
  const ios = perSuite(() => registerApp(organization));
  const android = perSuite(() => registerApp(organization, { platform: 'Android', storeUrl: PLAY_STORE }));

  async function link(body: Record<string, unknown> = {}): Promise<{ id: number; path: string }> {
    const given = { url: DESTINATION, iosAppId: ios.id, androidAppId: android.id, ...PATHS, ...body };
    const { id, shortUrl } = await createLink(organization, given);
    return { id, path: new URL(shortUrl).pathname };
  }

  async function open(path: string, userAgent: string, options: VisitOptions = {}): Promise<Page> {
    const response = await visit(app, path, { userAgent, ...options }).expect(200);
    const csp = response.headers['content-security-policy'] as string;
    return { ...pageOf(response.text), csp };
  }

  const sessions = (id: number) =>
    app.sql(`SELECT platform, stages, app_id AS "appId" FROM funnel_sessions WHERE tracked_link_id = $1`, [
      id,
    ]);

  it('opens the app on iOS by its scheme, with the path unchanged', async () => {
    const { path } = await link();
    const page = await open(path, IPHONE);
    expect(page.open).toBe(`exampleshop://p/42?next=%2Fa%3Fb&c=%2B&waypost_token=${page.data.token}`);
    expect([page.store, page.web]).toEqual([STORE, DESTINATION]);
    expect(page.data).toMatchObject({ appId: String(ios.id), campaign: 'false', triesApp: 'false' });
  });

  it('opens the app on Android by an intent with the package, and falls back to the store', async () => {
    const { path } = await link();
    const page = await open(path, ANDROID);
    const back = encodeURIComponent(`${SHORT_ORIGIN}${path}?waypost-store=${page.data.token}`);
    expect(page.open).toBe(
      `intent://q/42?d=1&waypost_token=${page.data.token}#Intent;scheme=exampleshop;package=com.example.shop;S.browser_fallback_url=${back};end`,
    );
    expect(page.store).toBe(`${PLAY_STORE}&referrer=waypost_token%3D${page.data.token}`);
    expect(page.data).toMatchObject({ triesApp: 'true', goesOn: 'true' });
  });

  it.each([
    ['?id=a', '?id=a&referrer=waypost_token%3DTOKEN'],
    [
      '?referrer=utm_source%3Dads%26utm_medium%3Dcpc&id=a#top',
      '?id=a&referrer=utm_source%3Dads%26utm_medium%3Dcpc%26waypost_token%3DTOKEN#top',
    ],
    ['?id=a&referrer=', '?id=a&referrer=waypost_token%3DTOKEN'],
    ['?id=a&referrer=x%26waypost_token%3Dold', '?id=a&referrer=x%26waypost_token%3DTOKEN'],
  ])('adds the token to the URL of Google Play: %s', async (query, expectedQuery) => {
    const details = 'https://play.google.com/store/apps/details';
    const sold = await registerApp(organization, { platform: 'Android', storeUrl: `${details}${query}` });
    const { path } = await link({ androidAppId: sold.id });
    const page = await open(path, ANDROID);
    const expected = `${details}${expectedQuery.replace('TOKEN', page.data.token ?? '')}`;
    expect(page.store).toBe(expected);
    const back = await visit(app, `${path}?waypost-store=${page.data.token}`, { userAgent: ANDROID });
    expect(back.headers.location).toBe(expected);
  });

  it.each([
    [null, 'exampleshop://?waypost_token=TOKEN'],
    ['/p', 'exampleshop://p?waypost_token=TOKEN'],
    ['/p?#part', 'exampleshop://p?waypost_token=TOKEN#part'],
    ['/p?waypost_token=a&b&waypost%5Ftoken=c', 'exampleshop://p?b&waypost_token=TOKEN'],
  ])('adds the token to the query of the path %s', async (iosDeepLinkPath, expected) => {
    const page = await open((await link({ iosDeepLinkPath })).path, IPHONE);
    expect(page.open).toBe(expected.replace('TOKEN', page.data.token ?? ''));
  });

  it('passes no token to the destination or to other stores', async () => {
    const galaxy = 'https://apps.samsung.com/appquery/appDetail.as?appId=com.example.shop';
    const sold = await registerApp(organization, { platform: 'Android', storeUrl: galaxy });
    const { path } = await link({ androidAppId: sold.id });
    const page = await open(path, ANDROID);
    expect([page.store, page.web]).toEqual([galaxy, DESTINATION]);
    const query = `?waypost-store=${page.data.token}&waypost_token=${page.data.token}&ref=1`;
    const desktop = await visit(app, `${path}${query}`, { userAgent: CHROME }).expect(302);
    expect(desktop.headers.location).toBe(`${DESTINATION}?ref=1`);
    const ahead = await open(path, ANDROID, { headers: { Purpose: 'prefetch' } });
    expect(ahead.open).not.toContain('waypost_token');
  });

  it('continues to the store by itself on iOS where the system would have opened the app', async () => {
    const universal = await registerApp(organization, { teamId: 'ABCDE12345' });
    const { path } = await link({ iosAppId: universal.id });
    expect(path).toMatch(new RegExp(`^/${universal.path}/`));
    expect((await open(path, IPHONE)).data).toMatchObject({ triesApp: 'false', goesOn: 'true' });
    const bare = path.replace(/.*\//, '/');
    expect((await open(bare, IPHONE)).data).toMatchObject({ triesApp: 'false', goesOn: 'false' });
    expect((await open((await link()).path, IPHONE)).data).toMatchObject({ goesOn: 'false' });
  });

  it('counts the click once, with a token and a funnel session', async () => {
    const { id, path } = await link();
    const { data } = await open(path, ANDROID);
    expect(data.token).toMatch(/^[A-Za-z0-9_-]{51}$/);
    await visit(app, path, { userAgent: ANDROID, method: 'head' }).expect(200);
    await eventually(async () => {
      expect(await sessions(id)).toEqual([{ platform: 'ANDROID', stages: CLICKED, appId: android.id }]);
      const { body } = await organization.api.get(`/api/v1/service/urls/${id}`);
      expect(body.clickCount).toBe(1);
    });
  });

  it('gives each visitor their own token, and none to a prefetching browser', async () => {
    const { id, path } = await link();
    const ahead = await open(path, IPHONE, { headers: { Purpose: 'prefetch' } });
    expect(ahead.data.token).toBe('');
    const tokens = new Set<string | undefined>();
    for (let n = 0; n < 3; n++) tokens.add((await open(path, IPHONE)).data.token);
    expect(tokens.size).toBe(3);
    await eventually(async () => expect(await sessions(id)).toHaveLength(3));
  });

  it('answers HEAD like GET', async () => {
    const { path } = await link();
    const [get, head] = [
      await visit(app, path, { userAgent: IPHONE }),
      await visit(app, path, { userAgent: IPHONE, method: 'head' }),
    ];
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('accepts the page’s reports by its token', async () => {
    const { id, path } = await link();
    const { data } = await open(path, IPHONE);
    for (const [beacon, body] of [
      ['deeplink/update-fingerprint', { resolution: '390x844' }],
      ['deeplink/track-store-visit', { isCampaign: false }],
    ] as const) {
      await request(app.url)
        .post(`${data.api}/${beacon}`)
        .set({ Host: new URL(SHORT_ORIGIN).host, 'Content-Type': 'text/plain' })
        .send(JSON.stringify({ token: data.token, ...body }))
        .expect(200);
    }
    await eventually(async () =>
      expect(await sessions(id)).toEqual([
        { platform: 'IOS', stages: CLICKED + STORE_VISITED, appId: ios.id },
      ]),
    );
  });

  it('forwards visitors who return from Android without the app to the store, and counts no click', async () => {
    const { id, path } = await link();
    const { data } = await open(path, ANDROID);
    const back = await visit(app, `${path}?waypost-store=${data.token}`, { userAgent: ANDROID }).expect(302);
    expect(back.headers.location).toBe(`${PLAY_STORE}&referrer=waypost_token%3D${data.token}`);
    await eventually(async () => {
      expect(await sessions(id)).toEqual([
        { platform: 'ANDROID', stages: CLICKED + STORE_VISITED, appId: android.id },
      ]);
      const { body } = await organization.api.get(`/api/v1/service/urls/${id}`);
      expect(body.clickCount).toBe(1);
    });
  });

  it.each(['', 'none', 'x'.repeat(43), '%00'])(
    'takes the token %j for a visit like any other',
    async (token) => {
      const { path } = await link();
      expect((await open(`${path}?waypost-store=${token}`, ANDROID)).store).toContain(PLAY_STORE);
    },
  );

  it('forwards them without asking for a password again, even when their click was the last', async () => {
    const { path } = await link({ maxClicks: 1 });
    const { data } = await open(path, ANDROID);
    await visit(app, path, { userAgent: ANDROID }).expect(410);
    const back = await visit(app, `${path}?waypost-store=${data.token}`, { userAgent: ANDROID }).expect(302);
    expect(back.headers.location).toBe(`${PLAY_STORE}&referrer=waypost_token%3D${data.token}`);
  });

  it('is only for people on the platform of a linked app', async () => {
    const { path } = await link({ androidAppId: null });
    await open(path, IPHONE);
    for (const userAgent of [ANDROID, CHROME, GOOGLEBOT]) {
      const response = await visit(app, path, { userAgent }).expect(302);
      expect(response.headers.location).toBe(DESTINATION);
    }
  });

  it('waits for the person in an in-app browser', async () => {
    const { path } = await link();
    const page = await open(path, INSTAGRAM);
    expect(page.data).toMatchObject({ triesApp: 'false', goesOn: 'false' });
    expect(page.open).toContain('exampleshop://p/42?next=%2Fa%3Fb&c=%2B');
  });

  it('continues in the browser at the destination for phones, with utm values and the request’s parameters', async () => {
    const { path } = await link({ mobileTargetUrl: 'https://m.example.com/', utmSource: 'mail' });
    const page = await open(`${path}?ref=%2B`, IPHONE);
    expect(page.web).toBe('https://m.example.com/?utm_source=mail&ref=%2B');
  });

  it('works without a store or without a scheme', async () => {
    const unsold = await registerApp(organization, { storeUrl: null });
    expect(await open((await link({ iosAppId: unsold.id })).path, IPHONE)).toMatchObject({
      store: undefined,
    });
    const silent = await registerApp(organization, { scheme: null });
    const page = await open((await link({ iosAppId: silent.id })).path, IPHONE);
    expect(page).toMatchObject({ open: undefined, store: STORE, data: { goesOn: 'true' } });
  });

  it('is skipped for an app that can be neither opened nor installed, and for a deleted one', async () => {
    const dead = await registerApp(organization, { scheme: null, storeUrl: null });
    const { path } = await link({ iosAppId: dead.id, showAdPage: true });
    const ad = await visit(app, path, { userAgent: IPHONE }).expect(200);
    expect(ad.text).toContain('id="hold"');
    const gone = await registerApp(organization);
    const plain = await link({ iosAppId: gone.id });
    await organization.api.delete(`/api/v1/service/mobile-apps/${gone.id}`).expect(204);
    await visit(app, plain.path.replace(/.*\//, '/'), { userAgent: IPHONE }).expect(302);
  });

  it('reflects a change of the app immediately', async () => {
    const changing = await registerApp(organization);
    const { path } = await link({ iosAppId: changing.id });
    await open(path, IPHONE);
    await organization.api
      .put(`/api/v1/service/mobile-apps/${changing.id}`, { scheme: 'newshop://' })
      .expect(200);
    await eventually(async () => expect((await open(path, IPHONE)).open).toMatch(/^newshop:/));
  });

  it('issues a token for a repeated click, which does not count again', async () => {
    const { id, path } = await link();
    await deduplicate(app, organization, `links/${id}`);
    const first = await open(path, IPHONE);
    const second = await open(path, IPHONE);
    expect(second.data.token).not.toBe(first.data.token);
    await eventually(async () => {
      expect(await app.sql(`SELECT 1 FROM deep_link_tokens WHERE tracked_link_id = $1`, [id])).toHaveLength(
        2,
      );
      expect((await organization.api.get(`/api/v1/service/urls/${id}`)).body.clickCount).toBe(1);
    });
  });

  it('is the same for campaigns', async () => {
    const campaign = await createCampaign(organization, { alias: 'app-spring', iosAppId: ios.id, ...PATHS });
    const page = await open('/c/app-spring/poster?cid=7', IPHONE);
    expect(page.data).toMatchObject({ campaign: 'true', appId: String(ios.id) });
    expect(page.web).toBe('https://shop.example.com/spring');
    await eventually(async () =>
      expect(await sessions(campaign.id)).toContainEqual({
        platform: 'IOS',
        stages: CLICKED,
        appId: ios.id,
      }),
    );
  });

  it('talks to its own origin on the short domain, and to the API’s from a custom one', async () => {
    const { path } = await link();
    const own = await open(path, IPHONE);
    expect(own.data.api).toBe('/api/v1/sdk/web');
    expect(own.csp).toContain("connect-src 'self';");
    const customDomainId = await createDomain(app, organization, 'open.brand.example', 'ACTIVE');
    const { shortUrl: code } = await createLink(organization, {
      iosAppId: ios.id,
      androidAppId: android.id,
      customDomainId,
    });
    const custom = await open(`/${code}`, ANDROID, { host: 'open.brand.example' });
    expect(custom.data.api).toBe(`http://${API_HOST}/api/v1/sdk/web`);
    expect(custom.csp).toContain(`connect-src http://${API_HOST};`);
    expect(custom.open).toContain(encodeURIComponent(`https://open.brand.example/${code}?waypost-store=`));
  });

  it('allows the app’s icon and no other image', async () => {
    const iconic = await registerApp(organization, { appIconUrl: 'https://cdn.example.com/icon.png' });
    const { path } = await link({ iosAppId: iconic.id, ogImageUrl: 'https://other.example.com/og.png' });
    expect((await open(path, IPHONE)).csp).toContain('img-src https://cdn.example.com;');
    expect((await open((await link()).path, IPHONE)).csp).not.toContain('img-src');
  });
});

interface Page {
  data: Record<string, string | undefined>;
  open: string | undefined;
  store: string | undefined;
  web: string | undefined;
  csp: string;
}

/** The page's data attributes and links, unescaped. */
function pageOf(html: string): Omit<Page, 'csp'> {
  const body = /<body([^>]*)>/.exec(html)?.[1] ?? '';
  const data = [...body.matchAll(/data-([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name.replaceAll(/-(.)/g, (_all, letter: string) => letter.toUpperCase()),
    unescaped(value),
  ]);
  const hrefOf = (id: string) => {
    const href = new RegExp(`id="${id}" href="([^"]*)"`).exec(html)?.[1];
    return href === undefined ? undefined : unescaped(href);
  };
  return {
    data: Object.fromEntries(data) as Page['data'],
    open: hrefOf('open'),
    store: hrefOf('store'),
    web: hrefOf('web'),
  };
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}
