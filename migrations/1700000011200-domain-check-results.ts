import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The result of the last check of a custom domain: when, what was found, and what was wrong. */
export class DomainCheckResults1700000011200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE custom_domains ADD COLUMN last_check jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE custom_domains DROP COLUMN last_check');
  }
}
