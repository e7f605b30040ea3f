import { AddressesWithoutTriggers1700000012900 } from '../../migrations/1700000012900-addresses-without-triggers';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { ADDRESSES, EXPECTED, testAddresses } from '../support/codes';
import { createTestDatabase } from '../support/test-app';

describe('addresses beside the triggers of the version before', () => {
  testAddresses(async (app) => {
    // With organizations, the migration leaves triggers for the version before.
    await repeatMigration(app.database.url);
    const triggers = await app.sql(`SELECT tgname FROM pg_trigger WHERE tgname LIKE '%\\_addresses\\_%'`);
    expect(triggers).toHaveLength(9);
  });
});

describe('addresses of the version before', () => {
  it('are filled by an upgrade, beside which the version before runs on', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const isThere = async () =>
      (await dataSource.query<unknown[]>(`SELECT FROM pg_tables WHERE tablename = 'addresses'`)).length > 0;
    while (await isThere()) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query(
      `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
       SELECT 'Acme', 'UTC', 'USD', 'US', 'PRO', now(), now() FROM generate_series(1, 2)`,
    );
    const add = (code: string, organization: number, rest = 'true, false, NULL') =>
      dataSource.query(
        `INSERT INTO links (organization_id, code, original_url, created_at, updated_at, is_alias, code_released, deleted_at)
         SELECT id, $1 || n, 'https://a.example', now(), now(), ${rest}
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM organizations) AS o,
                generate_series(1, 3) AS n WHERE place = $2 ON CONFLICT DO NOTHING`,
        [code, organization],
      );
    const retire = (code: string) =>
      dataSource.query(
        `INSERT INTO former_codes (target_kind, domain_id, code, target_id, organization_id, is_alias, leads, created_at)
         SELECT 1, 0, $1, id, organization_id, true, true, now() FROM links WHERE code = 'a1'`,
        [code],
      );
    await add('a', 1);
    await add('released', 1, 'true, true, now()');
    await add('deleted', 1, 'true, false, now()');
    await retire('former');
    await dataSource.runMigrations({ transaction: 'each' });
    const check = async (count: number) => {
      const expected = await dataSource.query<unknown[]>(EXPECTED);
      expect(expected).toHaveLength(count);
      expect(await dataSource.query<unknown[]>(ADDRESSES)).toEqual(expected);
    };
    await check(7);
    await add('a', 2);
    await add('released', 2);
    await check(10);
    await expect(add('former', 2)).resolves.toBeDefined();
    await check(13);
    await expect(
      dataSource.query(`UPDATE links SET code = 'former' WHERE code = 'released1' AND NOT code_released`),
    ).rejects.toThrow('addresses_pkey');
    await dataSource.destroy();
  });
});

async function repeatMigration(url: string): Promise<void> {
  const dataSource = await connectDataSource({ url }, 1);
  const runner = dataSource.createQueryRunner();
  const migration = new AddressesWithoutTriggers1700000012900();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  await dataSource.destroy();
}
