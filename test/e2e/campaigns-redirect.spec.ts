import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { createDomain, createLink } from '../support/links';
import { API_HOST, perSuite, useTestApp } from '../support/test-app';
import { GOOGLEBOT, visit } from '../support/visits';

describe('campaign links', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  beforeEach(() => app.clock.run());

  /** Counted clicks of a campaign, in order. */
  const counted = (id: number, clicks: number) =>
    eventually(async () => {
      const rows = await app.sql<{ tracker: string | null; custom_id: string | null; is_bot: boolean }>(
        `SELECT (SELECT substr(value, 9) FROM unnest(c.dimensions) AS value WHERE value LIKE 'tracker:%') AS tracker,
                c.custom_id, c.is_bot
           FROM clicks c
          WHERE c.kind = 2 AND c.tracked_link_id = $1 ORDER BY c.id`,
        [id],
      );
      expect(rows).toHaveLength(clicks);
      return rows;
    });

  it('redirects with utm values and the request’s own parameters, cid excepted', async () => {
    const { alias } = await createCampaign(org, {
      originalUrl: 'https://example.com/?a=1#top',
      utmSource: 'news letter',
    });
    const response = await visit(app, `/c/${alias}?a=2&b=%2B&cid=9`).expect(302);
    expect(response.headers.location).toBe('https://example.com/?a=1&utm_source=news%20letter&b=%2B#top');
    expect(response.headers['cache-control']).toBe('private, no-store');
  });

  it('counts one click of a person per GET, with tracker and customId; HEAD and prefetches not at all', async () => {
    const { id, alias } = await createCampaign(org);
    await visit(app, `/c/${alias}`).expect(302);
    await visit(app, `/c/${alias}/poster?x=1&cid=kim%2042&cid=other`).expect(302);
    await visit(app, `/c/${alias}/%EB%B4%84%20%EC%84%B8%EC%9D%BC/?cid=%EA%B9%80`).expect(302);
    await visit(app, `/c/${alias}/bot?cid=7`, { userAgent: GOOGLEBOT }).expect(302);
    await visit(app, `/c/${alias}/head`, { method: 'head' }).expect(302);
    await visit(app, `/c/${alias}`, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }).expect(302);
    expect(await counted(id, 4)).toEqual([
      { tracker: null, custom_id: null, is_bot: false },
      { tracker: 'poster', custom_id: 'kim 42', is_bot: false },
      { tracker: '봄 세일', custom_id: '김', is_bot: false },
      { tracker: 'bot', custom_id: '7', is_bot: true },
    ]);
    expect((await org.api.get(`${CAMPAIGNS}/${id}`)).body.clickCount).toBe(3);
  });

  it('accepts trackers and customIds of 100 characters; longer customIds are cut, and longer trackers or invalid texts dropped', async () => {
    const { id, alias } = await createCampaign(org);
    const longest = '김'.repeat(100);
    await visit(app, `/c/${alias}/${encodeURIComponent(longest)}?cid=${encodeURIComponent(longest)}`).expect(
      302,
    );
    for (const bad of [encodeURIComponent(`${longest}x`), '%00', 'x'.repeat(3000)]) {
      await visit(app, `/c/${alias}/${bad}?cid=${bad}`).expect(302);
    }
    await visit(app, `/c/${alias}/?cid=`).expect(302);
    await visit(app, `/c/${alias}?cid=100%`).expect(302);
    const [first, ...rest] = await counted(id, 6);
    expect(first).toMatchObject({ tracker: longest, custom_id: longest });
    expect(rest.map((row) => row.tracker)).toEqual(Array(5).fill(null));
    // Not an escape, so it stays as it is.
    expect(rest.map((row) => row.custom_id)).toEqual([longest, null, 'x'.repeat(100), null, '100%']);
  });

  it('ignores the customId of a link', async () => {
    const { id, shortUrl } = await createLink(org);
    await visit(app, `${new URL(shortUrl).pathname}?cid=7`).expect(302);
    await eventually(async () => {
      const rows = await app.sql(`SELECT custom_id FROM clicks WHERE kind = 1 AND tracked_link_id = $1`, [
        id,
      ]);
      expect(rows).toEqual([{ custom_id: null }]);
    });
  });

  it('returns 404 for an unknown campaign, and 410 from the second in which one expires', async () => {
    const { alias: code } = await createCampaign(org, { alias: 'Only-Campaign' });
    const { shortUrl } = await createLink(org, { customAlias: 'only-link' });
    expect(new URL(shortUrl).pathname).toBe('/only-link');
    for (const path of [
      '/c',
      '/c/',
      '/c/only-link',
      `/${code}`,
      '/c/only-campaign',
      `/c/${code}/a/b`,
      '/c/%00',
      '/c/%E0%A4%A',
      `/c/${'x'.repeat(3000)}`,
    ]) {
      expect((await visit(app, path).expect(404)).text).toContain('Link not found');
    }
    await visit(app, '/c/%4Fnly-Campaign').expect(302);
    expect((await visit(app, `/c/${code}`, { method: 'post' }).expect(405)).headers.allow).toBe('GET, HEAD');
    await visit(app, `/c/${code}`, { host: API_HOST }).expect(404);
    app.clock.set('2030-01-01T00:00:00Z');
    const { alias } = await createCampaign(org, { expiresAt: '2030-01-02' });
    app.clock.set('2030-01-02T23:59:58Z');
    await visit(app, `/c/${alias}/t`).expect(302);
    app.clock.set('2030-01-02T23:59:59Z');
    await visit(app, `/c/${alias}/t`).expect(410);
  });

  it('answers only on its own domain', async () => {
    const customDomainId = await createDomain(app, org, 'own.campaigns.example', 'VERIFIED');
    const other = await createOrganization(app);
    await createDomain(app, other, 'foreign.campaigns.example', 'ACTIVE');
    const { id } = await createCampaign(org, { alias: 'on-domain', customDomainId });
    await createCampaign(org, { alias: 'on-default' });
    await visit(app, '/c/on-domain', { host: 'own.campaigns.example' }).expect(302);
    await visit(app, '/c/on-domain/poster', { host: 'OWN.campaigns.example.:443' }).expect(302);
    await visit(app, '/c/on-domain').expect(404);
    await visit(app, '/c/on-domain', { host: 'foreign.campaigns.example' }).expect(404);
    await visit(app, '/c/on-default', { host: 'own.campaigns.example' }).expect(404);
    await visit(app, '/c/on-default').expect(302);
    expect((await counted(id, 2)).map(({ tracker }) => tracker)).toEqual([null, 'poster']);
  });
});
