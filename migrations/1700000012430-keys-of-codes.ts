import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  ['links', 'code', 'links_domain_code_key', 1],
  ['campaigns', 'alias', 'campaigns_domain_alias_key', 2],
] as const;

/**
 * Addresses keep codes unique over all organizations, so that the keys of links, campaigns and former codes can hold the
 * organization, as their last column: the same look-ups are served. The version before relies on the unique indexes of
 * before and on the trigger that refuses former codes; a later migration drops them. Without organizations there is no
 * version before, and they are dropped at once. Indexes are built without blocking writers. It can be interrupted and run
 * again.
 */
export class KeysOfCodes1700000012430 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(`SELECT EXISTS (SELECT FROM organizations) AS upgraded`)) as {
      upgraded: boolean;
    }[];
    const isUpgraded = found?.upgraded === true;
    if (!(await isExtended(queryRunner, 'former_codes_pkey'))) {
      await build(
        queryRunner,
        'former_codes_pkey',
        'former_codes (target_kind, domain_id, code, organization_id)',
      );
      await queryRunner.query(FORMER_KEY);
    }
    for (const [table, code, key] of KINDS) {
      if (await isExtended(queryRunner, key)) continue;
      await build(
        queryRunner,
        key,
        `${table} (domain_id, ${code}, organization_id) WHERE NOT ${code}_released`,
      );
      // Statements sent together are one transaction.
      await queryRunner.query(`
        ${isUpgraded ? `ALTER INDEX ${key} RENAME TO ${key}_before` : `DROP INDEX ${key}`};
        ALTER INDEX ${key}_new RENAME TO ${key}`);
    }
    if (isUpgraded) return;
    for (const [table] of KINDS) {
      await queryRunner.query(`DROP TRIGGER IF EXISTS ${table}_former_codes_insert ON ${table}`);
      await queryRunner.query(`DROP TRIGGER IF EXISTS ${table}_former_codes_update ON ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION IF EXISTS former_codes_check`);
  }

  /** In one transaction, while every process is stopped. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE UNIQUE INDEX former_codes_pkey_new ON former_codes (target_kind, domain_id, code)',
    );
    await queryRunner.query(FORMER_KEY);
    await queryRunner.query(CHECK);
    for (const [table, code, key, kind] of KINDS) {
      await queryRunner.query(`DROP INDEX IF EXISTS ${key}_before`);
      await queryRunner.query(`DROP INDEX ${key}`);
      await queryRunner.query(
        `CREATE UNIQUE INDEX ${key} ON ${table} (domain_id, ${code}) WHERE NOT ${code}_released`,
      );
      await queryRunner.query(`
        CREATE OR REPLACE TRIGGER ${table}_former_codes_insert AFTER INSERT ON ${table}
          FOR EACH ROW WHEN (NEW.is_alias) EXECUTE FUNCTION former_codes_check(${kind})`);
      await queryRunner.query(`
        CREATE OR REPLACE TRIGGER ${table}_former_codes_update AFTER UPDATE OF ${code} ON ${table}
          FOR EACH ROW WHEN (NEW.${code} <> OLD.${code}) EXECUTE FUNCTION former_codes_check(${kind})`);
    }
  }
}

const FORMER_KEY = `
  ALTER TABLE former_codes
    DROP CONSTRAINT former_codes_pkey,
    ADD CONSTRAINT former_codes_pkey PRIMARY KEY USING INDEX former_codes_pkey_new`;

const CHECK = `
  CREATE OR REPLACE FUNCTION former_codes_check() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM former_codes
       WHERE target_kind = TG_ARGV[0]::smallint AND domain_id = NEW.domain_id
         AND code = coalesce(to_jsonb(NEW) ->> 'alias', to_jsonb(NEW) ->> 'code')
    ) THEN
      RAISE unique_violation USING CONSTRAINT = 'former_codes_pkey', MESSAGE = 'The code is a former one';
    END IF;
    RETURN NULL;
  END $$`;

/** Whether an index has the organization in its key. */
async function isExtended(queryRunner: QueryRunner, index: string): Promise<boolean> {
  const columns = (await queryRunner.query(
    `SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'organization_id'`,
    [index],
  )) as unknown[];
  return columns.length > 0;
}

async function build(queryRunner: QueryRunner, name: string, on: string): Promise<void> {
  // An interrupted build leaves an invalid index behind.
  await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_new`);
  await queryRunner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${name}_new ON ${on}`);
}
