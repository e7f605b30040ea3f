import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Without organizations there is no version before whose processes count late clicks, so sums are made at once. */
export class ClickSumsAtOnce1700000011350 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DELETE FROM click_sums WHERE organization_id = 0 AND unit = 0 AND NOT EXISTS (SELECT FROM organizations)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO click_sums (organization_id, unit, start)
       SELECT 0, 0, (now() AT TIME ZONE 'UTC')::date + 2 WHERE NOT EXISTS (SELECT FROM organizations)
       ON CONFLICT DO NOTHING`,
    );
  }
}
