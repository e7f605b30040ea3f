import type { MigrationInterface, QueryRunner } from 'typeorm';

const LIMITS = [
  'apps',
  'custom_domains',
  'campaigns',
  'contact_groups',
  'api_keys',
  'users',
  'invitations',
  'allow_list_entries',
];

/** Limits of everything else that an organization can make. */
export class LimitsOfWhatIsMade1700000013310 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const columns = LIMITS.map((name) => `ADD COLUMN IF NOT EXISTS ${name} integer`);
    await queryRunner.query(`ALTER TABLE organization_limits ${columns.join(', ')}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const columns = LIMITS.map((name) => `DROP COLUMN ${name}`);
    await queryRunner.query(`ALTER TABLE organization_limits ${columns.join(', ')}`);
  }
}
