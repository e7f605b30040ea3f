import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns remember the apps they were tied to, like links, because `/<appPath>/c/<alias>` is a published
 * address. Versions that run beside this one insert without the column and get its default.
 */
export class CampaignAppPaths1700000009200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE campaigns ADD COLUMN former_app_ids bigint[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(keepAppTies(REMEMBER));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(keepAppTies(`IF TG_TABLE_NAME = 'links' THEN ${REMEMBER} END IF;`));
    await queryRunner.query(`ALTER TABLE campaigns DROP COLUMN former_app_ids`);
  }
}

const REMEMBER = `
    IF former IS DISTINCT FROM coalesce(NEW.ios_app_id, NEW.android_app_id)
       AND former <> ALL (NEW.former_app_ids) THEN
      NEW.former_app_ids := NEW.former_app_ids || former;
    END IF;`;

/** The trigger function of both tables: drops a tie to an app deleted meanwhile, and remembers the ties that end. */
function keepAppTies(remember: string): string {
  return `
  CREATE OR REPLACE FUNCTION keep_app_ties() RETURNS trigger LANGUAGE plpgsql AS $$
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
    ${remember}
    RETURN NEW;
  END $$`;
}
