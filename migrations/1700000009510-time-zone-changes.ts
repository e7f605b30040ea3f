import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an organization's time zone last changed; null: never. Earlier changes are known from the audit log. */
export class TimeZoneChanges1700000009510 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE organizations ADD COLUMN time_zone_changed_at timestamptz');
    await queryRunner.query(`
      UPDATE organizations AS o SET time_zone_changed_at = changed.at
        FROM (SELECT organization_id, max(at) AS at FROM audit_log
               WHERE action = 'organization.update' AND changes ? 'timeZone'
               GROUP BY organization_id) AS changed
       WHERE o.id = changed.organization_id`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE organizations DROP COLUMN time_zone_changed_at');
  }
}
