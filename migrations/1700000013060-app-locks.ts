import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who ties a link or campaign to an app holds a shared advisory lock of it, for which its deletion waits: on Citus, those
 * that lock rows of apps, of which every node has a copy, wait for each other. A trigger takes the lock of the deletion,
 * because it runs on every node, and also for processes of the version before.
 */
export class AppLocks1700000013060 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION lock_deleted_app() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('app_ties', NEW.id));
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER apps_deletion BEFORE UPDATE OF deleted_at ON apps FOR EACH ROW
        WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION lock_deleted_app()`);
    await queryRunner.query(
      appLives(`
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('app_ties', app));
        RETURN EXISTS (SELECT FROM apps WHERE id = app AND deleted_at IS NULL);`),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      appLives(`
        PERFORM FROM apps WHERE id = app AND deleted_at IS NULL FOR SHARE;
        RETURN FOUND;`),
    );
    await queryRunner.query('DROP TRIGGER apps_deletion ON apps');
    await queryRunner.query('DROP FUNCTION lock_deleted_app');
  }
}

const appLives = (body: string) => `
  CREATE OR REPLACE FUNCTION app_lives(app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    ${body}
  END $$`;
