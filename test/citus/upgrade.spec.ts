import { randomBytes } from 'node:crypto';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/infrastructure/database/data-source';
import { distribute } from '../../src/infrastructure/database/citus/distribute';
import { migrate } from '../../src/infrastructure/database/migrate';
import { MIGRATIONS } from '../../src/infrastructure/database/migrations';
import { PLACEMENTS, type Placement } from '../../src/infrastructure/database/citus/placement';
import { createDistributedDatabase } from '../support/citus';
import { dropLater } from '../support/test-databases';

/** What the next version adds: a column, an index, and a table of organizations. */
class Notes9999999999999 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE links ADD COLUMN note text');
    await queryRunner.query(`
      CREATE TABLE notes (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        id bigint GENERATED ALWAYS AS IDENTITY,
        link_id bigint NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (id, organization_id)
      )`);
    await queryRunner.query('CREATE INDEX notes_by_link ON notes (organization_id, link_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE notes');
    await queryRunner.query('ALTER TABLE links DROP COLUMN note');
  }
}

describe('an upgrade of a distributed database', () => {
  jest.setTimeout(300_000);
  const placements = PLACEMENTS as Map<string, Placement>;
  beforeAll(() => void placements.set('notes', 'distributed'));
  afterAll(() => void placements.delete('notes'));

  it('adds columns and tables, distributes the tables, and can be undone', async () => {
    const name = `wp_test_${randomBytes(6).toString('hex')}`;
    dropLater(name);
    const url = await createDistributedDatabase(name);
    const options = { ...dataSourceOptions({ url }, 2), migrations: [...MIGRATIONS, Notes9999999999999] };
    const source = await new DataSource(options).initialize();
    try {
      await source.query(
        `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
         SELECT 'Acme', 'UTC', 'USD', 'US', 'PRO', now(), now() FROM generate_series(1, 3)`,
      );
      await migrate(source);
      // Processes of the new version write before `npm run distribute`.
      const add = `INSERT INTO notes (organization_id, link_id, text) SELECT id, 1, 'x' FROM organizations`;
      await source.query(add);
      const lines: string[] = [];
      await distribute(source, (line) => lines.push(line));
      expect(lines).toEqual(['notes: by organization_id']);
      await source.query(`INSERT INTO notes (organization_id, link_id, text) VALUES (1, 2, 'y')`);
      await source.query(
        `INSERT INTO links (organization_id, code, original_url, note, created_at, updated_at)
         VALUES (1, 'n', 'https://example.com/', 'y', now(), now())`,
      );
      expect(
        await source.query(
          `SELECT n.text, l.note FROM notes AS n JOIN links AS l ON l.organization_id = n.organization_id
            WHERE n.organization_id = 1 ORDER BY n.text`,
        ),
      ).toEqual([
        { text: 'x', note: 'y' },
        { text: 'y', note: 'y' },
      ]);
      await source.undoLastMigration({ transaction: 'each' });
      expect(await source.query(`SELECT to_regclass('notes') AS notes`)).toEqual([{ notes: null }]);
    } finally {
      await source.destroy();
    }
  });
});
