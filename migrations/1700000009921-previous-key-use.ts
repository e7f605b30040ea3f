import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Last use of the key from before a rotation, apart from that of the new one. */
export class PreviousKeyUse1700000009921 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN previous_last_used_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN previous_last_used_at');
  }
}
