import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses and names of users, and what they see of their console sessions (docs/security.md#signing-in). */
export class UserProfilesAndSessions1700000009910 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users
        ALTER COLUMN password_hash DROP NOT NULL,
        ADD COLUMN email text CHECK (char_length(email) BETWEEN 3 AND 254),
        ADD COLUMN email_confirmed boolean NOT NULL DEFAULT false,
        ADD COLUMN name text CHECK (char_length(name) BETWEEN 1 AND 100)`);
    await queryRunner.query('CREATE UNIQUE INDEX users_email_key ON users (lower(email))');
    await queryRunner.query(`
      ALTER TABLE console_sessions
        ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY,
        ADD COLUMN opened_by text NOT NULL DEFAULT 'PASSWORD'
          CHECK (opened_by IN ('PASSWORD', 'OIDC', 'INVITATION')),
        ADD COLUMN browser text,
        ADD COLUMN operating_system text,
        ADD COLUMN last_seen_at timestamptz`);
    await queryRunner.query('CREATE UNIQUE INDEX console_sessions_id_key ON console_sessions (id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX console_sessions_id_key');
    await queryRunner.query(`
      ALTER TABLE console_sessions
        DROP COLUMN id, DROP COLUMN opened_by, DROP COLUMN browser, DROP COLUMN operating_system,
        DROP COLUMN last_seen_at`);
    await queryRunner.query('DROP INDEX users_email_key');
    // A hash that no password has: these users stay, and an administrator can give them a password.
    await queryRunner.query("UPDATE users SET password_hash = 'scrypt$14$8$5$$' WHERE password_hash IS NULL");
    await queryRunner.query(`
      ALTER TABLE users
        ALTER COLUMN password_hash SET NOT NULL,
        DROP COLUMN email, DROP COLUMN email_confirmed, DROP COLUMN name`);
  }
}
