import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Responses stored for an Idempotency-Key (docs/concepts/conventions.md#idempotent-retries). `scope` is the
 * SHA-256 of path and key, `fingerprint` that of query and body: neither is needed in plain text, and both
 * have any length.
 */
export class Idempotency1700000000500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        scope bytea NOT NULL CHECK (octet_length(scope) = 32),
        fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
        status smallint NOT NULL CHECK (status BETWEEN 200 AND 499),
        headers jsonb NOT NULL,
        body text,
        created_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, scope)
      )`);
    await queryRunner.query('CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_keys');
  }
}
