import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The feed of live clicks (docs/adr/0046-live-clicks-are-read-by-snapshots.md). */
export class LiveClicks1700000009971 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Organizations with listeners, or with some that may come back.
    await queryRunner.query(`
      CREATE TABLE live_feeds (
        organization_id bigint PRIMARY KEY,
        started_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    // Clicks by the transaction that counted them. ids[i] was clicked at times[i].
    await queryRunner.query(`
      CREATE TABLE live_batches (
        organization_id bigint NOT NULL,
        tx bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
        part integer NOT NULL,
        ids bigint[] NOT NULL,
        times timestamptz[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (organization_id, tx, part)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE live_batches, live_feeds`);
  }
}
