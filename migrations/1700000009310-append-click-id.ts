import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a click's token is appended to the destination; null for a link or campaign uses the organization's
 * setting.
 */
export class AppendClickId1700000009310 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE organizations ADD COLUMN append_click_id boolean NOT NULL DEFAULT false',
    );
    for (const table of ['links', 'campaigns'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN append_click_id boolean`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['links', 'campaigns', 'organizations'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN append_click_id`);
  }
}
