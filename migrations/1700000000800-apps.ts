import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Apps in full. Keys can't be made here, as only the service holds what encrypts them: rows of before get theirs when
 * it starts. A running older version writes none of these columns, so all of them may stay empty.
 */
export class Apps1700000000800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE apps
        ADD COLUMN bundle_id text,
        ADD COLUMN api_key_hash bytea CHECK (octet_length(api_key_hash) = 32),
        ADD COLUMN api_key text,
        ADD COLUMN scheme text,
        ADD COLUMN team_id text,
        ADD COLUMN store_url text,
        ADD COLUMN app_icon_url text,
        ADD COLUMN sha256_cert_fingerprints text[] NOT NULL DEFAULT '{}',
        ADD COLUMN sdk_rate_per_minute integer NOT NULL DEFAULT 1000 CHECK (sdk_rate_per_minute > 0),
        ADD COLUMN created_by bigint,
        ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
        ADD CONSTRAINT apps_api_key_check CHECK ((api_key IS NULL) = (api_key_hash IS NULL))`);
    await queryRunner.query(`CREATE UNIQUE INDEX apps_api_key_hash_key ON apps (api_key_hash)`);
    // Apps that the link was tied to: what was printed as /<appPath>/<code> goes on answering.
    await queryRunner.query(`ALTER TABLE links ADD COLUMN former_app_ids bigint[] NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE links DROP COLUMN former_app_ids`);
    await queryRunner.query(`
      ALTER TABLE apps
        DROP CONSTRAINT apps_api_key_check,
        DROP COLUMN bundle_id,
        DROP COLUMN api_key_hash,
        DROP COLUMN api_key,
        DROP COLUMN scheme,
        DROP COLUMN team_id,
        DROP COLUMN store_url,
        DROP COLUMN app_icon_url,
        DROP COLUMN sha256_cert_fingerprints,
        DROP COLUMN sdk_rate_per_minute,
        DROP COLUMN created_by,
        DROP COLUMN updated_at`);
  }
}
