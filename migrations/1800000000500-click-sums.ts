import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of clicks by link, campaign, period and dimension (docs/adr/0045-sums-are-derived-from-clicks.md). */
export class ClickSums1800000000500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Clicks of a link or campaign on a UTC day. dimensions[i] occurred dimension_counts[i] times. Each writer has its
    // own slot, so that none waits for another.
    await queryRunner.query(`
      CREATE TABLE click_rollups (
        tracked_link_id bigint NOT NULL,
        day date NOT NULL,
        kind smallint NOT NULL,
        slot smallint NOT NULL,
        clicks integer NOT NULL,
        bot_clicks integer NOT NULL,
        dimensions text[] NOT NULL DEFAULT '{}',
        dimension_counts integer[] NOT NULL DEFAULT '{}',
        visitors integer NOT NULL,
        organization_id bigint NOT NULL,
        PRIMARY KEY (tracked_link_id, day, kind, slot, organization_id)
      );
      CREATE INDEX click_rollups_day_idx ON click_rollups USING brin (day) WITH (autosummarize = on)`);
    // Clicks of a link or campaign since its creation, which retention does not delete.
    await queryRunner.query(`
      CREATE TABLE click_totals (
        organization_id bigint NOT NULL,
        tracked_link_id bigint NOT NULL,
        kind smallint NOT NULL,
        slot smallint NOT NULL,
        clicks bigint NOT NULL,
        bot_clicks bigint NOT NULL,
        PRIMARY KEY (organization_id, tracked_link_id, kind, slot)
      )`);
    // Clicks of a link or campaign in a finished month, compacted from its days (docs/adr/0037-days-compacted-
    // into-months.md).
    await queryRunner.query(`
      CREATE TABLE click_months (
        tracked_link_id bigint NOT NULL,
        month date NOT NULL,
        kind smallint NOT NULL,
        dimensions text[] NOT NULL,
        counts bigint[] NOT NULL,
        hours_of_week bigint[] NOT NULL,
        organization_id bigint NOT NULL,
        PRIMARY KEY (organization_id, tracked_link_id, kind, month)
      )`);
    // Whether the sums of an organization's month are exact: of clicks (family 1), sessions (2) or customers (3). A row
    // with a claim is being built.
    await queryRunner.query(`
      CREATE TABLE compacted_months (
        organization_id bigint NOT NULL,
        month date NOT NULL,
        family smallint NOT NULL,
        claim bigint,
        PRIMARY KEY (organization_id, family, month)
      )`);
    // A visitor of a link or campaign on a UTC day; deleted with the salt of the day.
    await queryRunner.query(`
      CREATE TABLE click_day_visitors (
        tracked_link_id bigint NOT NULL,
        visitor bigint NOT NULL,
        day date NOT NULL,
        kind smallint NOT NULL,
        organization_id bigint NOT NULL,
        PRIMARY KEY (day, kind, organization_id, tracked_link_id, visitor)
      )`);
    // Totals of an organization's day (unit 1) or month (unit 2). Its other sums are valid while this row exists
    // without a claim; with a claim, they are being built.
    await queryRunner.query(`
      CREATE TABLE click_sums (
        organization_id bigint NOT NULL,
        start date NOT NULL,
        unit smallint NOT NULL,
        claim bigint,
        clicks bigint NOT NULL DEFAULT 0,
        bots bigint NOT NULL DEFAULT 0,
        visitors bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (organization_id, unit, start)
      )`);
    // Sums by a dimension with few values: keys[i] has clicks[i], bots[i] and visitors[i].
    await queryRunner.query(`
      CREATE TABLE click_breakdowns (
        organization_id bigint NOT NULL,
        start date NOT NULL,
        unit smallint NOT NULL,
        dimension text NOT NULL,
        keys text[] NOT NULL,
        clicks bigint[] NOT NULL,
        bots bigint[] NOT NULL,
        visitors bigint[] NOT NULL,
        PRIMARY KEY (organization_id, dimension, unit, start)
      )`);
    // Packed sums of the links or campaigns whose id leaves the remainder bucket when divided by buckets.
    await queryRunner.query(`
      CREATE TABLE click_link_sums (
        organization_id bigint NOT NULL,
        start date NOT NULL,
        unit smallint NOT NULL,
        dimension text NOT NULL,
        bucket integer NOT NULL,
        buckets integer NOT NULL,
        clicks bytea NOT NULL,
        bots bytea NOT NULL,
        visitors bytea NOT NULL,
        PRIMARY KEY (organization_id, dimension, unit, start, bucket)
      );
      ALTER TABLE click_link_sums
        ALTER clicks SET STORAGE EXTERNAL, ALTER bots SET STORAGE EXTERNAL, ALTER visitors SET STORAGE EXTERNAL`);
    // A visitor of a week. Bit n of days is day n of the week, from Monday; previous_days is the value before the last
    // change.
    await queryRunner.query(`
      CREATE TABLE click_visitors (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        visitor bigint NOT NULL,
        week date NOT NULL,
        days smallint NOT NULL,
        previous_days smallint NOT NULL,
        PRIMARY KEY (week, organization_id, app_id, visitor)
      )`);
    // Unique visitors of a day, per organization (app_id 0) and app.
    await queryRunner.query(`
      CREATE TABLE visitor_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        visitors integer NOT NULL,
        link_clicks integer NOT NULL,
        campaign_clicks integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, slot)
      )`);
    // Unique visitors of an ISO week, per organization (app_id 0) and app.
    await queryRunner.query(`
      CREATE TABLE visitor_week_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        week date NOT NULL,
        slot smallint NOT NULL,
        visitors integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, week, slot)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE visitor_week_rollups, visitor_rollups, click_visitors, click_link_sums, click_breakdowns,
        click_sums, click_day_visitors, compacted_months, click_months, click_totals, click_rollups`);
  }
}
