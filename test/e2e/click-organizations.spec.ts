import { DataSource } from 'typeorm';
import { OrganizationsOfClicks1700000012100 } from '../../migrations/1700000012100-organizations-of-clicks';
import { KeysOfClicks1700000012950 } from '../../migrations/1700000012950-keys-of-clicks';
import { Database } from '../../src/infrastructure/database/database';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { CampaignCustomers } from '../../src/modules/click-statistics/customers/customer-rollups';
import { CustomerSums, lockCustomerSums } from '../../src/modules/click-statistics/customers/customer-sums';
import { ClickMonths } from '../../src/modules/click-statistics/rollups/click-months';
import type { Click } from '../../src/modules/clicks/click';
import { createOrganization } from '../support/factories';
import { besideTransaction } from '../support/one-connection';
import { useTestApp } from '../support/test-app';
import { plainClick } from '../support/visits';

const NOW = '2030-05-12T12:00:00Z';
const NOON = Date.parse(NOW);
const DAY_MS = 86_400_000;
const CAMPAIGN = 7;
const LINK = 77;

const TABLES = [
  'click_claims',
  'click_day_visitors',
  'click_months',
  'click_months_due',
  'click_rollups',
  'click_user_adds',
  'click_user_days',
  'click_user_sums',
  'click_users',
];

describe('tables of clicks by organization', () => {
  const app = useTestApp();
  let [first, second] = [0, 0];
  let nextId = 1;

  beforeAll(async () => {
    app.clock.set(NOW);
    ({ organizationId: first } = await createOrganization(app));
    ({ organizationId: second } = await createOrganization(app));
  });

  const click = (organizationId: number, fields: Partial<Click> = {}) => {
    const id = nextId++;
    return plainClick({ id, at: NOON + id, trackedLinkId: LINK + organizationId, organizationId, ...fields });
  };
  const visits = (organizationId: number, at: number) => [
    ...Array.from({ length: 210 }, (_, i) =>
      click(organizationId, {
        at: at + i,
        referrer: `https://${String(i)}.example/`,
        variant: 'https://a.example/',
      }),
    ),
    ...Array.from({ length: 20 }, (_, i) =>
      click(organizationId, {
        at: at + i,
        kind: 'campaign',
        trackedLinkId: CAMPAIGN + organizationId,
        customId: `c-${String(i % 4)}`,
        dedup: { address: String(i).padStart(64, '0'), windowMs: 60_000, settled: false },
      }),
    ),
  ];

  async function count(...clicks: Click[]): Promise<void> {
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(clicks);
    await app.get(Database).write((tx) => ingest.ingest(tx, prepared));
  }

  const run = async (
    migration: OrganizationsOfClicks1700000012100 | KeysOfClicks1700000012950,
    direction: 'up' | 'down',
  ) => {
    const runner = app.get(DataSource).createQueryRunner();
    await migration[direction](runner);
    await runner.release();
  };
  const migrate = (direction: 'up' | 'down') => run(new OrganizationsOfClicks1700000012100(), direction);
  const organizationsIn = async (table: string) =>
    (await app.sql<{ id: number }>(`SELECT DISTINCT organization_id AS id FROM ${table} ORDER BY 1`)).map(
      ({ id }) => id,
    );
  const contents = async () =>
    Object.fromEntries(
      await Promise.all(
        TABLES.map(async (table) => {
          const rows = await app.sql(
            `SELECT to_jsonb(t) AS row FROM ${table} AS t ORDER BY to_jsonb(t)::text`,
          );
          return [table, rows] as const;
        }),
      ),
    );

  it('have it in every unique key of a new installation', async () => {
    const keys = await app.sql<{ table: string; holds: boolean }>(
      `SELECT t.relname AS table,
              bool_and(EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'organization_id'
                                  AND a.attnum = ANY (i.indkey))) AS holds
         FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        WHERE i.indisunique AND t.relname = ANY ($1) GROUP BY 1 ORDER BY 1`,
      [TABLES],
    );
    expect(keys).toEqual(TABLES.map((table) => ({ table, holds: true })));
    expect(await app.sql(`SELECT FROM pg_trigger WHERE tgname = 'organization_of_version_before'`)).toEqual(
      [],
    );
  });

  it('number the customers of one campaign once, whoever counts them', async () => {
    const customers = (from: number) =>
      Array.from({ length: 60 }, (_, i) =>
        click(first, {
          kind: 'campaign',
          trackedLinkId: 1 + (i % 3),
          customId: `customer-${String(from + i)}`,
        }),
      );
    const clicks = [0, 20, 40, 40, 20].map(customers);
    const numbers = await Promise.all(
      clicks.map(async (some) => {
        const numberOf = await new CampaignCustomers(app.get(Database), app.clock).load(some);
        return some.map(
          (each) => `${String(each.trackedLinkId)}/${each.customId ?? ''}=${String(numberOf(each))}`,
        );
      }),
    );
    const distinct = new Set(numbers.flat());
    expect(distinct.size).toBe(
      new Set(clicks.flat().map((each) => `${String(each.trackedLinkId)}/${each.customId ?? ''}`)).size,
    );
    const [{ gaps } = { gaps: -1 }] = await app.sql<{ gaps: number }>(
      `SELECT sum(highest - customers)::int AS gaps
         FROM (SELECT max(user_no) AS highest, count(*) AS customers FROM click_users
                WHERE organization_id = $1 GROUP BY campaign_id) AS campaigns`,
      [first],
    );
    expect(gaps).toBe(0);
    await app.sql('TRUNCATE click_users');
  });

  it('are worked on for one organization while another one is locked', async () => {
    const database = app.get(Database);
    const late = (organizationId: number) => visits(organizationId, NOON - 60 * DAY_MS);
    await count(...late(first), ...late(second));
    await app.get(ClickMonths).compact(400);
    await count(...late(second));
    expect(await organizationsIn('click_months')).toEqual([first]);
    for (let i = 0; i < 10; i++) {
      const customId = String(i);
      const at = NOON - 2 * DAY_MS;
      await count(click(second, { at, kind: 'campaign', trackedLinkId: CAMPAIGN + second, customId }));
    }
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(late(first));
    await database.write(async (tx) => {
      await ingest.ingest(tx, prepared);
      await lockCustomerSums(tx, first);
      await besideTransaction(async () => {
        await app.get(CustomerSums).merge();
        await app.get(ClickMonths).compact(400);
      });
    });
    expect(await organizationsIn('click_months')).toEqual([second]);
    const [merged] = await app.sql(
      'SELECT count(*)::int AS rows FROM click_user_adds WHERE organization_id = $1 AND day = $2',
      [second, '2030-05-10'],
    );
    expect(merged).toEqual({ rows: 1 });
  });

  it('get it in an upgrade, beside the version before', async () => {
    await app.sql(
      `INSERT INTO click_user_sums (organization_id, campaign_id, day, sums, lasts)
       SELECT id, $1 + id, '2030-01-01', '', '' FROM unnest($2::bigint[]) AS id`,
      [CAMPAIGN, [first, second]],
    );
    await app.get(ClickMonths).compact(400);
    await count(click(first, { at: NOON - 40 * DAY_MS }), click(second, { at: NOON - 40 * DAY_MS }));
    const before = await contents();
    for (const table of TABLES) expect(await organizationsIn(table)).toEqual([first, second]);
    await migrate('down');
    for (const table of TABLES) await expect(organizationsIn(table)).rejects.toThrow('organization_id');
    // An interrupted run is repeated as a whole.
    await migrate('up');
    await migrate('up');
    expect(await contents()).toEqual(before);

    for (const statement of OF_THE_VERSION_BEFORE) await app.sql(statement, [first]);
    for (const table of TABLES) expect(await organizationsIn(table)).toEqual([first, second]);
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
