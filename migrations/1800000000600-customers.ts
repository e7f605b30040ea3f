import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clicks by the customId of campaigns. */
export class Customers1800000000600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A customId of a campaign's clicks. They are numbered without large gaps, so that sums are arrays indexed by
    // number.
    await queryRunner.query(`
      CREATE TABLE click_users (
        campaign_id bigint NOT NULL,
        user_no integer NOT NULL,
        seen_on date NOT NULL,
        custom_id text NOT NULL,
        organization_id bigint NOT NULL,
        CONSTRAINT click_users_number_key UNIQUE (organization_id, campaign_id, user_no),
        PRIMARY KEY (organization_id, campaign_id, custom_id)
      )`);
    // Clicks by customId that one batch added to a UTC day. Folded rows are in every sum of their day or later.
    await queryRunner.query(`
      CREATE TABLE click_user_adds (
        id bigint GENERATED ALWAYS AS IDENTITY,
        campaign_id bigint NOT NULL,
        day date NOT NULL,
        folded boolean NOT NULL DEFAULT false,
        adds bytea NOT NULL,
        organization_id bigint NOT NULL,
        PRIMARY KEY (id, organization_id)
      );
      ALTER TABLE click_user_adds ALTER adds SET STORAGE EXTERNAL;
      CREATE INDEX click_user_adds_day_idx ON click_user_adds (campaign_id, day);
      CREATE INDEX click_user_adds_unfolded_idx ON click_user_adds (campaign_id) WHERE NOT folded`);
    // Clicks of a customId of a campaign on a UTC day.
    await queryRunner.query(`
      CREATE TABLE click_user_days (
        campaign_id bigint NOT NULL,
        last_clicked_at timestamptz,
        user_no integer NOT NULL,
        day date NOT NULL,
        clicks integer NOT NULL,
        bot_clicks integer NOT NULL,
        slot smallint NOT NULL,
        dimensions text[] NOT NULL DEFAULT '{}',
        dimension_counts integer[] NOT NULL DEFAULT '{}',
        organization_id bigint NOT NULL,
        PRIMARY KEY (organization_id, campaign_id, user_no, day, slot)
      );
      CREATE INDEX click_user_days_day_idx ON click_user_days USING brin (day) WITH (autosummarize = on)`);
    // Clicks of each customId up to the end of a UTC day, and the last one: a range is the difference of two sums.
    await queryRunner.query(`
      CREATE TABLE click_user_sums (
        campaign_id bigint NOT NULL,
        day date NOT NULL,
        sums bytea NOT NULL,
        lasts bytea NOT NULL,
        organization_id bigint NOT NULL,
        PRIMARY KEY (organization_id, campaign_id, day)
      );
      ALTER TABLE click_user_sums ALTER sums SET STORAGE EXTERNAL, ALTER lasts SET STORAGE EXTERNAL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE click_user_sums, click_user_days, click_user_adds, click_users`);
  }
}
