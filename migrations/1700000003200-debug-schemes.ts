import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports of pages on how they tried to open an app, kept for a day for its developers. */
export class DebugSchemes1700000003200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Without an organization if the app is unknown, or claimed by several.
    await queryRunner.query(`
      CREATE TABLE debug_schemes (
        id bigint GENERATED ALWAYS AS IDENTITY,
        organization_id bigint REFERENCES organizations (id),
        app_id bigint REFERENCES apps (id),
        received_at timestamptz NOT NULL,
        app_url text,
        scheme_end text,
        path_part text,
        android_package text,
        app_scheme text,
        intent_url text,
        PRIMARY KEY (received_at, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX debug_schemes_organization_idx ON debug_schemes (organization_id, id)`,
    );
    // Reports identify an app by its bundle id.
    await queryRunner.query(`CREATE INDEX apps_bundle_id_idx ON apps (bundle_id) WHERE deleted_at IS NULL`);
    await queryRunner.query(`CREATE INDEX apps_scheme_idx ON apps (lower(scheme)) WHERE deleted_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX apps_scheme_idx, apps_bundle_id_idx');
    await queryRunner.query('DROP TABLE debug_schemes');
  }
}
