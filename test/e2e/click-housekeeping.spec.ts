import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { createOrganization, type TestOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

describe('daily housekeeping of clicks', () => {
  const app = useTestApp();
  let organization: TestOrganization;
  let free: TestOrganization;

  beforeAll(async () => {
    organization = await createOrganization(app);
    free = await createOrganization(app);
  });

  async function createLink(of: TestOrganization): Promise<{ id: number; path: string }> {
    const { body: link } = await of.api
      .post('/api/v1/service/urls', { url: 'https://example.com/landing' })
      .expect(201);
    return { id: link.id, path: new URL(link.shortUrl).pathname };
  }

  async function counted(id: number, clicks: number): Promise<void> {
    await eventually(async () => {
      const [row] = await app.sql<{ clicks: number }>(
        `SELECT sum(clicks + bot_clicks)::int AS clicks FROM click_totals WHERE tracked_link_id = $1`,
        [id],
      );
      expect(row?.clicks).toBe(clicks);
    });
  }

  it('deletes raw clicks past each organization’s retention, and whole months past the longest', async () => {
    app.clock.set('2031-01-10T12:00:00Z');
    const recent = await createLink(organization);
    const dropped = await createLink(free);
    await visit(app, recent.path);
    await visit(app, dropped.path);
    await counted(recent.id, 1);
    await counted(dropped.id, 1);
    await app.sql(`UPDATE organizations SET plan = 'FREE' WHERE id = $1`, [free.organizationId]);
    const remaining = () =>
      app.sql(`SELECT tracked_link_id AS id FROM clicks WHERE tracked_link_id IN ($1, $2) ORDER BY 1`, [
        recent.id,
        dropped.id,
      ]);

    app.clock.set('2031-04-10T11:59:59Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toHaveLength(2);
    app.clock.set('2031-04-11T12:00:01Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([{ id: recent.id }]);

    app.clock.set('2032-04-10T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([]);
    const partitions = await app.sql(`SELECT relname FROM pg_class WHERE relname LIKE 'clicks\\_20%'`);
    expect(partitions).toEqual([]);
    // Totals are not deleted.
    await counted(recent.id, 1);
  });
});
