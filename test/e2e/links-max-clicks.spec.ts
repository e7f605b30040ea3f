import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { createLink, URLS } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, visit, type VisitOptions } from '../support/visits';

const PREVIEW = 'facebookexternalhit/1.1';

describe('links with maxClicks', () => {
  const app = useTestApp();
  const other = useTestApp(() => ({ database: app.database }));
  const org = perSuite(() => createOrganization(app));

  const limited = async (maxClicks: number, more: object = {}) => {
    const link = await createLink(org, { maxClicks, ...more });
    return { id: link.id, path: new URL(link.shortUrl).pathname };
  };
  const statusOf = async (path: string, options: VisitOptions = {}, on = app) =>
    (await visit(on, path, options)).status;
  const read = async (id: number) => (await org.api.get(`${URLS}/${id}`).expect(200)).body;
  const put = (id: number, body: object) => org.api.put(`${URLS}/${id}`, body).expect(200);

  it('redirect that many people, and show a page to others', async () => {
    const { id, path } = await limited(2);
    expect(await read(id)).toMatchObject({ maxClicks: 2, usedClicks: 0 });
    expect([await statusOf(path), await statusOf(path, {}, other), await statusOf(path)]).toEqual([
      302, 302, 410,
    ]);
    const page = await visit(other, path).expect(410);
    expect(page.text).toContain('Link limit reached');
    expect(await read(id)).toMatchObject({ maxClicks: 2, usedClicks: 2 });
    expect((await visit(app, path, { method: 'head' }).expect(410)).text).toBeUndefined();
  });

  it('are not used up by HEAD, prefetches, bots and crawlers, which are refused afterwards', async () => {
    const { id, path } = await limited(1, { ogTitle: 'Spring' });
    const programs: [VisitOptions, number][] = [
      [{ method: 'head' }, 302],
      [{ headers: { 'Sec-Purpose': 'prefetch' } }, 302],
      [{ userAgent: GOOGLEBOT }, 302],
      [{ userAgent: PREVIEW }, 200],
    ];
    for (const [options, status] of programs) {
      for (const on of [app, other, app]) expect(await statusOf(path, options, on)).toBe(status);
    }
    expect(await read(id)).toMatchObject({ usedClicks: 0 });
    expect(await statusOf(path)).toBe(302);
    for (const [options] of programs) {
      expect(await statusOf(path, options)).toBe(410);
      expect(await statusOf(path, options, other)).toBe(410);
    }
  });

  it('redirect exactly 100 of 300 concurrent visits to two processes', async () => {
    const { id, path } = await limited(100);
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        statusOf(path, { ip: `198.51.100.${i % 250}` }, i % 2 ? app : other),
      ),
    );
    expect(statuses.filter((status) => status === 302)).toHaveLength(100);
    expect(statuses.filter((status) => status === 410)).toHaveLength(200);
    expect(await read(id)).toMatchObject({ usedClicks: 100 });
  });

  it('redirect more when the limit is raised, none when it is lowered, and all without one', async () => {
    const { id, path } = await limited(1);
    expect([await statusOf(path), await statusOf(path)]).toEqual([302, 410]);
    await put(id, { maxClicks: 3 });
    expect([await statusOf(path), await statusOf(path, {}, other), await statusOf(path)]).toEqual([
      302, 302, 410,
    ]);
    await put(id, { title: 'the same' });
    expect(await statusOf(path)).toBe(410);
    await put(id, { maxClicks: 2 });
    expect(await statusOf(path)).toBe(410);
    expect(await read(id)).toMatchObject({ maxClicks: 2, usedClicks: 3 });
    await put(id, { maxClicks: null });
    expect(await read(id)).toMatchObject({ maxClicks: null, usedClicks: null });
    expect([await statusOf(path), await statusOf(path)]).toEqual([302, 302]);
    await put(id, { maxClicks: 4 });
    expect([await statusOf(path), await statusOf(path)]).toEqual([302, 410]);
  });

  it('use one per visit, even when repeated clicks count once', async () => {
    const { id, path } = await limited(2);
    await app.alter('UPDATE links SET deduplication_window_minutes = 60 WHERE id = $1', [id]);
    expect([await statusOf(path), await statusOf(path), await statusOf(path)]).toEqual([302, 302, 410]);
  });

  it('use one for the ad page, and none for continuing from it', async () => {
    const { path } = await limited(1, { showAdPage: true });
    expect([await statusOf(path), await statusOf(path)]).toEqual([200, 410]);
  });

  it('show a “try again” page while Postgres is down, for these links only', async () => {
    const { id, path } = await limited(5);
    const free = new URL((await createLink(org)).shortUrl).pathname;
    expect([await statusOf(path), await statusOf(free)]).toEqual([302, 302]);
    await app.sql('ALTER TABLE links RENAME TO links_away');
    try {
      const page = await visit(app, path).expect(503);
      expect(page.headers['retry-after']).toBe('5');
      expect(await statusOf(free)).toBe(302);
    } finally {
      await app.sql('ALTER TABLE links_away RENAME TO links');
    }
    expect(await statusOf(path)).toBe(302);
    expect(await read(id)).toMatchObject({ usedClicks: 2 });
  });

  it('count the redirected clicks as usual', async () => {
    const { id, path } = await limited(3);
    for (let i = 0; i < 5; i++) await visit(app, path, { userAgent: CHROME, ip: `203.0.113.${i}` });
    await eventually(async () => expect(await read(id)).toMatchObject({ usedClicks: 3, clickCount: 3 }));
  });
});
