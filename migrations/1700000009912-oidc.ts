import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Signing in with an identity provider (docs/security.md#identity-provider). */
export class Oidc1700000009912 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE user_identities (
        issuer text NOT NULL,
        subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        created_at timestamptz NOT NULL,
        CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject),
        CONSTRAINT user_identities_user_key UNIQUE (user_id, issuer)
      )`);
    await queryRunner.query(`
      CREATE TABLE oidc_sign_ins (
        state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32),
        browser_hash bytea NOT NULL CHECK (octet_length(browser_hash) = 32),
        code_verifier text NOT NULL,
        nonce text NOT NULL,
        return_to text NOT NULL,
        invitation_id bigint,
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX oidc_sign_ins_expires_idx ON oidc_sign_ins (expires_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE oidc_sign_ins');
    await queryRunner.query('DROP TABLE user_identities');
  }
}
