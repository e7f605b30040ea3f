import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registered apps and custom domains, as far as links refer to them. */
export class AppsAndDomains1700000000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE apps (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        app_name text NOT NULL,
        platform text NOT NULL CHECK (platform IN ('iOS', 'Android', 'Web')),
        path text NOT NULL,
        created_at timestamptz NOT NULL,
        deleted_at timestamptz
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX apps_path_key ON apps (path)`);
    await queryRunner.query(`CREATE INDEX apps_organization_idx ON apps (organization_id, id)`);
    await queryRunner.query(`
      CREATE TABLE custom_domains (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        domain_name text NOT NULL CHECK (domain_name = lower(domain_name)),
        status text NOT NULL CHECK (status IN ('PENDING', 'VERIFIED', 'ACTIVE', 'FAILED', 'REVOKED')),
        created_at timestamptz NOT NULL
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX custom_domains_name_key ON custom_domains (domain_name)`);
    await queryRunner.query(
      `CREATE INDEX custom_domains_organization_idx ON custom_domains (organization_id, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE custom_domains`);
    await queryRunner.query(`DROP TABLE apps`);
  }
}
