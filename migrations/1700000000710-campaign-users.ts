import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clicks of campaigns by customId (docs/concepts/statistics.md#link-and-campaign-statistics): each user's
 * clicks, and the ranking of users.
 */
export class CampaignUsers1700000000710 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Users of a campaign are numbered without large gaps, so that sums fit into an array indexed by number.
    await queryRunner.query(`
      CREATE TABLE click_users (
        campaign_id bigint NOT NULL,
        user_no integer NOT NULL,
        seen_on date NOT NULL,
        custom_id text NOT NULL,
        PRIMARY KEY (campaign_id, custom_id),
        CONSTRAINT click_users_number_key UNIQUE (campaign_id, user_no)
      )`);
    // A day of one user, like a campaign's day in click_rollups, for the customId filter.
    await queryRunner.query(`
      CREATE TABLE click_user_days (
        campaign_id bigint NOT NULL,
        last_clicked_at timestamptz,
        user_no integer NOT NULL,
        day date NOT NULL,
        clicks integer NOT NULL,
        bot_clicks integer NOT NULL,
        slot smallint NOT NULL,
        terms integer[] NOT NULL,
        counts integer[] NOT NULL,
        PRIMARY KEY (campaign_id, user_no, day, slot)
      )`);
    // For retention only: rows are written in the order of their days.
    await queryRunner.query(
      `CREATE INDEX click_user_days_day_idx ON click_user_days USING brin (day) WITH (autosummarize = on)`,
    );
    // Clicks and last click per user: one row per batch, merged later. Folded rows are included in every sum
    // of their day or later; others must be added to it.
    await queryRunner.query(`
      CREATE TABLE click_user_adds (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        campaign_id bigint NOT NULL,
        day date NOT NULL,
        folded boolean NOT NULL DEFAULT false,
        adds bytea NOT NULL
      )`);
    // A separate statement, because Postgres 15 does not accept STORAGE in CREATE TABLE.
    await queryRunner.query(`ALTER TABLE click_user_adds ALTER adds SET STORAGE EXTERNAL`);
    await queryRunner.query(`CREATE INDEX click_user_adds_day_idx ON click_user_adds (campaign_id, day)`);
    await queryRunner.query(
      `CREATE INDEX click_user_adds_unfolded_idx ON click_user_adds (campaign_id) WHERE NOT folded`,
    );
    // Each user's clicks up to the end of a day, by number, and the last click: a range is the difference of
    // two sums.
    await queryRunner.query(`
      CREATE TABLE click_user_sums (
        campaign_id bigint NOT NULL,
        day date NOT NULL,
        sums bytea NOT NULL,
        lasts bytea NOT NULL,
        PRIMARY KEY (campaign_id, day)
      )`);
    await queryRunner.query(
      `ALTER TABLE click_user_sums ALTER sums SET STORAGE EXTERNAL, ALTER lasts SET STORAGE EXTERNAL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE click_user_sums, click_user_adds, click_user_days, click_users`);
  }
}
