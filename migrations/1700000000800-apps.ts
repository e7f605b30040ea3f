import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Remaining columns of apps. Only the service can encrypt keys, so existing apps get theirs when it starts.
 * Older versions still running write none of these columns, so all of them are nullable.
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
    // Keys used to encrypt values, each with a value to verify it.
    await queryRunner.query(`
      CREATE TABLE encryption_keys (
        id text PRIMARY KEY,
        check_value text NOT NULL,
        active_since timestamptz NOT NULL
      )`);
    // Apps that the link was tied to, so that published addresses /<appPath>/<code> keep working.
    await queryRunner.query(`ALTER TABLE links ADD COLUMN former_app_ids bigint[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(APP_LIVES);
    await queryRunner.query(KEEP_TIES);
    for (const table of ['links', 'campaigns']) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_new_app_ties BEFORE INSERT ON ${table} FOR EACH ROW
          WHEN (NEW.ios_app_id IS NOT NULL OR NEW.android_app_id IS NOT NULL)
          EXECUTE FUNCTION keep_app_ties()`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_app_ties BEFORE UPDATE OF ios_app_id, android_app_id ON ${table} FOR EACH ROW
          WHEN (OLD.ios_app_id IS DISTINCT FROM NEW.ios_app_id
                OR OLD.android_app_id IS DISTINCT FROM NEW.android_app_id)
          EXECUTE FUNCTION keep_app_ties()`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['links', 'campaigns']) {
      await queryRunner.query(`DROP TRIGGER ${table}_app_ties ON ${table}`);
      await queryRunner.query(`DROP TRIGGER ${table}_new_app_ties ON ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION keep_app_ties`);
    await queryRunner.query(`DROP FUNCTION app_lives`);
    await queryRunner.query(`ALTER TABLE links DROP COLUMN former_app_ids`);
    await queryRunner.query(`DROP TABLE encryption_keys`);
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

// The lock waits for a deletion in progress, and then sees it.
const APP_LIVES = `
  CREATE FUNCTION app_lives(app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM apps WHERE id = app AND deleted_at IS NULL FOR KEY SHARE;
    RETURN FOUND;
  END $$`;

// An app may be deleted between the check for a link or campaign and the insert of its row: whichever comes
// second removes the tie. A link also remembers the app whose path was in its address, however the tie ends.
const KEEP_TIES = `
  CREATE FUNCTION keep_app_ties() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    former bigint := coalesce(NEW.ios_app_id, NEW.android_app_id);
    ios_before bigint;
    android_before bigint;
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      former := coalesce(OLD.ios_app_id, OLD.android_app_id);
      ios_before := OLD.ios_app_id;
      android_before := OLD.android_app_id;
    END IF;
    IF NEW.ios_app_id <> coalesce(ios_before, 0) AND NOT app_lives(NEW.ios_app_id) THEN
      NEW.ios_app_id := NULL;
      NEW.ios_deep_link_path := NULL;
    END IF;
    IF NEW.android_app_id <> coalesce(android_before, 0) AND NOT app_lives(NEW.android_app_id) THEN
      NEW.android_app_id := NULL;
      NEW.android_deep_link_path := NULL;
    END IF;
    IF TG_TABLE_NAME = 'links' THEN
      IF former IS DISTINCT FROM coalesce(NEW.ios_app_id, NEW.android_app_id)
         AND former <> ALL (NEW.former_app_ids) THEN
        NEW.former_app_ids := NEW.former_app_ids || former;
      END IF;
    END IF;
    RETURN NEW;
  END $$`;
