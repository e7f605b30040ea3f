import { ClickHousekeeping } from '../../src/modules/clicks/click-housekeeping';
import { ClickJournal } from '../../src/modules/clicks/click-journal';
import { createOrganization, type TestOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { TestApp } from '../support/test-app';
import { GOOGLEBOT, plainClick, visit } from '../support/visits';

describe('daily work on clicks', () => {
  let app: TestApp;
  let organization: TestOrganization;
  let free: TestOrganization;

  beforeAll(async () => {
    app = await TestApp.start();
    organization = await createOrganization(app);
    free = await createOrganization(app);
  });
  afterAll(() => app.close());

  async function createLink(of: TestOrganization): Promise<{ id: number; path: string }> {
    const { body: link } = await of.api
      .post('/api/v1/service/urls')
      .send({ url: 'https://example.com/landing' })
      .expect(201);
    return { id: link.id, path: new URL(link.shortUrl).pathname };
  }

  async function counted(id: number, clicks: number): Promise<void> {
    await eventually(async () => {
      const [row] = await app.sql<{ clicks: number }>(
        `SELECT sum(clicks + bot_clicks)::int AS clicks FROM click_totals WHERE target_id = $1`,
        [id],
      );
      expect(row?.clicks).toBe(clicks);
    });
  }

  async function yearOf(id: number) {
    const { body } = await organization.api
      .get(`/api/v1/service/urls/${id}/stats?startDate=2030-01-01&endDate=2030-12-31`)
      .expect(200);
    return body;
  }

  it('sums months that are over, and changes no figure by it, late clicks included', async () => {
    const { id, path } = await createLink(organization);
    const click = async (day: string, headers: Record<string, string> = {}) => {
      app.clock.set(`2030-${day}T12:00:00Z`);
      await visit(app, path, { headers });
    };
    for (let day = 1; day <= 12; day++) {
      await click(`03-${String(day).padStart(2, '0')}`, { Referer: `https://site-${day % 3}.example/` });
    }
    await click('04-05');
    app.clock.set('2030-05-02T12:00:00Z');
    await visit(app, path, { userAgent: GOOGLEBOT });
    await counted(id, 14);
    const before = await yearOf(id);
    expect(before.chartData.reduce((a: number, b: number) => a + b, 0)).toBe(13);

    expect(await app.get(ClickHousekeeping).buildMonths()).toBe(true);
    const sums = await app.sql(`SELECT month FROM click_month_rollups WHERE target_id = $1`, [id]);
    // April has too few days of clicks to be worth a row of its own.
    expect(sums).toEqual([{ month: '2030-03-01' }]);
    expect(await yearOf(id)).toEqual(before);

    // A click that waited in a spool since March.
    const { organizationId } = organization;
    const late = { id: 1, at: Date.UTC(2030, 2, 20, 12), targetId: id, organizationId };
    await app.get(ClickJournal).keep(plainClick({ ...late, referrer: 'https://late.example/' }));
    await counted(id, 15);
    const after = await yearOf(id);
    expect(after.topReferrers).toContainEqual({ name: 'late.example', count: 1, percentage: 7.1 });
    expect(after.hourlyChartData[12]).toBe(14);
    expect(after.topBrowsers).toEqual([{ name: 'Chrome', count: 14, percentage: 100 }]);

    // Part of the month: its days are read, not its sum.
    const { body: part } = await organization.api.get(
      `/api/v1/service/urls/${id}/stats?startDate=2030-03-10&endDate=2030-04-30`,
    );
    expect(part.hourlyChartData[12]).toBe(5);
  });

  it('deletes raw clicks past each organization’s retention, and whole months past the longest', async () => {
    app.clock.set('2031-01-10T12:00:00Z');
    const kept = await createLink(organization);
    const dropped = await createLink(free);
    await visit(app, kept.path);
    await visit(app, dropped.path);
    await counted(kept.id, 1);
    await counted(dropped.id, 1);
    await app.sql(`UPDATE organizations SET plan = 'FREE' WHERE id = $1`, [free.organizationId]);
    const remaining = () =>
      app.sql(`SELECT target_id AS id FROM clicks WHERE target_id IN ($1, $2) ORDER BY 1`, [
        kept.id,
        dropped.id,
      ]);

    app.clock.set('2031-04-10T11:59:59Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toHaveLength(2);
    app.clock.set('2031-04-11T12:00:01Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([{ id: kept.id }]);

    app.clock.set('2032-04-10T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([]);
    const partitions = await app.sql(`SELECT relname FROM pg_class WHERE relname LIKE 'clicks\\_20%'`);
    expect(partitions).toEqual([]);
    // What was counted stays counted.
    await counted(kept.id, 1);
  });
});
