import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ShortUrlResponse as Health } from '../../src/modules/links/short-url.dto';
import { HealthRound } from '../../src/modules/link-health/health-round';
import { LinkHealthSchedule } from '../../src/modules/link-health/link-health.schedule';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { consoleApi, createOrganization } from '../support/factories';
import { createLink, URLS, VALID_LINK } from '../support/links';
import { cataloguedEvents, keepEvents } from '../support/outbox';
import { usePagesServer } from '../support/pages-server';
import { perTest, useTestApp } from '../support/test-app';

const DAY = 86_400_000;
const NOW = '2026-11-20T08:32:00Z';

describe('Health of destinations', () => {
  const app = useTestApp({ redis: false });

  const pages = usePagesServer();
  beforeEach(async () => {
    app.clock.set(NOW);
    await app.sql('DELETE FROM link_health');
    pages.requests.length = 0;
  });
  const org = perTest(() => createOrganization(app));
  beforeEach(() => keepEvents(app, org));

  const round = () => app.get(HealthRound).run(new AbortController().signal);
  const later = async (days: number) => {
    for (let day = 0; day < days; day++) {
      app.clock.advance(DAY);
      await round();
    }
  };
  /** Points it at the test's site, bypassing the rules for destinations. */
  const lead = async (table: 'links' | 'campaigns', id: number, path: string) => {
    const sql = `UPDATE ${table} SET original_url = $2, updated_at = $3 WHERE id = $1`;
    await app.sql(sql, [id, pages.origin + path, app.clock.date()]);
  };
  const link = async (path: string, body: Record<string, unknown> = {}) => {
    const { id } = await createLink(org, body);
    await lead('links', id, path);
    return id;
  };
  const show = (id: number, at = URLS) => org.api.read<Health>(`${at}/${id}`);
  const healthOf = async (id: number, at = URLS) => {
    const { healthStatus, healthCheckedAt, healthProblem } = await show(id, at);
    return [healthStatus, healthProblem, healthCheckedAt];
  };
  const listed = async (health: string, at = URLS) =>
    (await org.api.read<{ content: { id: number }[] }>(at, { health })).content.map(({ id }) => id);
  const fallen = async () =>
    (await cataloguedEvents(app, org.organizationId))
      .filter(({ name }) => name.endsWith('.unhealthy'))
      .map(({ name, data }) => [name, data]);
  const works = (_request: IncomingMessage, response: ServerResponse) => void response.end('fine');
  const fails = (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(503).end('out');

  it('reaches what has been due for long over the week', async () => {
    pages.on('/old', works);
    const id = await link('/old');
    await round();
    expect((await healthOf(id))[0]).toBe('healthy');
    const asked = pages.asked('/old');
    app.clock.advance(30 * DAY);
    await round();
    expect(pages.asked('/old')).toBe(asked);
    await later(8);
    expect(pages.asked('/old')).toBeGreaterThan(asked);
  });

  it('is unknown at first and asked soon, with HEAD, and then once a week', async () => {
    pages.on('/fine', works);
    const { body } = await org.api.post(URLS, VALID_LINK).expect(201);
    expect(body).toMatchObject({ healthStatus: 'unknown', healthCheckedAt: null, healthProblem: null });
    const id = await link('/fine');
    await org.api.delete(`${URLS}/${(body as { id: number }).id}`).expect(204);
    await round();
    expect(await healthOf(id)).toEqual(['healthy', null, NOW]);
    expect(pages.requests).toEqual([
      { path: '/fine', userAgent: 'Waypost-Health/1 (+http://api.waypost.test)' },
    ]);
    await later(8);
    const asked = pages.asked('/fine');
    expect(asked).toBeGreaterThanOrEqual(2);
    await later(14);
    expect(pages.asked('/fine')).toBe(asked + 2);
  });

  it('is unhealthy after three failures in three days, once, and healed by one success', async () => {
    pages.on('/out', fails);
    const id = await link('/out');
    const campaign = (await createCampaign(org, { alias: `out-${org.organizationId}` })).id;
    await lead('campaigns', campaign, '/out');
    await round();
    expect(await healthOf(id)).toEqual(['unknown', 'SERVER_ERROR', NOW]);
    await round();
    await later(1);
    expect(await healthOf(id)).toEqual(['unknown', 'SERVER_ERROR', '2026-11-21T08:32:00Z']);
    expect(await fallen()).toEqual([]);
    await later(1);
    expect(await healthOf(id)).toEqual(['unhealthy', 'SERVER_ERROR', '2026-11-22T08:32:00Z']);
    expect(await healthOf(campaign, CAMPAIGNS)).toEqual(await healthOf(id));
    const events = [
      ['link.unhealthy', await show(id)],
      ['campaign.unhealthy', await show(campaign, CAMPAIGNS)],
    ];
    expect(await fallen()).toEqual(events);
    await later(3);
    expect(await fallen()).toEqual(events);
    const { body } = await consoleApi(app).get(`${org.consolePath}/attention`);
    const since = '2026-11-22T08:32:00Z';
    expect(body).toMatchObject({
      items: [
        { kind: 'UNHEALTHY_LINKS', count: 1, examples: [{ id, reason: 'SERVER_ERROR', since }] },
        { kind: 'UNHEALTHY_CAMPAIGNS', count: 1, examples: [{ id: campaign, since }] },
      ],
    });
    expect([await listed('unhealthy'), await listed('unhealthy', CAMPAIGNS)]).toEqual([[id], [campaign]]);
    pages.on('/out', works);
    await later(1);
    expect(await healthOf(id)).toEqual(['healthy', null, '2026-11-26T08:32:00Z']);
    expect([await listed('unhealthy'), await listed('healthy')]).toEqual([[], [id]]);
    pages.on('/out', fails);
    await later(11);
    expect((await fallen()).map(([name]) => name)).toEqual([
      'link.unhealthy',
      'campaign.unhealthy',
      'link.unhealthy',
      'campaign.unhealthy',
    ]);
  });

  it('does not count failures that are more than three days apart', async () => {
    pages.on('/out', fails);
    const id = await link('/out');
    await round();
    for (let time = 0; time < 3; time++) {
      app.clock.advance(2 * DAY);
      await app.sql('UPDATE link_health SET next_check_at = $1', [app.clock.date()]);
      await round();
    }
    expect(await healthOf(id)).toMatchObject(['unknown', 'SERVER_ERROR', '2026-11-26T08:32:00Z']);
  });

  it('starts anew when a destination changes, even while the old one is asked', async () => {
    pages.on('/out', fails);
    const id = await link('/out');
    await round();
    await later(2);
    expect(await healthOf(id)).toMatchObject(['unhealthy', 'SERVER_ERROR', '2026-11-22T08:32:00Z']);
    await org.api.put(`${URLS}/${id}`, { title: 'Same destination' }).expect(200);
    expect((await healthOf(id))[0]).toBe('unhealthy');
    const { body } = await org.api
      .put(`${URLS}/${id}`, { originalUrl: 'https://shop.example.com/new' })
      .expect(200);
    expect(body).toMatchObject({ healthStatus: 'unknown', healthCheckedAt: null, healthProblem: null });
    const change: Promise<void>[] = [];
    pages.on('/slow', (_request, response) => {
      change.push(lead('links', id, '/fine').then(() => void response.writeHead(404).end()));
    });
    await lead('links', id, '/slow');
    await round();
    await Promise.all(change);
    expect(change.length).toBeGreaterThan(0);
    expect(await healthOf(id)).toEqual(['unknown', null, null]);
    pages.on('/fine', works);
    await round();
    expect((await healthOf(id))[0]).toBe('healthy');
  });

  it('covers every address that the link may lead to', async () => {
    for (const path of ['/a', '/b', '/mobile', '/rule']) pages.on(path, works);
    const id = await link('/unused');
    const at = (path: string) => ({ url: pages.origin + path });
    await app.alter('UPDATE links SET mobile_target_url = $2, targeting = $3, variants = $4 WHERE id = $1', [
      id,
      at('/mobile').url,
      JSON.stringify([{ os: ['iOS'], ...at('/rule') }]),
      JSON.stringify([at('/a'), at('/b')]),
    ]);
    await round();
    expect(pages.requests.map(({ path }) => path).sort()).toEqual(['/a', '/b', '/mobile', '/rule']);
    expect((await healthOf(id))[0]).toBe('healthy');
    await app.alter('UPDATE links SET mobile_target_url = $2 WHERE id = $1', [id, at('/gone').url]);
    await round();
    expect(await healthOf(id)).toEqual(['unknown', 'NOT_FOUND', NOW]);
  });

  it('is asked once for links that share a destination', async () => {
    pages.on('/shared', works);
    const ids = await Promise.all(Array.from({ length: 12 }, () => link('/shared')));
    await round();
    expect(pages.asked('/shared')).toBe(1);
    await later(8);
    const asked = pages.asked('/shared');
    expect(asked).toBeLessThanOrEqual(3);
    for (const id of ids) expect((await healthOf(id))[0]).toBe('healthy');
  });

  it('is not asked of links that answer nothing', async () => {
    pages.on('/live', works);
    const [disabled, expired, deleted, live] = [
      await link('/disabled'),
      await link('/expired', { expirationDate: '2026-11-20 08:33:00' }),
      await link('/deleted'),
      await link('/live', { archived: true }),
    ];
    await link('/off', { enabled: false });
    const upcoming = await link('/later', { startsAt: '2026-11-20 12:00:00' });
    await consoleApi(app)
      .put(`${org.consolePath}/links/${disabled}/disabled`, {
        reason: 'Phishing',
      })
      .expect(200);
    await org.api.delete(`${URLS}/${deleted}`).expect(204);
    app.clock.advance(120_000);
    await round();
    expect(pages.requests.map(({ path }) => path)).toEqual(['/live']);
    expect(await listed('unknown')).toEqual(expect.arrayContaining([disabled, expired, upcoming]));
    expect((await healthOf(live))[0]).toBe('healthy');
    expect(await app.sql('SELECT 1 FROM link_health WHERE tracked_link_id = $1', [deleted])).toEqual([]);
    pages.on('/later', works);
    app.clock.set('2026-11-20T12:00:00Z');
    await round();
    expect((await healthOf(upcoming))[0]).toBe('healthy');
  });

  it('spreads the checks of many links over the week', async () => {
    const items = Array.from({ length: 1_000 }, (_, i) => ({ url: `https://shop.example.com/${i}` }));
    await org.api.post(`${URLS}/bulk`, { items }).expect(200);
    const days = await app.sql<{ checks: number }>(
      `SELECT count(*)::int AS checks FROM link_health
        GROUP BY floor(extract(epoch FROM next_check_at - $1) / 86400) ORDER BY 1`,
      [app.clock.date()],
    );
    expect(days).toHaveLength(7);
    for (const { checks } of days) expect(checks).toBeGreaterThan(90);
  });

  it('filters lists by nothing else', async () => {
    for (const at of [URLS, CAMPAIGNS]) {
      const { body } = await org.api.get(at, { health: 'sick' }).expect(400);
      expect((body as { details: { field: string }[] }).details[0]?.field).toBe('health');
    }
  });

  it('is off with LINK_HEALTH=false', async () => {
    await link('/off');
    expect(await app.get(LinkHealthSchedule).tick()).toBe(false);
    expect(pages.requests).toEqual([]);
  });
});
