import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Goals of campaigns by UTC day: campaign statistics use UTC days, whatever the organization's time zone. */
export class CampaignGoals1700000003320 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // currency '' means none, as in goal_rollups.
    await queryRunner.query(`
      CREATE TABLE campaign_goal_rollups (
        organization_id bigint NOT NULL,
        campaign_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        goals integer NOT NULL,
        value numeric(24, 4) NOT NULL,
        goal_type text NOT NULL,
        currency text NOT NULL,
        PRIMARY KEY (organization_id, campaign_id, day, goal_type, currency, slot)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE campaign_goal_rollups');
  }
}
