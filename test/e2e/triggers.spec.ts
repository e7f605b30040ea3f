import type { DataSource } from 'typeorm';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { PLACEMENTS } from '../../src/infrastructure/database/citus/placement';
import { createTestDatabase } from '../support/test-app';

interface Source {
  name: string;
  source: string;
  transitionTables: string[];
}

describe('triggers', () => {
  let database: DataSource;

  beforeAll(async () => {
    const { url } = await createTestDatabase();
    database = await connectDataSource({ url: url }, 2);
  });
  afterAll(() => database.destroy());

  it('name no table in a statement that reads a transition table', async () => {
    const sources = await database.query<Source[]>(`
      SELECT p.proname AS name, p.prosrc AS source,
             array_agg(DISTINCT t.tgnewtable::text) FILTER (WHERE t.tgnewtable IS NOT NULL)
             || array_agg(DISTINCT t.tgoldtable::text) FILTER (WHERE t.tgoldtable IS NOT NULL) AS "transitionTables"
        FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
       WHERE t.tgnewtable IS NOT NULL OR t.tgoldtable IS NOT NULL GROUP BY p.proname, p.prosrc`);
    expect(sources.length).toBeGreaterThan(8);
    for (const { name, source, transitionTables } of sources) {
      const reads = new RegExp(`\\b(FROM|JOIN)\\s+(${transitionTables.join('|')})\\b`);
      const statements = source.split(/;|\bLOOP\b/).filter((statement) => reads.test(statement));
      const tables = statements.flatMap((statement) =>
        [...statement.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/g)]
          .map(([, table = '']) => table)
          .filter((table) => PLACEMENTS.has(table)),
      );
      expect({ name, read: statements.length > 0, tables }).toEqual({ name, read: true, tables: [] });
    }
  });

  it('try slots one by one, and do not make all of them first', async () => {
    const sources = await database.query<{ source: string }[]>(
      `SELECT prosrc AS source FROM pg_proc WHERE proname IN ('contact_count_slot', 'rollup_slot')`,
    );
    expect(sources).toHaveLength(2);
    for (const { source } of sources) expect(source).not.toMatch(/FROM generate_series/);
  });

  it('count the rows of one statement over several organizations', async () => {
    await database.query(
      `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
       SELECT 'Acme', 'UTC', 'USD', 'US', 'PRO', now(), now() FROM generate_series(1, 3)`,
    );
    const organizations = '(SELECT array_agg(id ORDER BY id) FROM organizations)';
    await database.query(
      `INSERT INTO contacts (organization_id, id, origin, push_opt_in, created_at, updated_at)
       SELECT (${organizations})[1 + n % 3], n, 'API', n % 2 = 0, now(), now() FROM generate_series(1, 60) AS n`,
    );
    await database.query(
      `INSERT INTO contact_groups (organization_id, name, is_default, created_at, updated_at)
       SELECT o.id, g.name, false, now(), now() FROM organizations AS o, unnest('{a,b}'::text[]) AS g (name)`,
    );
    await database.query(
      `INSERT INTO contact_group_members (organization_id, group_id, contact_id)
       SELECT organization_id, g.id, c.id FROM contacts AS c JOIN contact_groups AS g USING (organization_id)`,
    );
    await database.query(
      `INSERT INTO links (organization_id, code, original_url, created_at, updated_at)
       SELECT (${organizations})[1 + n % 3], 'c' || n, 'https://example.com/' || n, now(), now()
         FROM generate_series(1, 150) AS n`,
    );
    const expectCounted = async () => {
      const wrong = await database.query<unknown[]>(`
        SELECT organization_id, push_opt_in::text AS key, sum(contacts) AS n FROM contact_counts GROUP BY 1, 2
         EXCEPT SELECT organization_id, push_opt_in::text, count(*) FROM contacts WHERE deactivated_at IS NULL GROUP BY 1, 2
         UNION ALL
        (SELECT organization_id, group_id::text, sum(members) FROM contact_group_counts GROUP BY 1, 2
         EXCEPT SELECT organization_id, group_id::text, count(*) FROM contact_group_members GROUP BY 1, 2)
         UNION ALL
        (SELECT organization_id, 'links', sum(links) FROM link_counts GROUP BY 1
         EXCEPT SELECT organization_id, 'links', count(*) FROM links WHERE deleted_at IS NULL GROUP BY 1)`);
      expect(wrong).toEqual([]);
    };
    const sums = () =>
      database.query<unknown[]>(
        `SELECT (SELECT sum(contacts) FROM contact_counts)::int AS contacts,
                (SELECT sum(members) FROM contact_group_counts)::int AS members,
                (SELECT sum(links) FROM link_counts)::int AS links, (SELECT count(*) FROM link_health)::int AS health`,
      );
    await expectCounted();
    expect(await sums()).toEqual([{ contacts: 60, members: 120, links: 150, health: 150 }]);
    await database.query(`UPDATE contacts SET push_opt_in = NOT push_opt_in WHERE id % 3 < 2`);
    await database.query(`UPDATE contacts SET deactivated_at = now() WHERE id % 10 = 0`);
    await database.query(`DELETE FROM contact_group_members WHERE contact_id % 4 = 0`);
    await database.query(`UPDATE links SET deleted_at = now() WHERE id % 5 = 0`);
    await database.query(`DELETE FROM links WHERE id % 5 = 1 AND deleted_at IS NULL`);
    await expectCounted();
    expect(await sums()).toEqual([{ contacts: 54, members: 90, links: 90, health: 120 }]);
  });
});
