import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  ['links', 'code', 1],
  ['campaigns', 'alias', 2],
] as const;

/**
 * Codes that links and campaigns had before an alias replaced them. A code is either present or former, but
 * the two are in different tables: a trigger refuses a present code that has become a former one while its
 * statement waited for the transaction that replaced it.
 */
export class FormerCodes1700000009941 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE former_codes (
        target_kind smallint NOT NULL,
        domain_id bigint NOT NULL,
        code text NOT NULL,
        target_id bigint NOT NULL,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        is_alias boolean NOT NULL,
        leads boolean NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT former_codes_pkey PRIMARY KEY (target_kind, domain_id, code)
      )`);
    await queryRunner.query(
      `CREATE INDEX former_codes_search_idx ON former_codes (organization_id, target_kind, lower(code)) WHERE leads`,
    );
    await queryRunner.query(`
      CREATE FUNCTION former_codes_check() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (
          SELECT FROM former_codes
           WHERE target_kind = TG_ARGV[0]::smallint AND domain_id = NEW.domain_id
             AND code = coalesce(to_jsonb(NEW) ->> 'alias', to_jsonb(NEW) ->> 'code')
        ) THEN
          RAISE unique_violation USING CONSTRAINT = 'former_codes_pkey', MESSAGE = 'The code is a former one';
        END IF;
        RETURN NULL;
      END $$`);
    for (const [table, code, kind] of KINDS) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN former_codes text[] NOT NULL DEFAULT '{}'`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_former_codes_insert AFTER INSERT ON ${table}
          FOR EACH ROW WHEN (NEW.is_alias) EXECUTE FUNCTION former_codes_check(${kind})`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_former_codes_update AFTER UPDATE OF ${code} ON ${table}
          FOR EACH ROW WHEN (NEW.${code} <> OLD.${code}) EXECUTE FUNCTION former_codes_check(${kind})`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table] of KINDS) {
      await queryRunner.query(`DROP TRIGGER ${table}_former_codes_insert ON ${table}`);
      await queryRunner.query(`DROP TRIGGER ${table}_former_codes_update ON ${table}`);
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN former_codes`);
    }
    await queryRunner.query(`DROP FUNCTION former_codes_check`);
    await queryRunner.query(`DROP TABLE former_codes`);
  }
}
