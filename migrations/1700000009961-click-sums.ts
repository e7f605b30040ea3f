import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of an organization's finished days and months, derived from its clicks (docs/adr/0045-sums-are-derived-from-clicks.md). */
export class ClickSums1700000009961 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // unit: 1 day, 2 month; its days are those of the organization's time zone. A row with a claim
    // is being summed.
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
    // keys[i] has clicks[i], bots[i] and visitors[i].
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
    // Links or campaigns whose id leaves the remainder `bucket` when divided by `buckets`, packed.
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
      )`);
    for (const column of ['clicks', 'bots', 'visitors']) {
      await queryRunner.query(`ALTER TABLE click_link_sums ALTER COLUMN ${column} SET STORAGE EXTERNAL`);
    }
    // A row without an organization says when the first sums are made, a day later or more: by then no process of the previous version counts late clicks.
    await queryRunner.query(
      `INSERT INTO click_sums (organization_id, unit, start) VALUES (0, 0, (now() AT TIME ZONE 'UTC')::date + 2)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE click_link_sums, click_breakdowns, click_sums`);
  }
}
