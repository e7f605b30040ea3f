import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Segments, and their contacts as of the last evaluation. Conditions may contain personal data, so they are
 * encrypted; a segment's id comes from a sequence, because encryption binds a value to its row.
 */
export class Segments1700000006000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SEQUENCE segment_ids');
    await queryRunner.query(`
      CREATE TABLE segments (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        id bigint NOT NULL,
        member_count bigint NOT NULL DEFAULT 0,
        last_evaluated_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        is_active boolean NOT NULL,
        condition_group_count smallint NOT NULL,
        name text NOT NULL,
        description text,
        conditions text NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query('CREATE INDEX segments_name_idx ON segments (organization_id, name, id)');
    // Without foreign keys: checking each of a million rows that an evaluation inserts would take longer than
    // finding them.
    await queryRunner.query(`
      CREATE TABLE segment_members (
        organization_id bigint NOT NULL,
        segment_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        PRIMARY KEY (organization_id, segment_id, contact_id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE segment_members');
    await queryRunner.query('DROP TABLE segments');
    await queryRunner.query('DROP SEQUENCE segment_ids');
  }
}
