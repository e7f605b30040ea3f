import { Countries } from '../../src/modules/clicks/visitor-facts';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { perSuite, useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE, visit } from '../support/visits';

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('clicks %s', (_name, redis) => {
  const app = useTestApp({ at: '2030-03-04T12:00:00Z', redis });
  const organization = perSuite(() => createOrganization(app));

  async function createLink(body: object = {}): Promise<{ id: number; path: string }> {
    const { body: link } = await organization.api
      .post('/api/v1/service/urls', { url: 'https://example.com/landing', ...body })
      .expect(201);
    return { id: link.id, path: new URL(link.shortUrl).pathname };
  }

  async function clickCount(id: number): Promise<number> {
    const { body } = await organization.api.get(`/api/v1/service/urls/${id}`).expect(200);
    return body.clickCount;
  }

  async function stats(id: number, query = '') {
    return (await organization.api.get(`/api/v1/service/urls/${id}/stats${query}`).expect(200)).body;
  }

  it('counts one click for a GET, and none for HEAD and prefetches', async () => {
    const { id, path } = await createLink();
    await visit(app, path, { method: 'head' }).expect(302);
    await visit(app, path, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }).expect(302);
    await visit(app, path, { headers: { Purpose: 'prefetch' } }).expect(302);
    await visit(app, path).expect(302);
    await eventually(async () => expect(await clickCount(id)).toBe(1));
    expect(await app.sql(`SELECT id FROM clicks WHERE tracked_link_id = $1`, [id])).toHaveLength(1);
  });

  it('counts a hundred at once', async () => {
    const { id, path } = await createLink();
    await Promise.all(Array.from({ length: 100 }, () => visit(app, path).expect(302)));
    await eventually(async () => expect(await clickCount(id)).toBe(100));
  });

  it('distinguishes bots, which are in no figure of people', async () => {
    const { id, path } = await createLink();
    await visit(app, path, { userAgent: GOOGLEBOT }).expect(302);
    await visit(app, path, { userAgent: 'facebookexternalhit/1.1' }).expect(302);
    await visit(app, path).expect(302);
    await visit(app, path, { userAgent: 'curl/8.5.0' }).expect(302);
    await visit(app, path, { userAgent: '' }).expect(302);
    const body = await eventually(async () => {
      const read = await stats(id);
      expect(read.botClicks).toBe(3);
      expect(read.chartData.at(-1)).toBe(2);
      return read;
    });
    expect(await clickCount(id)).toBe(2);
    expect(body.topBrowsers).toEqual([
      { name: 'Chrome', count: 1, percentage: 50 },
      { name: 'Unknown', count: 1, percentage: 50 },
    ]);
  });

  it.each([
    ['2001:2d8::1', 'KR'],
    ['2001:240:2400::1', 'JP'],
    ['211.234.1.1', 'KR'],
    ['126.0.0.1', 'JP'],
    ['10.1.2.3', 'Unknown'],
    ['203.0.113.1', 'Unknown'],
    ['::1', 'Unknown'],
    ['2001:db8::1', 'Unknown'],
    ['not an address', 'Unknown'],
  ])('has the country of %s: %s', (address, country) => {
    expect(app.get(Countries).of(address)).toBe(country);
  });

  it('records country, browser, operating system, device and referrer', async () => {
    const { id, path } = await createLink();
    await visit(app, path, { ip: '8.8.8.8', userAgent: CHROME });
    await visit(app, path, {
      ip: '168.126.63.1',
      userAgent: IPHONE,
      headers: { Referer: 'https://www.google.com/q' },
    });
    await visit(app, path, { ip: '168.126.63.1', userAgent: IPHONE, headers: { Referer: 'not a url' } });
    await visit(app, path, {
      ip: '10.0.0.1',
      userAgent: CHROME,
      headers: { Referer: 'https://news.example:8443/a' },
    });
    const body = await eventually(async () => {
      const read = await stats(id);
      expect(read.chartData.at(-1)).toBe(4);
      return read;
    });
    expect(body.topCountries).toEqual([
      { name: 'South Korea', code: 'KR', count: 2, percentage: 50 },
      { name: 'United States', code: 'US', count: 1, percentage: 25 },
      { name: 'Unknown', code: null, count: 1, percentage: 25 },
    ]);
    expect(body.topBrowsers).toEqual([
      { name: 'Chrome', count: 2, percentage: 50 },
      { name: 'Mobile Safari', count: 2, percentage: 50 },
    ]);
    expect(body.topOsSystems).toEqual([
      { name: 'Windows', count: 2, percentage: 50 },
      { name: 'iOS', count: 2, percentage: 50 },
    ]);
    expect(body.deviceTypeStats).toEqual([
      { name: 'Desktop', count: 2, percentage: 50 },
      { name: 'Mobile', count: 2, percentage: 50 },
      { name: 'Tablet', count: 0, percentage: 0 },
    ]);
    expect(body.topReferrers).toEqual([
      { name: 'Direct', count: 1, percentage: 25 },
      { name: 'Unknown', count: 1, percentage: 25 },
      { name: 'google.com', count: 1, percentage: 25 },
      { name: 'news.example', count: 1, percentage: 25 },
    ]);
  });

  it('stores the utm values of the visit, but no IP address', async () => {
    const { id, path } = await createLink({ utmSource: 'news' });
    await visit(app, `${path}?utm_medium=mail`, { ip: '198.51.100.23' });
    const [click] = await eventually(async () => {
      const rows = await app.sql(
        `SELECT dimensions, c::text AS everything FROM clicks c WHERE tracked_link_id = $1`,
        [id],
      );
      expect(rows).toHaveLength(1);
      return rows;
    });
    expect(click?.dimensions).toEqual(expect.arrayContaining(['utm_source:news', 'utm_medium:mail']));
    expect(click?.everything).not.toContain('198.51.100.23');
  });

  it('stores clicks whose text Postgres rejects', async () => {
    const { id, path } = await createLink();
    await visit(app, `${path}?utm_source=%00a%ED%A0%80b&utm_term=${'x'.repeat(5000)}`).expect(302);
    await visit(app, path, { headers: { Referer: `https://${'a'.repeat(300)}.example/` } }).expect(302);
    await eventually(async () => expect(await clickCount(id)).toBe(2));
  });

  describe('with de-duplication', () => {
    async function deduplicated(windowMinutes: number) {
      const link = await createLink();
      const { organizationId } = organization;
      await app.alter(
        `UPDATE links SET deduplication_window_minutes = $2 WHERE id = $1 AND organization_id = $3`,
        [link.id, windowMinutes, organizationId],
      );
      return link;
    }

    it('counts one of 500 parallel clicks from one address', async () => {
      const { id, path } = await deduplicated(5);
      const other = await createLink();
      for (let batch = 0; batch < 5; batch++) {
        await Promise.all(Array.from({ length: 100 }, () => visit(app, path).expect(302)));
      }
      await visit(app, path, { ip: '203.0.113.8' });
      await visit(app, other.path);
      await eventually(async () => expect(await clickCount(other.id)).toBe(1));
      await eventually(async () => expect(await clickCount(id)).toBe(2));
    });

    it('counts again after the window, and never a bot instead of a person', async () => {
      const { id, path } = await deduplicated(5);
      app.clock.set('2030-05-01T10:00:00Z');
      await visit(app, path, { userAgent: GOOGLEBOT });
      await visit(app, path);
      app.clock.set('2030-05-01T10:04:59Z');
      await visit(app, path);
      app.clock.set('2030-05-01T10:05:00Z');
      await visit(app, path);
      await eventually(async () => expect(await clickCount(id)).toBe(2));
      const body = await stats(id, '?startDate=2030-05-01&endDate=2030-05-01');
      expect(body.botClicks).toBe(1);
    });
  });
});
