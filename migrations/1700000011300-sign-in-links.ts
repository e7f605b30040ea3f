import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that sign a user in once (docs/security.md#sign-in-links). */
export class SignInLinks1700000011300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sign_in_links (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      )`);
    await queryRunner.query('CREATE INDEX sign_in_links_user_idx ON sign_in_links (user_id)');
    await queryRunner.query('CREATE INDEX sign_in_links_expires_idx ON sign_in_links (expires_at)');
    await allowOrigins(queryRunner, ['PASSWORD', 'OIDC', 'INVITATION', 'LINK']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM console_sessions WHERE opened_by = 'LINK'`);
    await allowOrigins(queryRunner, ['PASSWORD', 'OIDC', 'INVITATION']);
    await queryRunner.query('DROP TABLE sign_in_links');
  }
}

async function allowOrigins(queryRunner: QueryRunner, origins: readonly string[]): Promise<void> {
  const list = origins.map((origin) => `'${origin}'`).join(', ');
  await queryRunner.query(`
    ALTER TABLE console_sessions
      DROP CONSTRAINT console_sessions_opened_by_check,
      ADD CONSTRAINT console_sessions_opened_by_check CHECK (opened_by IN (${list}))`);
}
