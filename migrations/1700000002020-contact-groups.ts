import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Groups of contacts; every organization has one default group from its first use of contacts. */
export class ContactGroups1700000002020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE contact_groups (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        id bigint GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL,
        description text,
        is_default boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT contact_groups_pkey PRIMARY KEY (organization_id, id),
        CONSTRAINT contact_groups_name_key UNIQUE (organization_id, name)
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX contact_groups_default_key ON contact_groups (organization_id) WHERE is_default`,
    );
    await queryRunner.query(`
      CREATE TABLE contact_group_members (
        organization_id bigint NOT NULL,
        group_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        CONSTRAINT contact_group_members_pkey PRIMARY KEY (organization_id, group_id, contact_id),
        CONSTRAINT contact_group_members_group_fkey FOREIGN KEY (organization_id, group_id)
          REFERENCES contact_groups (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT contact_group_members_contact_fkey FOREIGN KEY (organization_id, contact_id)
          REFERENCES contacts (organization_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX contact_group_members_contact_idx
         ON contact_group_members (organization_id, contact_id, group_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE contact_group_members`);
    await queryRunner.query(`DROP TABLE contact_groups`);
  }
}
