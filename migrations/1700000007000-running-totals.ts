import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Totals that statistics over long ranges read instead of daily rows: users of each day regardless of their
 * gap, and goals of each link and campaign up to a day. Triggers write them, so that changes by older
 * versions are included. Both have the slots of the rows that they are derived from; a transaction has its
 * slot to itself.
 */
export class RunningTotals1700000007000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE session_day_users (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        users integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, slot)
      )`);
    await queryRunner.query(`
      CREATE FUNCTION add_session_day_users() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO session_day_users AS stored (organization_id, app_id, day, slot, users)
        VALUES (NEW.organization_id, NEW.app_id, NEW.day, NEW.slot,
                NEW.users - CASE TG_OP WHEN 'UPDATE' THEN OLD.users ELSE 0 END)
        ON CONFLICT (organization_id, app_id, day, slot) DO UPDATE SET users = stored.users + excluded.users;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER session_user_rollups_day AFTER INSERT OR UPDATE OF users ON session_user_rollups
        FOR EACH ROW EXECUTE FUNCTION add_session_day_users()`);
    await queryRunner.query(`
      INSERT INTO session_day_users (organization_id, app_id, day, slot, users)
      SELECT organization_id, app_id, day, slot, sum(users)
        FROM session_user_rollups GROUP BY organization_id, app_id, day, slot`);

    // app_id 0 means all or no app, goal_type '' all types. goals includes the day and all earlier days.
    await queryRunner.query(`
      CREATE TABLE goal_totals (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        subject_id bigint NOT NULL,
        goals bigint NOT NULL,
        day date NOT NULL,
        subject_kind smallint NOT NULL,
        slot smallint NOT NULL,
        goal_type text NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, app_id, goal_type, subject_id, slot, day)
      )`);
    await queryRunner.query(`
      CREATE FUNCTION add_goal_totals() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        added CONSTANT bigint := NEW.goals - CASE TG_OP WHEN 'UPDATE' THEN OLD.goals ELSE 0 END;
        part record;
      BEGIN
        FOR part IN SELECT * FROM goal_total_parts(NEW.app_id, NEW.goal_type) LOOP
          INSERT INTO goal_totals AS stored (organization_id, subject_kind, app_id, goal_type, subject_id, slot, day, goals)
          SELECT NEW.organization_id, NEW.subject_kind, part.app_id, part.goal_type, NEW.subject_id, NEW.slot, NEW.day,
                 added + coalesce((SELECT before.goals FROM goal_totals AS before
                                    WHERE before.organization_id = NEW.organization_id
                                      AND before.subject_kind = NEW.subject_kind AND before.app_id = part.app_id
                                      AND before.goal_type = part.goal_type AND before.subject_id = NEW.subject_id
                                      AND before.slot = NEW.slot AND before.day < NEW.day
                                    ORDER BY before.day DESC LIMIT 1), 0)
          ON CONFLICT (organization_id, subject_kind, app_id, goal_type, subject_id, slot, day)
             DO UPDATE SET goals = stored.goals + added;
          -- A goal of the days before counts on every later day, too.
          UPDATE goal_totals AS later SET goals = later.goals + added
           WHERE later.organization_id = NEW.organization_id AND later.subject_kind = NEW.subject_kind
             AND later.app_id = part.app_id AND later.goal_type = part.goal_type
             AND later.subject_id = NEW.subject_id AND later.slot = NEW.slot AND later.day > NEW.day;
        END LOOP;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION goal_total_parts(app bigint, type text) RETURNS TABLE (app_id bigint, goal_type text)
        LANGUAGE sql IMMUTABLE AS $$
        SELECT 0, '' UNION ALL SELECT part.* FROM (VALUES (app, ''), (app, type)) AS part WHERE app <> 0
      $$`);
    // Apps, and all links or campaigns together (subject 0), are not ranked.
    await queryRunner.query(`
      CREATE TRIGGER goal_rollups_totals AFTER INSERT OR UPDATE OF goals ON goal_rollups
        FOR EACH ROW WHEN (NEW.subject_kind IN (1, 2) AND NEW.subject_id <> 0) EXECUTE FUNCTION add_goal_totals()`);
    await queryRunner.query(`
      INSERT INTO goal_totals (organization_id, subject_kind, app_id, goal_type, subject_id, slot, day, goals)
      SELECT organization_id, subject_kind, part.app_id, part.goal_type, subject_id, slot, day,
             sum(sum(goals)) OVER (PARTITION BY organization_id, subject_kind, part.app_id, part.goal_type, subject_id, slot
                                   ORDER BY day)
        FROM goal_rollups AS r, goal_total_parts(r.app_id, r.goal_type) AS part
       WHERE subject_kind IN (1, 2) AND subject_id <> 0
       GROUP BY organization_id, subject_kind, part.app_id, part.goal_type, subject_id, slot, day`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER goal_rollups_totals ON goal_rollups');
    await queryRunner.query('DROP TRIGGER session_user_rollups_day ON session_user_rollups');
    await queryRunner.query('DROP FUNCTION add_goal_totals');
    await queryRunner.query('DROP FUNCTION goal_total_parts');
    await queryRunner.query('DROP FUNCTION add_session_day_users');
    await queryRunner.query('DROP TABLE goal_totals');
    await queryRunner.query('DROP TABLE session_day_users');
  }
}
