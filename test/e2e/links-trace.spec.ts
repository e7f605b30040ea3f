import type { TraceResponse as Trace } from '../../src/modules/redirect/trace/link-trace.dto';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { consoleApi, createOrganization } from '../support/factories';
import { createApp, createDomain, createLink, SHORT_ORIGIN, URLS } from '../support/links';
import { API_HOST, perTest, SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, GALAXY, GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const THERE = 'https://shop.example.com/spring';
const PREVIEW = 'facebookexternalhit/1.1';

describe('traces of short addresses', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  let customDomainId: number;
  const org = perTest(() => createOrganization(app));
  const api = consoleApi(app);
  const host = () => `go${org.organizationId}.example`;
  beforeEach(async () => {
    customDomainId = await createDomain(app, org, host(), 'ACTIVE');
  });

  const trace = async (url: string, query: object = {}) =>
    await api.read<Trace>(`${org.consolePath}/links/trace`, { url, ...query });

  /** Asserts that a trace agrees with the answer to a visitor, and returns it. */
  async function agreed(url: string, { userAgent = CHROME, ip }: VisitOptions = {}): Promise<Trace> {
    const traced = await trace(url, { userAgent });
    const { host: on, pathname, search } = new URL(url);
    const { status, headers } = await visit(app, pathname + search, {
      host: on,
      userAgent,
      ip,
      method: 'head',
    });
    expect([traced.status, traced.location]).toEqual([status, headers.location ?? null]);
    expect(traced.text).not.toBe('');
    return traced;
  }

  const closed = (reason: string, link: object | null = null) => ({ reason, rule: null, link });

  it('say where a link leads, and count nothing', async () => {
    const { id, link } = await createLink(org, { url: THERE, maxClicks: 1, appendClickId: true });
    const address = `${link as string}?a=1`;
    for (let i = 0; i < 3; i++) {
      expect(await trace(address, { userAgent: CHROME })).toEqual({
        status: 302,
        location: `${THERE}?a=1`,
        reason: 'REDIRECT',
        text: 'The visitor is redirected to the destination.',
        rule: { kind: 'DESTINATION', index: null, skipped: [] },
        link: { id, kind: 'link' },
      });
    }
    expect((await org.api.get(`${URLS}/${id}`).expect(200)).body).toMatchObject({
      usedClicks: 0,
      clickCount: 0,
    });
    await visit(app, new URL(address).pathname).expect(302);
    expect(await agreed(address)).toMatchObject({ status: 410, ...closed('USED_UP', { id, kind: 'link' }) });
  });

  it('agree with the answers to every visitor', async () => {
    const ios = await createApp(app, org, 'iOS', `trace-${org.organizationId}`);
    const { link } = await createLink(org, {
      url: THERE,
      mobileTargetUrl: 'https://m.shop.example.com/',
      showAdPage: true,
      ogTitle: 'Spring',
      iosAppId: ios,
    });
    await app.alter(`UPDATE apps SET store_url = 'https://apps.apple.com/app/id1' WHERE id = $1`, [ios]);
    for (const [userAgent, status, reason, kind] of [
      [CHROME, 200, 'AD_PAGE', 'DESTINATION'],
      [IPHONE, 200, 'APP_PAGE', 'MOBILE'],
      [GALAXY, 200, 'AD_PAGE', 'MOBILE'],
      [GOOGLEBOT, 302, 'REDIRECT', 'DESTINATION'],
      [PREVIEW, 200, 'PREVIEW_PAGE', 'DESTINATION'],
    ] as const) {
      const traced = await agreed(link as string, { userAgent });
      expect([userAgent, traced]).toMatchObject([userAgent, { status, reason, rule: { kind, index: null } }]);
    }
  });

  it('name the targeting rule of a country and device, and the variant', async () => {
    const targeting = [
      { countries: ['KR'], url: 'https://kr.example.com/' },
      { countries: ['US'], devices: ['Mobile'], url: 'https://us.example.com/' },
    ];
    const variants = [
      { url: 'https://a.example.com/', weight: 1 },
      { url: 'https://b.example.com/', weight: 1 },
    ];
    const { link } = await createLink(org, { targeting, variants });
    const of = async (query: object) => {
      const { location, rule } = await trace(link as string, query);
      return [location, rule && { kind: rule.kind, index: rule.index }];
    };
    expect(await of({ country: 'kr' })).toEqual(['https://kr.example.com/', { kind: 'TARGETING', index: 0 }]);
    const phone = { country: 'US', userAgent: IPHONE };
    expect(await of(phone)).toEqual(['https://us.example.com/', { kind: 'TARGETING', index: 1 }]);
    for (const country of ['US', undefined]) {
      const [location, rule] = (await of({ country, userAgent: CHROME })) as [string, { index: number }];
      expect(rule).toEqual({ kind: 'VARIANT', index: expect.any(Number) });
      expect(location).toBe(variants[rule.index]?.url);
    }
  });

  it('find campaigns, former aliases, trackers and custom domains', async () => {
    const alias = `trace-${org.organizationId}`;
    const campaign = await createCampaign(org, { alias, originalUrl: THERE, customDomainId });
    const found = { status: 302, reason: 'REDIRECT', link: { id: campaign.id, kind: 'campaign' } };
    expect(await agreed(`https://${host()}/c/${alias}/mail`)).toMatchObject(found);
    expect(await trace(`${host().toUpperCase()}./c/${alias}/?x`)).toMatchObject(found);
    await org.api.delete(`${CAMPAIGNS}/${campaign.id}`).expect(204);
    expect(await agreed(`https://${host()}/c/${alias}`)).toMatchObject({ status: 404, ...closed('DELETED') });
    const link = await createLink(org, { customAlias: alias });
    await org.api.put(`${URLS}/${link.id}`, { customAlias: `${alias}-2` }).expect(200);
    expect(await agreed(`${SHORT_ORIGIN}/${alias}`)).toMatchObject({ link: { id: link.id, kind: 'link' } });
  });

  it('say why a link does not answer', async () => {
    const put = (id: number, body: object) => org.api.put(`${URLS}/${id}`, body).expect(200);
    const { id, link: url } = await createLink(org, { customDomainId });
    const address = url as string;
    const link = { id, kind: 'link' };
    await put(id, { enabled: false });
    expect(await agreed(address)).toMatchObject({ status: 404, ...closed('SWITCHED_OFF', link) });
    await put(id, { enabled: true, startsAt: '2026-12-01T00:00:00Z' });
    expect(await agreed(address)).toMatchObject({ status: 404, ...closed('NOT_STARTED', link) });
    await put(id, { notStartedUrl: 'https://shop.example.com/soon' });
    const soon = { status: 302, location: 'https://shop.example.com/soon', ...closed('NOT_STARTED', link) };
    expect(await agreed(address)).toMatchObject(soon);
    await put(id, { startsAt: null, expirationDate: '2026-11-21' });
    app.clock.set('2026-12-20T00:00:00Z');
    expect(await agreed(address)).toMatchObject({ status: 410, ...closed('EXPIRED', link) });
    await put(id, { expirationDate: null, password: 'sesame' });
    expect(await agreed(address)).toMatchObject({ status: 200, ...closed('PASSWORD_REQUIRED', link) });
    await api.put(`${org.consolePath}/links/${id}/disabled`, { reason: 'Phishing' }).expect(200);
    expect(await agreed(address)).toMatchObject({ status: 410, ...closed('DISABLED', link) });
    await api.delete(`${org.consolePath}/links/${id}/disabled`).expect(204);
    await org.api.delete(`${URLS}/${id}`).expect(204);
    expect(await agreed(address)).toMatchObject({ status: 404, ...closed('DELETED') });
  });

  it('say why a host or path does not answer', async () => {
    expect(await agreed(`https://${host()}/none`)).toMatchObject({ status: 404, ...closed('UNKNOWN_CODE') });
    expect(await agreed(`https://${host()}/a/b/c`)).toMatchObject({ status: 404, ...closed('NO_LINK_PATH') });
    expect(await agreed(`https://${host()}/`)).toMatchObject({ status: 200, ...closed('NO_LINK_PATH') });
    expect(await agreed(`https://${host()}/robots.txt`)).toMatchObject({
      status: 200,
      ...closed('NO_LINK_PATH'),
    });
    expect(await agreed('https://nobody.example/x')).toMatchObject({
      status: 404,
      ...closed('UNKNOWN_HOST'),
    });
    await createDomain(app, org, `new-${host()}`, 'PENDING');
    const pending = { status: 404, ...closed('DOMAIN_NOT_VERIFIED') };
    expect(await agreed(`https://new-${host()}/x`)).toMatchObject(pending);
    await api
      .put(`${org.consolePath}/custom-domains/${customDomainId}/disabled`, { reason: 'Phishing' })
      .expect(200);
    expect(await agreed(`https://${host()}/none`)).toMatchObject({
      status: 410,
      ...closed('DOMAIN_DISABLED'),
    });
  });

  it('show addresses of other organizations as unknown', async () => {
    const other = await createOrganization(app);
    const foreignHost = `go${other.organizationId}.example`;
    const foreignDomain = await createDomain(app, other, foreignHost, 'ACTIVE');
    await app.alter(`UPDATE custom_domains SET not_found_url = 'https://theirs.example/' WHERE id = $1`, [
      foreignDomain,
    ]);
    const { link, id } = await createLink(other);
    expect(await trace(link as string)).toMatchObject({
      status: 404,
      location: null,
      ...closed('UNKNOWN_CODE'),
    });
    await org.api.delete(`${URLS}/${id}`).expect(404);
    await other.api.delete(`${URLS}/${id}`).expect(204);
    expect(await trace(link as string)).toMatchObject({ status: 404, ...closed('UNKNOWN_CODE') });
    const there = await createLink(other, { customDomainId: foreignDomain });
    for (const url of [there.link as string, `https://${foreignHost}/none`]) {
      expect(await trace(url)).toMatchObject({ status: 404, location: null, ...closed('UNKNOWN_HOST') });
    }
  });

  it.each([
    [{ url: 'https://' }, 'url'],
    [{ url: 'ftp://go.example/a' }, 'url'],
    [{ url: `https://${API_HOST}/api/v1/service/urls` }, 'url'],
    [{ url: `https://${SHORT_HOST}/${'x'.repeat(2000)}` }, 'url'],
    [{ url: 'go.example/a', country: 'KOR' }, 'country'],
  ])('are 400 for wrong input (%#)', async (query, field) => {
    const { body } = await api.get(`${org.consolePath}/links/trace`, query).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });
});
