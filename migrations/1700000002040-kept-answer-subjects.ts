import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The person whose data a stored response contains, so that it can be erased with them. */
export class KeptAnswerSubjects1700000002040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE idempotency_keys ADD COLUMN subject text`);
    await queryRunner.query(
      `CREATE INDEX idempotency_keys_subject_idx ON idempotency_keys (organization_id, subject)
         WHERE subject IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE idempotency_keys DROP COLUMN subject`);
  }
}
