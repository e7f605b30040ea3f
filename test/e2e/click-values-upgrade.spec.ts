import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type MigrationInterface } from 'typeorm';
import { ClickDimensions1700000009800 } from '../../migrations/1700000009800-click-dimensions';
import { OrganizationsOfClicks1700000012100 } from '../../migrations/1700000012100-organizations-of-clicks';
import { NumberedValues1700000009890 } from '../../migrations/1700000009890-numbered-values';
import { LinkFigures1700000009980 } from '../../migrations/1700000009980-link-figures';
import { resolveDayRange } from '../../src/common/time/date-range';
import { Database } from '../../src/infrastructure/database/database';
import { ClickStatisticsQuery } from '../../src/modules/click-statistics/click-statistics.query';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import type { Click } from '../../src/modules/clicks/click';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { plainClick } from '../support/visits';

const DAY = Date.parse('2030-03-12T00:00:00Z');

describe('migrations of values', () => {
  const app = useTestApp();
  let organizationId: number;

  beforeAll(async () => {
    app.clock.set('2030-03-12T12:00:00Z');
    ({ organizationId } = await createOrganization(app));
  });

  const migrate = async (migration: MigrationInterface, direction: 'up' | 'down') => {
    const runner = app.get(DataSource).createQueryRunner();
    await migration[direction](runner);
    await runner.release();
  };
  const write = async (from: number, day: number, fields: Partial<Click> = {}) => {
    const clicks = Array.from({ length: 90 }, (_, i) =>
      plainClick({
        id: from + i,
        at: day + i * 600_000,
        trackedLinkId: 5,
        organizationId,
        kind: 'campaign',
        customId: `c-${String(i % 3)}`,
        tracker: i % 2 ? 'a "quoted" \\ tracker' : null,
        referrer: `https://site-${String(i % 7)}.example/`,
        utm: ['news', null, null, 'a:b'],
        ...fields,
      }),
    );
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(clicks);
    await app.get(Database).write((tx) => ingest.ingest(tx, prepared));
  };
  const figures = () => {
    const range = resolveDayRange(
      { startDate: '2030-03-01', endDate: '2030-04-30' },
      { now: new Date('2030-05-01'), retentionDays: 400 },
    );
    const [database, statistics] = [app.get(Database), app.get(ClickStatisticsQuery)];
    return Promise.all([
      database.snapshot((tx) => statistics.run(tx, 'campaign', { organizationId, id: 5 }, range)),
      database.snapshot((tx) => statistics.runOfUser(tx, { organizationId, id: 5 }, 'c-1', range)),
      app.sql(`SELECT id, dimensions FROM clicks ORDER BY id`),
    ]);
  };
  const unconverted = () =>
    app.sql(`
      SELECT id FROM clicks WHERE dimensions IS NULL
      UNION ALL SELECT target_id FROM click_rollups WHERE terms <> '{}'
      UNION ALL SELECT campaign_id FROM click_user_days WHERE terms <> '{}'`);

  /** Back to the version that numbers values, and on to the one that reads both forms. @returns a click with numbers */
  async function migrateDownAndUp(): Promise<unknown> {
    await migrate(new OrganizationsOfClicks1700000012100(), 'down');
    await migrate(new LinkFigures1700000009980(), 'down');
    await migrate(new NumberedValues1700000009890(), 'down');
    await migrate(new ClickDimensions1700000009800(), 'down');
    const [numbered] = await app.sql(
      `SELECT t.value AS tracker, s.value AS source, c.utm_medium AS medium, n.value AS content
         FROM clicks c JOIN click_terms t ON t.id = c.tracker JOIN click_terms s ON s.id = c.utm_source
         JOIN click_terms n ON n.id = c.utm_content LIMIT 1`,
    );
    await migrate(new ClickDimensions1700000009800(), 'up');
    return numbered;
  }

  it('run down and up again without a change to figures', async () => {
    await write(1, DAY);
    await write(101, DAY + 31 * 86_400_000);
    const before = await figures();
    expect(before[0].topTrackers).toEqual([{ name: 'a "quoted" \\ tracker', count: 90, percentage: 50 }]);
    await migrate(new OrganizationsOfClicks1700000012100(), 'down');
    await migrate(new NumberedValues1700000009890(), 'down');
    await migrate(new NumberedValues1700000009890(), 'up');
    await migrate(new OrganizationsOfClicks1700000012100(), 'up');
    expect(await figures()).toEqual(before);
    expect(await migrateDownAndUp()).toEqual({
      tracker: 'a "quoted" \\ tracker',
      source: 'news',
      medium: null,
      content: 'a:b',
    });
    expect(await unconverted()).toHaveLength(180 + 2 + 6);
    await migrate(new NumberedValues1700000009890(), 'up');
    await migrate(new LinkFigures1700000009980(), 'up');
    expect(await unconverted()).toEqual([]);
    // An interrupted run is repeated as a whole.
    await migrate(new NumberedValues1700000009890(), 'up');
    await migrate(new OrganizationsOfClicks1700000012100(), 'up');
    const after = await figures();
    const unknown = {
      total: 0,
      daily: before[0].visitors?.daily.map((count) => count && null),
      since: '2030-04-13',
    };
    expect(after).toEqual([{ ...before[0], visitors: unknown }, before[1], before[2]]);
  });

  it('add the numbers of a day to the text that other processes have counted', async () => {
    const [before] = await figures();
    await app.sql('CREATE TABLE counted AS SELECT * FROM click_rollups');
    await migrateDownAndUp();
    await migrate(new LinkFigures1700000009980(), 'up');
    await app.sql(
      `UPDATE click_rollups AS r
          SET clicks = r.clicks + c.clicks, dimensions = c.dimensions, dimension_counts = c.dimension_counts
         FROM counted c WHERE r.target_id = c.target_id AND r.target_kind = c.target_kind AND r.day = c.day`,
    );
    // Late clicks hold a row of a day while the migration comes by.
    const counting = app.get(Database).write(async (tx) => {
      await tx.query(`SELECT 1 FROM click_rollups WHERE day = '2030-03-12' FOR UPDATE`);
      await delay(500);
    });
    await migrate(new NumberedValues1700000009890(), 'up');
    await counting;
    expect(await unconverted()).toEqual([]);
    await migrate(new OrganizationsOfClicks1700000012100(), 'up');
    const [twice] = await figures();
    expect(twice.totalClicks).toBe(2 * before.totalClicks);
    expect(twice.topReferrers.map(({ count }) => count)).toEqual(
      before.topReferrers.map(({ count }) => 2 * count),
    );
    expect(twice.hourly).toEqual(before.hourly.map((count) => 2 * count));
  });
});
