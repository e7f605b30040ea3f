import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits that the platform sets for an organization instead of those of its plan, and notices of months beyond. */
export class OrganizationLimits1700000012300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organization_limits (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        links bigint,
        monthly_clicks bigint,
        contacts bigint,
        concurrent_imports integer,
        import_rows integer,
        webhook_endpoints integer,
        live_listeners integer,
        click_retention_days integer,
        event_retention_days integer,
        rollup_retention_months integer,
        audit_retention_months integer,
        CONSTRAINT organization_limits_pkey PRIMARY KEY (organization_id)
      )`);
    await queryRunner.query(`
      CREATE TABLE click_limit_notices (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        month date NOT NULL,
        notified_at timestamptz NOT NULL,
        CONSTRAINT click_limit_notices_pkey PRIMARY KEY (organization_id, month)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE click_limit_notices, organization_limits');
  }
}
