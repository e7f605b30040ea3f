import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clicks, from their recording to the log of counted clicks. */
export class Clicks1800000000400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Each value is a block of ids that a process leases.
    await queryRunner.query(`CREATE SEQUENCE click_id_blocks`);
    // A counted click, including those of bots, kept for the retention period. local_day and local_visitor are in the
    // time zone that the organization had when it was counted.
    await queryRunner.query(`
      CREATE TABLE clicks (
        id bigint NOT NULL,
        clicked_at timestamptz NOT NULL,
        organization_id bigint NOT NULL,
        tracked_link_id bigint NOT NULL,
        app_id bigint, -- the app that the visit was for, of those of the link or campaign
        kind smallint NOT NULL,
        is_bot boolean NOT NULL,
        custom_id text,
        dimensions text[] NOT NULL, -- such as utm_source:mail
        local_day date NOT NULL,
        local_visitor bigint NOT NULL, -- hash of IP address and user agent with a salt of the day
        PRIMARY KEY (clicked_at, id, organization_id)
      ) PARTITION BY RANGE (clicked_at);
      CREATE INDEX clicks_organization_idx ON ONLY clicks (organization_id, clicked_at);
      CREATE INDEX clicks_target_idx ON ONLY clicks (kind, tracked_link_id, is_bot, clicked_at, id)`);
    // Clicks of a commit, recorded while Redis is unavailable or not configured.
    await queryRunner.query(`
      CREATE TABLE click_journal (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        lines text NOT NULL, -- a line for each click, from encodeClick
        clicks integer NOT NULL
      )`);
    // The last counted click of an address on a link or campaign with a de-duplication window, and what clients may
    // report again.
    await queryRunner.query(`
      CREATE TABLE dedup_locks (
        tracked_link_id bigint NOT NULL,
        kind smallint NOT NULL,
        address bytea NOT NULL, -- keyed hash of the IP address, or of the client's id
        click_id bigint NOT NULL,
        locked_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        organization_id bigint NOT NULL,
        PRIMARY KEY (organization_id, tracked_link_id, kind, address)
      );
      CREATE INDEX dedup_locks_expires_idx ON dedup_locks (expires_at)`);
    // A salt of visitor hashes.
    await queryRunner.query(`
      CREATE TABLE click_salts (
        name text PRIMARY KEY, -- a UTC day, week with its Monday, or addresses
        salt bytea NOT NULL,
        expires_at timestamptz
      )`);
    // How far retention has progressed in an organization's clicks.
    await queryRunner.query(`
      CREATE TABLE click_retention (
        organization_id bigint PRIMARY KEY,
        deleted_until timestamptz NOT NULL -- clicks before it have been deleted
      )`);
    // An organization whose counted clicks are announced, because there are listeners or some may return.
    await queryRunner.query(`
      CREATE TABLE live_feeds (
        organization_id bigint PRIMARY KEY,
        started_at timestamptz NOT NULL, -- since then no counted click is missing in the feed
        expires_at timestamptz NOT NULL
      )`);
    // Clicks counted by one transaction; ids[i] was clicked at times[i].
    await queryRunner.query(`
      CREATE TABLE live_batches (
        organization_id bigint NOT NULL,
        tx bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint), -- 64-bit id of the transaction
        part integer NOT NULL, -- unique in the transaction
        ids bigint[] NOT NULL,
        times timestamptz[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (organization_id, tx, part)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE live_batches, live_feeds, click_retention, click_salts, dedup_locks, click_journal,
        clicks;
      DROP SEQUENCE click_id_blocks`);
  }
}
