import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clicks of funnel rollups by platform. Older versions only add to the total; clicks in none of the three
 * columns have no known platform. Rows with subject_kind 11 to 13 are those of links, campaigns and apps (1
 * to 3) on iOS, and 21 to 23 on Android.
 */
export class ClicksByPlatform1700000009520 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE funnel_rollups
        ADD COLUMN ios_clicks integer NOT NULL DEFAULT 0,
        ADD COLUMN android_clicks integer NOT NULL DEFAULT 0,
        ADD COLUMN other_clicks integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM funnel_rollups WHERE subject_kind > 10');
    await queryRunner.query(`
      ALTER TABLE funnel_rollups DROP COLUMN ios_clicks, DROP COLUMN android_clicks, DROP COLUMN other_clicks`);
  }
}
