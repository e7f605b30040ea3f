import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['links', 'campaigns'];

const SETTINGS = [
  'original_url',
  'title',
  'external_id',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'ios_deep_link_path',
  'android_deep_link_path',
];

/**
 * Finds links and campaigns by their settings, for `findIfExists`: by a hash of those in which links to one destination
 * usually differ. The index is built without blocking writers; the migration can be interrupted and run again.
 */
export class SettingsIndex1700000009951 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const text = SETTINGS.map((column) => `coalesce(${column}, '')`).join(` || E'\\n' || `);
    for (const table of TABLES) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_settings_idx`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY ${table}_settings_idx
             ON ${table} (organization_id, hashtextextended(${text}, 0))
          WHERE deleted_at IS NULL`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP INDEX IF EXISTS ${table}_settings_idx`);
  }
}
