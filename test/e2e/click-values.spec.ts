import { resolveDayRange } from '../../src/common/date-range';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { Database } from '../../src/infrastructure/database/database';
import { ClickStatisticsQuery } from '../../src/modules/click-statistics/click-statistics.query';
import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { CLICK_MONTHS } from '../../src/modules/click-statistics/rollups/click-months';
import type { Click } from '../../src/modules/clicks/click';
import { countClicks } from '../support/click-sums';
import { createOrganization } from '../support/factories';
import { perSuite, useTestApp } from '../support/test-app';
import { plainClick } from '../support/visits';

const DAY = Date.parse('2030-03-12T00:00:00Z');
const CLICKS = 50_000;
const BATCH = 5_000;

describe('values that visitors send', () => {
  const app = useTestApp();
  let nextId = 1;

  beforeAll(() => app.clock.set('2030-03-12T12:00:00Z'));
  const org = perSuite(() => createOrganization(app));

  const click = (fields: Partial<Click>) => {
    const id = nextId++;
    return plainClick({ id, at: DAY + id, trackedLinkId: 77, organizationId: org.organizationId, ...fields });
  };

  async function write(clicks: readonly Click[]): Promise<void> {
    await countClicks(app, clicks);
  }

  const statistics = (kind: Click['kind'], id: number, startDate: string, endDate: string) => {
    const range = resolveDayRange({ startDate, endDate }, { now: app.clock.date(), retentionDays: 400 });
    return app
      .get(Database)
      .snapshot((tx) =>
        app.get(ClickStatisticsQuery).run(tx, kind, { organizationId: org.organizationId, id }, range),
      );
  };

  /** Tables in which a text is found. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await app.sql<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await app.sql(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1 LIMIT 1`, [`%${text}%`]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('are counted separately up to a limit, and as (other) beyond it', async () => {
    await write(Array.from({ length: 300 }, () => click({ referrer: 'https://news.example/' })));
    for (let start = 0; start < CLICKS; start += BATCH) {
      await write(
        Array.from({ length: BATCH }, (_, i) => {
          const unique = `unique-${String(start + i)}`;
          return click({
            kind: 'campaign',
            referrer: `https://${unique}.example/`,
            tracker: unique,
            utm: [unique, unique, null, unique, unique],
          });
        }),
      );
    }
    await write(Array.from({ length: 300 }, () => click({ kind: 'campaign', tracker: 'newsletter' })));
    const [stored] = await app.sql<{ values: number; rows: number }>(
      `SELECT sum(cardinality(dimensions))::int AS values, count(*)::int AS rows FROM click_rollups
        WHERE kind = 2`,
    );
    expect(stored).toEqual({ rows: 1, values: expect.any(Number) });
    expect(stored?.values).toBeLessThan(450 + 4 * 200);
    const { totalClicks, topTrackers, topReferrers } = await statistics(
      'campaign',
      77,
      '2030-03-12',
      '2030-03-12',
    );
    expect(totalClicks).toBe(CLICKS + 300);
    const counted = new Map(topTrackers.map(({ name, count }) => [name, count]));
    expect(counted.get('newsletter')).toBe(300);
    expect(counted.get('(other)')).toBeGreaterThan(CLICKS - 200);
    expect(topReferrers.map(({ name }) => name)).toEqual(expect.arrayContaining(['(other)', 'Direct']));
    const link = await statistics('link', 77, '2030-03-12', '2030-03-12');
    expect(link.topReferrers).toEqual([{ name: 'news.example', count: 300, percentage: 100 }]);
    expect(await tablesWith('unique-49999')).toEqual(['clicks']);
  });

  it('are deleted from every table with clicks past the retention', async () => {
    app.clock.set('2030-05-02T12:00:00Z');
    await app.get(CompactedMonths).compact([CLICK_MONTHS], new Map([[org.organizationId, 400]]));
    expect(await tablesWith('newsletter')).toEqual(expect.arrayContaining(['click_months', 'click_rollups']));
    // Statistics no longer read a month that has lost its first day.
    app.clock.set('2031-04-06T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await tablesWith('newsletter')).not.toContain('click_months');
    expect((await statistics('campaign', 77, '2030-03-12', '2030-03-31')).totalClicks).toBe(CLICKS + 300);

    app.clock.set('2031-04-18T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    for (const text of ['unique-', 'newsletter', 'news.example']) expect(await tablesWith(text)).toEqual([]);
    const [total] = await app.sql(
      `SELECT sum(clicks)::int AS clicks FROM click_totals WHERE tracked_link_id = 77 AND kind = 2`,
    );
    expect(total).toEqual({ clicks: CLICKS + 300 });
  });
});
