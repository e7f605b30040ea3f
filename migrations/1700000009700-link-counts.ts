import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Number of links per organization, maintained by triggers: the plan's limit is checked for every new link,
 * and counting a million rows takes longer than inserting one. Each transaction adds to its own slot, so that
 * none waits for another.
 */
export class LinkCounts1700000009700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE link_counts (
        organization_id bigint NOT NULL,
        slot integer NOT NULL,
        links bigint NOT NULL,
        CONSTRAINT link_counts_pkey PRIMARY KEY (organization_id, slot)
      ) WITH (fillfactor = 50)`);
    for (const [event, rows, sign] of STATEMENTS) {
      await queryRunner.query(`
        CREATE FUNCTION links_count_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO link_counts AS known (organization_id, slot, links)
          SELECT organization_id, contact_count_slot(), ${sign}count(*)
            FROM changed WHERE deleted_at IS NULL GROUP BY organization_id
          ON CONFLICT (organization_id, slot) DO UPDATE SET links = known.links + excluded.links;
          RETURN NULL;
        END $$`);
      await queryRunner.query(`
        CREATE TRIGGER links_count_${event} AFTER ${event.toUpperCase()} ON links
          REFERENCING ${rows} AS changed FOR EACH STATEMENT EXECUTE FUNCTION links_count_${event}()`);
    }
    // Row-level, because only such a trigger can ignore updates of other columns, which every visit causes.
    await queryRunner.query(`
      CREATE FUNCTION links_count_update() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO link_counts AS known (organization_id, slot, links)
        VALUES (NEW.organization_id, contact_count_slot(), CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END)
        ON CONFLICT (organization_id, slot) DO UPDATE SET links = known.links + excluded.links;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER links_count_update AFTER UPDATE OF deleted_at ON links
        FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
        EXECUTE FUNCTION links_count_update()`);
    // The triggers block writers until the end of this transaction, so that each link is counted exactly
    // once.
    await queryRunner.query(`
      INSERT INTO link_counts (organization_id, slot, links)
      SELECT organization_id, 0, count(*) FROM links WHERE deleted_at IS NULL GROUP BY organization_id`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const event of ['insert', 'update', 'delete']) {
      await queryRunner.query(`DROP TRIGGER links_count_${event} ON links`);
      await queryRunner.query(`DROP FUNCTION links_count_${event}`);
    }
    await queryRunner.query(`DROP TABLE link_counts`);
  }
}

const STATEMENTS = [
  ['insert', 'NEW TABLE', ''],
  ['delete', 'OLD TABLE', '-'],
] as const;
