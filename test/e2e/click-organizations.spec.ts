import { Database } from '../../src/infrastructure/database/database';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { CampaignCustomers } from '../../src/modules/click-statistics/counting/campaign-customers';
import { CLICK_MONTHS } from '../../src/modules/click-statistics/rollups/click-months';
import { CLICK_TABLES, clicksOfOrganizations, NOON } from '../support/clicks-of-organizations';
import { createOrganization } from '../support/factories';
import { besideTransaction } from '../support/one-connection';
import { useTestApp } from '../support/test-app';

const DAY_MS = 86_400_000;

describe('tables of clicks by organization', () => {
  const app = useTestApp();
  const { click, visits, count, organizationsIn } = clicksOfOrganizations(app);
  let [first, second] = [0, 0];

  beforeAll(async () => {
    app.clock.set(new Date(NOON));
    ({ organizationId: first } = await createOrganization(app));
    ({ organizationId: second } = await createOrganization(app));
  });

  it('have it in every unique key', async () => {
    const keys = await app.sql<{ table: string; holds: boolean }>(
      `SELECT t.relname AS table,
              bool_and(EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'organization_id'
                                  AND a.attnum = ANY (i.indkey))) AS holds
         FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        WHERE i.indisunique AND t.relname = ANY ($1) GROUP BY 1 ORDER BY 1`,
      [CLICK_TABLES],
    );
    expect(keys).toEqual([...CLICK_TABLES].sort().map((table) => ({ table, holds: true })));
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
    await app.sql('TRUNCATE campaign_customers');
  });

  it('are worked on for one organization while another one is locked', async () => {
    const database = app.get(Database);
    const late = (organizationId: number) => visits(organizationId, NOON - 60 * DAY_MS);
    const compact = () =>
      app.get(CompactedMonths).compact(
        [CLICK_MONTHS],
        new Map([
          [first, 400],
          [second, 400],
        ]),
      );
    await count(...late(first), ...late(second));
    await compact();
    await count(...late(second));
    expect(await organizationsIn('compacted_months')).toEqual([first]);
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(late(first));
    await database.write(async (tx) => {
      await ingest.ingest(tx, prepared);
      await besideTransaction(compact);
    });
    expect(await organizationsIn('compacted_months')).toEqual([second]);
  });
});
