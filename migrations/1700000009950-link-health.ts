import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Health of destinations. Triggers make, restart and delete the rows, so that every way a link changes is covered,
 * those of the version before included. Links that exist already get theirs in the background.
 */
export class LinkHealth1700000009950 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A separate table, so that checks do not touch the many indexes of links and campaigns.
    await queryRunner.query(`
      CREATE TABLE link_health (
        target_kind smallint NOT NULL,
        target_id bigint NOT NULL,
        organization_id bigint NOT NULL,
        status text NOT NULL DEFAULT 'unknown' CHECK (status IN ('unknown', 'healthy', 'unhealthy')),
        problem text,
        failed_at timestamptz[] NOT NULL DEFAULT '{}',
        checked_at timestamptz,
        next_check_at timestamptz NOT NULL,
        generation integer NOT NULL DEFAULT 0,
        PRIMARY KEY (target_kind, target_id)
      ) WITH (fillfactor = 80)`);
    await queryRunner.query('CREATE INDEX link_health_due_idx ON link_health (next_check_at)');
    await queryRunner.query(`
      CREATE INDEX link_health_unhealthy_idx ON link_health (organization_id, target_kind, target_id)
       WHERE status = 'unhealthy'`);
    // The same time of the week for the same destination, so that links that share it are due together.
    await queryRunner.query(`
      CREATE FUNCTION link_health_slot(url text, after timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT date_trunc('second', after) + make_interval(secs => ((
                 ('x' || left(md5(url), 8))::bit(32)::bigint - floor(extract(epoch FROM after))::bigint
               ) % ${WEEK} + ${WEEK}) % ${WEEK})
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION link_health_insert() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        spread boolean := (SELECT count(*) > ${AT_ONCE} FROM changed);
      BEGIN
        INSERT INTO link_health (target_kind, target_id, organization_id, next_check_at)
        SELECT TG_ARGV[0]::smallint, id, organization_id,
               CASE WHEN spread THEN link_health_slot(original_url, updated_at) ELSE updated_at END
          FROM changed WHERE deleted_at IS NULL;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION link_health_update() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.deleted_at IS NOT NULL THEN
          DELETE FROM link_health WHERE target_kind = TG_ARGV[0]::smallint AND target_id = NEW.id;
        ELSE
          UPDATE link_health
             SET status = 'unknown', problem = NULL, failed_at = '{}', checked_at = NULL,
                 next_check_at = NEW.updated_at, generation = generation + 1
           WHERE target_kind = TG_ARGV[0]::smallint AND target_id = NEW.id;
        END IF;
        RETURN NULL;
      END $$`);
    for (const { table, kind, columns } of TABLES) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_health_insert AFTER INSERT ON ${table}
          REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION link_health_insert(${kind})`);
      const differs = columns.map((column) => `OLD.${column}::text IS DISTINCT FROM NEW.${column}::text`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_health_update AFTER UPDATE OF deleted_at, ${columns.join(', ')} ON ${table}
          FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) OR ${differs.join(' OR ')})
          EXECUTE FUNCTION link_health_update(${kind})`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of TABLES) {
      await queryRunner.query(`DROP TRIGGER ${table}_health_insert ON ${table}`);
      await queryRunner.query(`DROP TRIGGER ${table}_health_update ON ${table}`);
    }
    await queryRunner.query('DROP FUNCTION link_health_insert');
    await queryRunner.query('DROP FUNCTION link_health_update');
    await queryRunner.query('DROP TABLE link_health');
    await queryRunner.query('DROP FUNCTION link_health_slot');
  }
}

/** Seconds. */
const WEEK = 604_800;

/** Links of one statement that are checked at once; more, as of an import, are spread over the week. */
const AT_ONCE = 100;

const TABLES = [
  { table: 'links', kind: 1, columns: ['original_url', 'mobile_target_url', 'targeting', 'variants'] },
  { table: 'campaigns', kind: 2, columns: ['original_url', 'mobile_target_url'] },
];
