import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['links', 'campaigns', 'custom_domains'];

/** Links, campaigns and custom domains disabled by the platform, with the reason; null: not disabled. */
export class Disabled1700000009100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN disabled_reason text`);
    }
    await queryRunner.query(
      `CREATE INDEX organizations_deleted ON organizations (id) WHERE deleted_at IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX organizations_deleted`);
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN disabled_reason`);
  }
}
