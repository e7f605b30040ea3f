import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes of the console's lists, made without blocking writers. */
const INDEXES = {
  goals_session_idx: 'goals (organization_id, session_id)',
  funnel_sessions_target_idx:
    'funnel_sessions (organization_id, target_kind, target_id, started_at) WHERE target_id IS NOT NULL',
};

/**
 * The click that began a session, the time at which each stage was reached (`stage_times[n]` is that of stage n), and
 * since when a link is unhealthy. The columns are null in rows of the previous version. The migration can be
 * interrupted and run again.
 */
export class JourneysAndAttention1700000011100 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE funnel_sessions
        ADD COLUMN IF NOT EXISTS click_id bigint,
        ADD COLUMN IF NOT EXISTS stage_times timestamptz[]`);
    await queryRunner.query(`ALTER TABLE link_health ADD COLUMN IF NOT EXISTS unhealthy_since timestamptz`);
    for (const [index, columns] of Object.entries(INDEXES)) {
      // What an interrupted run has left is not valid.
      await queryRunner.query(`DROP INDEX IF EXISTS ${index}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${columns}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) {
      await queryRunner.query(`DROP INDEX IF EXISTS ${index}`);
    }
    await queryRunner.query(`ALTER TABLE link_health DROP COLUMN unhealthy_since`);
    await queryRunner.query(`ALTER TABLE funnel_sessions DROP COLUMN stage_times, DROP COLUMN click_id`);
  }
}
