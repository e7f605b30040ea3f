import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes by day of the sums whose key has the day behind the link or campaign, for their retention. */
export class DaysOfSums1700000012310 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) {
      // What an interrupted run has left is not valid.
      await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

const INDEXES = [
  ['session_rollups_day_idx', 'session_rollups (organization_id, day)'],
  ['campaign_goal_rollups_day_idx', 'campaign_goal_rollups (organization_id, day)'],
  ['funnel_rollups_days_idx', 'funnel_rollups (organization_id, starts_at) WHERE minutes = 1440'],
] as const;
