import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Scopes and expiry of API keys, and the previous key during the overlap of a rotation. */
export class ApiKeyScopes1700000009920 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_keys
        ADD COLUMN scopes text[] NOT NULL DEFAULT '{*}' CHECK (cardinality(scopes) > 0),
        ADD COLUMN expires_at timestamptz,
        ADD COLUMN previous_hash bytea CHECK (octet_length(previous_hash) = 32),
        ADD COLUMN previous_expires_at timestamptz,
        ADD CONSTRAINT api_keys_previous_hash_key UNIQUE (previous_hash),
        ADD CONSTRAINT api_keys_previous_check
          CHECK ((previous_hash IS NULL) = (previous_expires_at IS NULL))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_keys
        DROP COLUMN scopes, DROP COLUMN expires_at, DROP COLUMN previous_hash,
        DROP COLUMN previous_expires_at`);
  }
}
