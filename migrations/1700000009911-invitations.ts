import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Open invitations into an organization (docs/concepts/access.md#invitations). */
export class Invitations1700000009911 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // An invitation ends with the user who made it.
    await queryRunner.query(`
      CREATE TABLE invitations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
        email text CHECK (char_length(email) BETWEEN 3 AND 254),
        role text NOT NULL CONSTRAINT invitations_role_check CHECK (role IN ('VIEWER', 'EDITOR', 'ADMIN')),
        permissions text[] NOT NULL,
        created_by bigint REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT invitations_token_hash_key UNIQUE (token_hash)
      )`);
    await queryRunner.query('CREATE INDEX invitations_organization_idx ON invitations (organization_id, id)');
    await queryRunner.query('CREATE INDEX invitations_created_by_idx ON invitations (created_by)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE invitations');
  }
}
