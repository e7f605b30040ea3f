import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The change feed of contacts: each contact's latest change and its position in the organization. A deferred
 * trigger assigns positions at the commit, where it locks the head of the organization: positions become
 * visible in order and without gaps, and writers wait for each other no longer than a commit takes. It is a
 * trigger so that versions without the feed take part. `UPDATE OF updated_at` excludes key rotation.
 *
 * Contacts that already exist get their id as position (in the next migration); heads begin after those.
 */
export class ContactChanges1700000009400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE contact_heads (
        organization_id bigint PRIMARY KEY,
        position bigint NOT NULL
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`
      CREATE TABLE contact_changes (
        organization_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        position bigint NOT NULL,
        external_user_id text COLLATE "C",
        erased_at timestamptz,
        PRIMARY KEY (organization_id, contact_id)
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX contact_changes_position_key ON contact_changes (organization_id, position)`,
    );
    await queryRunner.query(
      `CREATE INDEX contact_changes_erased_idx ON contact_changes (erased_at) WHERE external_user_id IS NOT NULL`,
    );
    await queryRunner.query(`
      CREATE FUNCTION contact_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        contact contacts%ROWTYPE := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        place bigint;
      BEGIN
        INSERT INTO contact_heads AS h (organization_id, position) VALUES (contact.organization_id, 1)
        ON CONFLICT (organization_id) DO UPDATE SET position = h.position + 1
        RETURNING position INTO place;
        INSERT INTO contact_changes (organization_id, contact_id, position, external_user_id, erased_at)
        VALUES (contact.organization_id, contact.id, place,
                CASE WHEN TG_OP = 'DELETE' THEN contact.external_user_id END,
                CASE WHEN TG_OP = 'DELETE' THEN contact.updated_at END)
        ON CONFLICT (organization_id, contact_id) DO UPDATE
          SET position = excluded.position, external_user_id = excluded.external_user_id,
              erased_at = excluded.erased_at;
        RETURN NULL;
      END $$`);
    // Waits for running writers of contacts, and blocks new ones until the heads exist.
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER contacts_changed AFTER INSERT OR UPDATE OF updated_at OR DELETE ON contacts
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION contact_changed()`);
    await queryRunner.query(
      `INSERT INTO contact_heads SELECT organization_id, max(id) FROM contacts GROUP BY organization_id`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER contacts_changed ON contacts');
    await queryRunner.query('DROP FUNCTION contact_changed');
    await queryRunner.query('DROP TABLE contact_changes, contact_heads');
  }
}
