import { Client } from 'pg';
import { Clock } from '../../src/common/time/clock';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { Database, type Tx } from '../../src/infrastructure/database/database';
import { CUSTOMER_MONTHS } from '../../src/modules/click-statistics/customers/customer-months';
import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { ClickRetention } from '../../src/modules/click-statistics/retention/click-retention';
import { CLICK_MONTHS } from '../../src/modules/click-statistics/rollups/click-months';
import { ExpiredVisitorData } from '../../src/modules/clicks/expired-visitor-data';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { clickSums } from '../support/click-sums';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { useTestApp } from '../support/test-app';
import { isAnyWaiting } from '../support/test-databases';
import { visit } from '../support/visits';

const DAY = 86_400_000;
const NOW = Date.parse('2031-06-20T03:43:00Z');
const DAYS = 30;
const OLD = NOW - 50 * DAY;
/** In rows. */
const CHUNK = 7;
/** What belongs to an organization's clicks. */
const TABLES = [
  ...['clicks', 'click_retention', 'click_rollups', 'click_months', 'compacted_months', 'click_totals'],
  ...['click_sums', 'click_breakdowns', 'click_link_sums', 'visitor_rollups'],
  ...['campaign_customers', 'customer_days', 'customer_months'],
];

class Killed extends Error {}

describe('retention of clicks', () => {
  const app = useTestApp({ at: new Date(NOW) });
  const sums = clickSums(app);

  /** Keeps the months of all clicks, so that they are not dropped. */
  const keeper = new Map([[0, 36_600]]);
  const deleteOld = (retention: ClickRetention, { organizationId }: TestOrganization, days = DAYS) =>
    retention.deleteOld(new Map([...keeper, [organizationId, days]]), CHUNK);

  /** Whose process is killed after the first transaction that deletes something. */
  const killedRetention = (): ClickRetention => {
    const database = app.get(Database);
    let isKilled = false;
    const alive = <T>(run: () => Promise<T>) => (isKilled ? Promise.reject(new Killed()) : run());
    const watched = (run: Tx['slow']) => async (sql: string, parameters?: readonly unknown[]) => {
      const rows = await run(sql, parameters);
      isKilled ||= sql.startsWith('DELETE FROM clicks') || (sql.includes('DELETE') && rows.length > 0);
      return rows;
    };
    const watchedTx = (tx: Tx) => Object.create(tx, { slow: { value: watched(tx.slow.bind(tx)) } }) as Tx;
    const dying = Object.create(database, {
      write: {
        value: (work: (tx: Tx) => Promise<unknown>) =>
          alive(() => database.write((tx) => work(watchedTx(tx)))),
      },
    }) as Database;
    const clock = app.get(Clock);
    return new ClickRetention(dying, new ExpiredVisitorData(database, clock), clock);
  };

  /** @returns whether it was killed */
  const runKilled = async (organization: TestOrganization): Promise<boolean> => {
    try {
      await deleteOld(killedRetention(), organization);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(Killed);
      return true;
    }
  };

  const rowsOf = async ({ organizationId }: TestOrganization) =>
    Object.fromEntries(
      await Promise.all(
        TABLES.map(async (table) => [
          table,
          (
            await app.sql<{ row: string }>(
              `SELECT t::text AS row FROM ${table} t WHERE organization_id = $1 ORDER BY 1`,
              [organizationId],
            )
          ).map(({ row }) => row),
        ]),
      ),
    ) as Record<string, string[]>;

  const clicksOf = ({ organizationId }: TestOrganization) =>
    app.sql<{ at: Date }>(`SELECT clicked_at AS at FROM clicks WHERE organization_id = $1 ORDER BY 1`, [
      organizationId,
    ]);

  /** Clicks of 20 days before the retention and 20 days in it, by links and by customers of a campaign. */
  const fill = async (organization: TestOrganization, campaignId: number) => {
    const first = NOW - (DAYS + 20) * DAY;
    await sums.count(
      organization,
      Array.from({ length: 160 }, (_, n) => ({
        at: first + Math.floor(n / 4) * DAY + n * 60_000,
        ...(n % 2 === 0
          ? { trackedLinkId: 10 + (n % 6) }
          : { kind: 'campaign' as const, trackedLinkId: campaignId, customId: `customer-${n % 10}` }),
      })),
    );
    // Some that share their time, more than fit into a chunk, and customers that have no others.
    await sums.count(
      organization,
      Array.from({ length: CHUNK + 3 }, (_, n) => ({
        at: first + 10 * DAY,
        kind: 'campaign' as const,
        trackedLinkId: campaignId,
        customId: `former-${n}`,
      })),
    );
    await app.sql(
      `UPDATE campaign_customers SET seen_on = $2 WHERE organization_id = $1 AND custom_id LIKE 'former-%'`,
      [organization.organizationId, new Date(first + 10 * DAY)],
    );
    await sums.build();
    await app
      .get(CompactedMonths)
      .compact([CLICK_MONTHS, CUSTOMER_MONTHS], new Map([[organization.organizationId, 400]]));
  };

  const counted = ({ organizationId }: TestOrganization, clicks: number) =>
    eventually(async () =>
      expect(
        await app.sql('SELECT sum(clicks)::int AS clicks FROM click_totals WHERE organization_id = $1', [
          organizationId,
        ]),
      ).toEqual([{ clicks }]),
    );

  it('ends the same, and shows the same meanwhile, wherever its process is killed', async () => {
    const organization = await createOrganization(app, { limits: { clickRetentionDays: DAYS } });
    const { organizationId, api } = organization;
    const campaign = await createCampaign(organization, {
      name: 'Autumn',
      expiresAt: '2040-01-01T00:00:00Z',
    });
    await fill(organization, campaign.id);
    for (const table of TABLES) await app.sql(`CREATE TABLE saved_${table} (LIKE ${table})`);
    for (const table of TABLES) {
      await app.sql(`INSERT INTO saved_${table} SELECT * FROM ${table} WHERE organization_id = $1`, [
        organizationId,
      ]);
    }
    const range = { startDate: '2031-04-01', endDate: '2031-06-20' };
    const figures = async () => ({
      campaign: (await api.get(`${CAMPAIGNS}/${campaign.id}/stats`, range).expect(200)).body,
      analytics: await sums.get(organization, { ...range, groupBy: 'link' }),
      log: (await api.get(`${CAMPAIGNS}/${campaign.id}/clicks`).expect(200)).body,
    });

    const before = await figures();
    const { click_totals: totals } = await rowsOf(organization);
    await deleteOld(app.get(ClickRetention), organization);
    const after = await rowsOf(organization);
    expect(after.click_totals).toEqual(totals);
    expect(after.clicks).toHaveLength(80);
    expect(await figures()).toEqual(before);

    for (const table of TABLES) {
      await app.sql(`DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
      await app.sql(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM saved_${table}`);
    }
    let chunks = 0;
    for (; await runKilled(organization); chunks++) expect(await figures()).toEqual(before);
    expect(await rowsOf(organization)).toEqual(after);
    expect(chunks).toBeGreaterThan(20);
  });

  it('deletes the oldest clicks first, and says how far it is', async () => {
    const organization = await createOrganization(app);
    await sums.count(
      organization,
      Array.from({ length: 20 }, (_, n) => ({ at: NOW - 50 * DAY + n * DAY })),
    );
    const mark = () =>
      app.sql(`SELECT deleted_until AS until FROM click_retention WHERE organization_id = $1`, [
        organization.organizationId,
      ]);
    // Of visitors, nothing is left.
    await deleteOld(app.get(ClickRetention), organization, 3_000);
    const all = await clicksOf(organization);
    for (const left of [20 - CHUNK, 20 - 2 * CHUNK]) {
      expect(await runKilled(organization)).toBe(true);
      expect(await clicksOf(organization)).toEqual(all.slice(-left));
      expect(await mark()).toEqual([{ until: all.at(-left - 1)?.at }]);
    }
    await deleteOld(app.get(ClickRetention), organization);
    expect(await mark()).toEqual([{ until: new Date(NOW - DAYS * DAY) }]);
    expect(await clicksOf(organization)).toEqual([]);
  });

  it('deletes clicks and customers that arrived after their time', async () => {
    const organization = await createOrganization(app);
    const at = NOW - (DAYS + 5) * DAY;
    const click = { kind: 'campaign' as const, trackedLinkId: 5, customId: 'late' };
    await sums.count(organization, [{ at, ...click }]);
    await deleteOld(app.get(ClickRetention), organization);
    await sums.count(organization, [{ at: at - DAY, ...click }]);
    await deleteOld(app.get(ClickRetention), organization);
    const { clicks, customer_days: days } = await rowsOf(organization);
    expect({ clicks, days }).toEqual({ clicks: [], days: [] });
  });

  it.each([
    [
      'clicks',
      `clicks WHERE organization_id = $1 AND clicked_at = '${new Date(OLD + 16_000).toISOString()}'`,
    ],
    ['customers', 'campaign_customers WHERE organization_id = $1'],
  ])('holds up no other organization, nor new clicks of the same, while it waits for %s', async (_, row) => {
    const organization = await createOrganization(app);
    const other = await createOrganization(app);
    const campaignOf = ({ organizationId }: TestOrganization) => ({
      kind: 'campaign' as const,
      trackedLinkId: 1_000 + organizationId,
    });
    const old = Array.from({ length: 3 * CHUNK }, (_, n) => ({ at: OLD + n * 1_000 }));
    await sums.count(organization, [...old, { at: OLD, ...campaignOf(organization), customId: 'former' }]);
    await sums.count(other, [{ at: OLD }]);
    await app.sql(`UPDATE campaign_customers SET seen_on = '2031-01-01' WHERE organization_id = $1`, [
      organization.organizationId,
    ]);
    const holder = new Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT FROM ${row} FOR UPDATE`, [organization.organizationId]);
      const retention = deleteOld(app.get(ClickRetention), organization);
      await eventually(async () =>
        expect(await isAnyWaiting(app.database.url, '%DELETE FROM %c%')).toBe(true),
      );
      expect((await clicksOf(organization)).length).toBeLessThanOrEqual(CHUNK + 1);
      for (const each of [other, organization]) {
        const before = (await clicksOf(each)).length;
        const click = { at: NOW, ...campaignOf(each), customId: 'new' };
        await sums.count(each, [click, { at: NOW - 1_000 }]);
        expect((await clicksOf(each)).length).toBe(before + 2);
      }
      await holder.query('COMMIT');
      await retention;
      expect((await clicksOf(organization)).length).toBe(2);
    } finally {
      await holder.end();
    }
  });

  it('drops whole months, or deletes their clicks while a query reads the table', async () => {
    const organization = await createOrganization(app);
    const months = () =>
      app.sql(`SELECT relname FROM pg_class WHERE relname = 'clicks_2030_02' AND relkind = 'r'`);
    const retention = app.get(ClickRetention);
    const all = () => retention.deleteOld(new Map([[organization.organizationId, 200]]), CHUNK);
    const click = { at: Date.parse('2030-02-10T00:00:00Z') };
    await sums.count(organization, [click]);
    const reader = new Client({ connectionString: app.database.url });
    await reader.connect();
    try {
      await reader.query('BEGIN');
      await reader.query('SELECT FROM clicks LIMIT 1');
      await all();
      expect(await months()).toHaveLength(1);
      expect(await clicksOf(organization)).toEqual([]);
      await reader.query('COMMIT');
      await all();
      expect(await months()).toEqual([]);
    } finally {
      await reader.end();
    }
    // A click that was spooled all the time.
    await sums.count(organization, [click]);
    expect(await clicksOf(organization)).toEqual([click].map(({ at }) => ({ at: new Date(at) })));
    await all();
    expect(await clicksOf(organization)).toEqual([]);
  });

  it('deletes the clicks of each organization by its plan, and whole months past the longest', async () => {
    app.clock.set('2033-01-10T12:00:00Z');
    const organization = await createOrganization(app);
    const free = await createOrganization(app);
    for (const each of [organization, free]) {
      await visit(app, `/${codeOf(await createLink(each))}`);
      await counted(each, 1);
    }
    await app.sql(`UPDATE organizations SET plan = 'FREE' WHERE id = $1`, [free.organizationId]);
    const remaining = async () =>
      [await clicksOf(organization), await clicksOf(free)].map(({ length }) => length);

    app.clock.set('2033-04-10T11:59:59Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([1, 1]);
    app.clock.set('2033-04-11T12:00:01Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([1, 0]);

    app.clock.set('2034-04-10T12:00:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await remaining()).toEqual([0, 0]);
    const partitions = await app.sql(`SELECT relname FROM pg_class WHERE relname LIKE 'clicks\\_20%'`);
    expect(partitions).toEqual([]);
    // Totals are not deleted.
    await counted(organization, 1);
  });
});
