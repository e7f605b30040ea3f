import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Custom domains and the state of their verification. A name has one holder: the claim that is PENDING,
 * VERIFIED or ACTIVE. FAILED and REVOKED claims may exist beside it, one per organization.
 */
export class CustomDomains1700000000900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE custom_domains
        ADD COLUMN owner_username text NOT NULL DEFAULT 'platform',
        ADD COLUMN verification_token text DEFAULT replace(gen_random_uuid()::text, '-', ''),
        ADD COLUMN activation_token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
        ADD COLUMN pending_since timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN held_until timestamptz NOT NULL DEFAULT now() + interval '72 hours',
        ADD COLUMN verified_at timestamptz,
        ADD COLUMN failing_since timestamptz,
        ADD COLUMN last_checked_at timestamptz,
        ADD COLUMN deletion_requested_at timestamptz,
        ADD COLUMN deleted_at timestamptz,
        ADD CONSTRAINT custom_domains_deleted_check CHECK (deleted_at IS NULL OR status = 'REVOKED')`);
    await queryRunner.query(
      `UPDATE custom_domains SET verified_at = created_at WHERE status IN ('VERIFIED', 'ACTIVE')`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX custom_domains_holder_key ON custom_domains (domain_name)
         WHERE deleted_at IS NULL AND status IN ('PENDING', 'VERIFIED', 'ACTIVE')`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX custom_domains_claim_key ON custom_domains (organization_id, domain_name)
         WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX custom_domains_check_idx ON custom_domains (last_checked_at NULLS FIRST, id)
         WHERE deleted_at IS NULL AND verification_token IS NOT NULL
           AND status IN ('PENDING', 'VERIFIED', 'ACTIVE')`,
    );
    await queryRunner.query(`DROP INDEX custom_domains_name_key`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM custom_domains d
       WHERE deleted_at IS NOT NULL OR EXISTS (
         SELECT FROM custom_domains other
          WHERE other.domain_name = d.domain_name AND other.deleted_at IS NULL AND other.id <> d.id
            AND (other.status IN ('PENDING', 'VERIFIED', 'ACTIVE'), other.id)
              > (d.status IN ('PENDING', 'VERIFIED', 'ACTIVE'), d.id))`);
    await queryRunner.query(`CREATE UNIQUE INDEX custom_domains_name_key ON custom_domains (domain_name)`);
    await queryRunner.query(
      `DROP INDEX custom_domains_holder_key, custom_domains_claim_key, custom_domains_check_idx`,
    );
    await queryRunner.query(`
      ALTER TABLE custom_domains
        DROP CONSTRAINT custom_domains_deleted_check,
        DROP COLUMN owner_username, DROP COLUMN verification_token, DROP COLUMN activation_token,
        DROP COLUMN pending_since, DROP COLUMN held_until, DROP COLUMN verified_at, DROP COLUMN failing_since,
        DROP COLUMN last_checked_at, DROP COLUMN deletion_requested_at, DROP COLUMN deleted_at`);
  }
}
