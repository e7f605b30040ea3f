import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clicks by the customId of campaigns. */
export class Customers1800000000600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A customId of a campaign's clicks.
    await queryRunner.query(`
      CREATE TABLE campaign_customers (
        campaign_id bigint NOT NULL,
        customer_no bigint GENERATED ALWAYS AS IDENTITY,
        seen_on date NOT NULL,
        custom_id text NOT NULL,
        organization_id bigint NOT NULL,
        CONSTRAINT campaign_customers_number_key UNIQUE (organization_id, campaign_id, customer_no),
        PRIMARY KEY (organization_id, campaign_id, custom_id)
      )`);
    // Clicks of a customer on a UTC day.
    await queryRunner.query(`
      CREATE TABLE customer_days (
        campaign_id bigint NOT NULL,
        last_clicked_at timestamptz,
        customer_no bigint NOT NULL,
        day date NOT NULL,
        clicks integer NOT NULL,
        bot_clicks integer NOT NULL,
        slot smallint NOT NULL,
        dimensions text[] NOT NULL DEFAULT '{}',
        dimension_counts integer[] NOT NULL DEFAULT '{}',
        organization_id bigint NOT NULL,
        PRIMARY KEY (organization_id, campaign_id, customer_no, day, slot)
      );
      CREATE INDEX customer_days_day_idx ON customer_days USING brin (day) WITH (autosummarize = on);
      CREATE INDEX customer_days_campaign_idx
        ON customer_days (organization_id, campaign_id, day) INCLUDE (customer_no, clicks, last_clicked_at)`);
    // Clicks of a customer in a finished month, compacted from their days.
    await queryRunner.query(`
      CREATE TABLE customer_months (
        organization_id bigint NOT NULL,
        campaign_id bigint NOT NULL,
        last_clicked_at timestamptz NOT NULL,
        month date NOT NULL,
        customer_no bigint NOT NULL,
        clicks integer NOT NULL,
        PRIMARY KEY (organization_id, campaign_id, month, customer_no) INCLUDE (clicks, last_clicked_at)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE customer_months, customer_days, campaign_customers`);
  }
}
