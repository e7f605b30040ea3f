import { DataSource } from 'typeorm';
import { OrganizationsOfClicks1700000012100 } from '../../migrations/1700000012100-organizations-of-clicks';
import { KeysOfClicks1700000012950 } from '../../migrations/1700000012950-keys-of-clicks';
import { CustomerSums } from '../../src/modules/click-statistics/customers/customer-sums';
import { ClickMonths } from '../../src/modules/click-statistics/rollups/click-months';
import {
  CAMPAIGN,
  CLICK_TABLES,
  clicksOfOrganizations,
  LINK,
  NOON,
} from '../support/clicks-of-organizations';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const DAY_MS = 86_400_000;

describe('upgrades of tables of clicks by organization', () => {
  const app = useTestApp();
  const { click, visits, count, organizationsIn } = clicksOfOrganizations(app);
  let [first, second] = [0, 0];

  beforeAll(async () => {
    app.clock.set(new Date(NOON));
    ({ organizationId: first } = await createOrganization(app));
    ({ organizationId: second } = await createOrganization(app));
  });

  const run = async (
    migration: OrganizationsOfClicks1700000012100 | KeysOfClicks1700000012950,
    direction: 'up' | 'down',
  ) => {
    const runner = app.get(DataSource).createQueryRunner();
    await migration[direction](runner);
    await runner.release();
  };
  const migrate = (direction: 'up' | 'down') => run(new OrganizationsOfClicks1700000012100(), direction);
  const contents = async () =>
    Object.fromEntries(
      await Promise.all(
        CLICK_TABLES.map(async (table) => {
          const rows = await app.sql(
            `SELECT to_jsonb(t) AS row FROM ${table} AS t ORDER BY to_jsonb(t)::text`,
          );
          return [table, rows] as const;
        }),
      ),
    );

  it('get it in an upgrade, beside the version before', async () => {
    await count(...[first, second].flatMap((id) => visits(id, NOON - 60 * DAY_MS)));
    await app.sql(
      `INSERT INTO click_user_sums (organization_id, campaign_id, day, sums, lasts)
       SELECT id, $1 + id, '2030-01-01', '', '' FROM unnest($2::bigint[]) AS id`,
      [CAMPAIGN, [first, second]],
    );
    await app.get(ClickMonths).compact(400);
    await count(click(first, { at: NOON - 40 * DAY_MS }), click(second, { at: NOON - 40 * DAY_MS }));
    const before = await contents();
    for (const table of CLICK_TABLES) expect(await organizationsIn(table)).toEqual([first, second]);
    await migrate('down');
    for (const table of CLICK_TABLES) await expect(organizationsIn(table)).rejects.toThrow('organization_id');
    // An interrupted run is repeated as a whole.
    await migrate('up');
    await migrate('up');
    expect(await contents()).toEqual(before);

    for (const statement of OF_THE_VERSION_BEFORE) await app.sql(statement, [first]);
    for (const table of CLICK_TABLES) expect(await organizationsIn(table)).toEqual([first, second]);
    const [day] = await app.sql(`SELECT clicks FROM click_rollups WHERE organization_id = $1 AND slot = 1`, [
      first,
    ]);
    expect(day).toEqual({ clicks: 2 });
    await count(...visits(first, NOON), ...visits(second, NOON - 60 * DAY_MS));
    await app.get(CustomerSums).merge();
    await app.get(ClickMonths).compact(400);
    expect(await organizationsIn('click_months')).toEqual([first, second]);
  });

  it('have it in the key of each month of raw clicks, after an upgrade too', async () => {
    const again = click(first, { at: NOON - 3 * DAY_MS });
    await count(again);
    const keys = () =>
      app.sql<{ table: string; columns: string }>(
        `SELECT i.indrelid::regclass::text AS table, pg_get_indexdef(i.indexrelid) AS columns FROM pg_index AS i
          WHERE i.indrelid::regclass::text ~ '^clicks(_\\d{4}_\\d\\d)?$' AND i.indisprimary AND i.indisvalid ORDER BY 1`,
      );
    const insert = (target: string) =>
      app.sql(
        `WITH known AS (SELECT * FROM clicks WHERE id = $1)
         INSERT INTO clicks SELECT * FROM known ON CONFLICT ${target} DO NOTHING RETURNING id`,
        [again.id],
      );
    const before = await keys();
    expect(before.length).toBeGreaterThan(2);
    for (const { columns } of before) expect(columns).toContain('(clicked_at, id, organization_id)');
    await expect(insert('(clicked_at, id)')).rejects.toThrow('ON CONFLICT');
    const migration = new KeysOfClicks1700000012950();
    await run(migration, 'down');
    expect(await insert('(clicked_at, id)')).toEqual([]);
    // What an interrupted run may have left.
    await app.sql(`CREATE INDEX clicks_2030_05_key ON clicks_2030_05 (id)`);
    await run(migration, 'up');
    await run(migration, 'up');
    expect(await keys()).toEqual(before);
    await count(again, click(first, { at: NOON + 40 * DAY_MS }));
    expect(await keys()).toHaveLength(before.length + 1);
    for (const target of ['(clicked_at, id)', '(clicked_at, id, organization_id)', '']) {
      expect(await insert(target)).toEqual([]);
    }
    const [{ rows } = { rows: 0 }] = await app.sql<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM clicks WHERE id = $1',
      [again.id],
    );
    expect(rows).toBe(1);
    await run(migration, 'down');
    await run(migration, 'up');
  });
});

const ADD_DAY = `
  INSERT INTO click_rollups AS stored (target_id, target_kind, day, slot, clicks, bot_clicks, dimensions, dimension_counts)
  VALUES ($1 + ${LINK}, 1, '2030-05-12', 1, 1, 0, '{hour:12}', '{1}')
  ON CONFLICT (target_id, target_kind, day, slot) DO UPDATE SET clicks = stored.clicks + excluded.clicks`;

/** With the organization in $1. */
const OF_THE_VERSION_BEFORE = [
  ADD_DAY,
  ADD_DAY,
  ...[1, 11].map(
    (kind) => `
    INSERT INTO click_day_visitors (day, target_id, target_kind, visitor) VALUES ('2030-05-12', $1 + ${LINK}, ${String(kind)}, 5)
    ON CONFLICT (day, target_id, target_kind, visitor) DO NOTHING`,
  ),
  `INSERT INTO click_months (target_id, target_kind, month, dimensions, counts) VALUES ($1 + ${LINK}, 1, '2030-04-01', '{}', '{}')
   ON CONFLICT (target_id, target_kind, month) DO UPDATE SET counts = excluded.counts`,
  `INSERT INTO click_months_due (target_id, target_kind, month) VALUES ($1 + ${CAMPAIGN}, 2, '2030-04-01')
   ON CONFLICT DO NOTHING`,
  `INSERT INTO click_claims (target_id, target_kind, address, click_id, claimed_at, expires_at)
   VALUES ($1 + ${LINK}, 1, 'a', 1, now(), now()) ON CONFLICT (target_id, target_kind, address) DO NOTHING`,
  `INSERT INTO click_users (campaign_id, custom_id, user_no, seen_on) VALUES ($1 + ${CAMPAIGN}, 'new', 99, '2030-05-12')
   ON CONFLICT (campaign_id, custom_id) DO NOTHING`,
  `INSERT INTO click_user_days (campaign_id, user_no, day, slot, clicks, bot_clicks) VALUES ($1 + ${CAMPAIGN}, 99, '2030-05-12', 1, 1, 0)
   ON CONFLICT (campaign_id, user_no, day, slot) DO NOTHING`,
  `INSERT INTO click_user_adds (campaign_id, day, adds) VALUES ($1 + ${CAMPAIGN}, '2030-05-12', '')`,
  `INSERT INTO click_user_sums (campaign_id, day, sums, lasts) VALUES ($1 + ${CAMPAIGN}, '2030-05-12', '', '')
   ON CONFLICT (campaign_id, day) DO UPDATE SET sums = excluded.sums`,
];
