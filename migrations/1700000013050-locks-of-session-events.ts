import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Functions of a batch of session events that lock and update the rows of one organization after the other, because
 * Citus locks rows of one node only in a statement. What they lock may be newer than what their caller sees, so that
 * sessions are also updated by a function.
 */
export class LocksOfSessionEvents1700000013050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK_SESSIONS);
    await queryRunner.query(MOVE_SESSIONS);
    await queryRunner.query(LOCK_MEMBERS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION lock_members, move_sessions, lock_sessions');
  }
}

const RULES = 'LANGUAGE plpgsql VOLATILE ROWS 20';

// All locks are in sorted order to avoid deadlocks. LATERAL forces index lookups; for a join, the planner scans a table
// of a few thousand sessions. Arrays in (SELECT …) have a length that the planner does not know, else it plans each call.
const LOCK_SESSIONS = `
  CREATE FUNCTION lock_sessions(organizations bigint[], apps bigint[], sessions uuid[])
  RETURNS TABLE (organization_id bigint, session_id uuid, app_id bigint, target_kind smallint, target_id bigint,
                 external_user_id text, day date, started_on date, started_at timestamptz,
                 last_activity_at timestamptz, platform integer, contact_id bigint)
  ${RULES} AS $$
  DECLARE
    organization bigint;
    own_apps bigint[];
    own_sessions uuid[];
  BEGIN
    FOR organization, own_apps, own_sessions IN
      SELECT o, array_agg(a), array_agg(s)
        FROM unnest((SELECT organizations), (SELECT apps), (SELECT sessions)) AS u (o, a, s)
       GROUP BY o ORDER BY o
    LOOP
      RETURN QUERY
        WITH locked AS MATERIALIZED (
          SELECT s.*
            FROM (SELECT DISTINCT u.app_id, u.session_id
                    FROM unnest((SELECT own_apps), (SELECT own_sessions)) AS u (app_id, session_id)
                   ORDER BY u.session_id) AS g,
                 LATERAL (SELECT f.organization_id, f.id, f.app_id, f.target_kind, f.target_id, f.external_user_id,
                                 f.day, coalesce(f.day, local_day(f.organization_id, f.started_at)), f.started_at,
                                 coalesce(f.last_activity_at, f.started_at),
                                 array_position(ARRAY['WEB', 'IOS', 'ANDROID'],
                                                coalesce(f.first_platform, f.platform))
                            FROM funnel_sessions AS f
                           WHERE f.organization_id = organization AND f.id = g.session_id AND f.app_id = g.app_id
                             FOR NO KEY UPDATE) AS s
        ), members AS MATERIALIZED (
          SELECT c.*
            FROM (SELECT DISTINCT l.external_user_id FROM locked AS l WHERE l.external_user_id IS NOT NULL
                   ORDER BY l.external_user_id) AS g,
                 LATERAL (SELECT c.id, c.external_user_id FROM contacts AS c
                           WHERE c.organization_id = organization AND c.external_user_id = g.external_user_id
                             AND c.deactivated_at IS NULL
                             FOR KEY SHARE) AS c
        )
        SELECT l.*, m.id FROM locked AS l LEFT JOIN members AS m ON m.external_user_id = l.external_user_id;
    END LOOP;
  END $$`;

const MOVE_SESSIONS = `
  CREATE FUNCTION move_sessions(organizations bigint[], sessions uuid[], added integer[], active timestamptz[])
  RETURNS TABLE (organization_id bigint, session_id uuid)
  ${RULES} AS $$
  DECLARE
    organization bigint;
    own_sessions uuid[];
    own_added integer[];
    own_active timestamptz[];
  BEGIN
    FOR organization, own_sessions, own_added, own_active IN
      SELECT o, array_agg(s), array_agg(n), array_agg(t)
        FROM unnest((SELECT organizations), (SELECT sessions), (SELECT added), (SELECT active)) AS u (o, s, n, t)
       GROUP BY o ORDER BY o
    LOOP
      RETURN QUERY
        UPDATE funnel_sessions AS f SET events = f.events + u.added, last_activity_at = u.active_at
          FROM unnest((SELECT own_sessions), (SELECT own_added), (SELECT own_active)) AS u (session_id, added, active_at)
         WHERE f.organization_id = organization AND f.id = u.session_id
        RETURNING f.organization_id, f.id;
    END LOOP;
  END $$`;

const LOCK_MEMBERS = `
  CREATE FUNCTION lock_members(organizations bigint[], members text[])
  RETURNS TABLE (organization_id bigint, external_user_id text, contact_id bigint)
  ${RULES} AS $$
  DECLARE
    organization bigint;
    own_members text[];
  BEGIN
    FOR organization, own_members IN
      SELECT o, array_agg(m)
        FROM unnest((SELECT organizations), (SELECT members)) AS u (o, m)
       GROUP BY o ORDER BY o
    LOOP
      RETURN QUERY
        SELECT c.*
          FROM (SELECT DISTINCT m.external_user_id FROM unnest((SELECT own_members)) AS m (external_user_id)
                 ORDER BY m.external_user_id) AS g,
               LATERAL (SELECT c.organization_id, c.external_user_id, c.id FROM contacts AS c
                         WHERE c.organization_id = organization AND c.external_user_id = g.external_user_id
                           AND c.deactivated_at IS NULL
                           FOR KEY SHARE) AS c;
    END LOOP;
  END $$`;
