import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a user last signed in; of the time before, as far as their sessions still tell. */
export class LastSignIn1700000011410 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN last_sign_in_at timestamptz');
    await queryRunner.query(`
      UPDATE users u SET last_sign_in_at = s.at
      FROM (SELECT user_id, max(created_at) AS at FROM console_sessions GROUP BY user_id) AS s
      WHERE s.user_id = u.id`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN last_sign_in_at');
  }
}
