import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  ['links', 'code', 1],
  ['campaigns', 'alias', 2],
] as const;

/** Rows of one statement, which stays short and holds few locks. */
const PART = 10_000;

/**
 * Whose a code is: the codes of links and campaigns that are taken, and their former ones. Triggers keep it in the
 * transaction that takes or frees a code, so that processes of the version before do too. It can be interrupted and run
 * again.
 */
export class Addresses1700000012420 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE IF NOT EXISTS addresses (
        address text NOT NULL,
        target_kind smallint NOT NULL,
        organization_id bigint NOT NULL,
        target_id bigint NOT NULL,
        CONSTRAINT addresses_pkey PRIMARY KEY (address, target_kind)
      )`);
    for (const [table, code, kind] of KINDS) {
      const address = (row: string) => addressOf(`${row}.domain_id`, `${row}.${code}`);
      const values = (row: string) => `${address(row)}, ${kind}, ${row}.organization_id, ${row}.id`;
      const isOf = (row: string) =>
        `a.address = ${address(row)} AND a.target_kind = ${kind} AND a.target_id = ${row}.id`;
      await define(
        queryRunner,
        `${table}_addresses_insert`,
        `SELECT array_agg(ROW (${values('added')})::addresses ORDER BY id) INTO taken
           FROM added WHERE NOT ${code}_released;
         INSERT INTO addresses SELECT * FROM unnest(taken) ORDER BY 1;`,
        'taken addresses[]',
      );
      await define(
        queryRunner,
        `${table}_addresses_move`,
        `INSERT INTO addresses VALUES (${values('NEW')});`,
      );
      await define(
        queryRunner,
        `${table}_addresses_release`,
        `DELETE FROM addresses AS a WHERE ${isOf('NEW')};`,
      );
      await define(
        queryRunner,
        `${table}_addresses_delete`,
        `SELECT array_agg(ROW (${values('gone')})::addresses) INTO freed FROM gone;
         DELETE FROM addresses AS a USING unnest(freed) AS f
          WHERE a.address = f.address AND a.target_kind = f.target_kind AND a.target_id = f.target_id;`,
        'freed addresses[]',
      );
      await queryRunner.query(`
        CREATE OR REPLACE TRIGGER ${table}_addresses_insert AFTER INSERT ON ${table}
          REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ${table}_addresses_insert();
        CREATE OR REPLACE TRIGGER ${table}_addresses_move AFTER UPDATE OF ${code} ON ${table}
          FOR EACH ROW WHEN (NEW.${code} <> OLD.${code}) EXECUTE FUNCTION ${table}_addresses_move();
        CREATE OR REPLACE TRIGGER ${table}_addresses_release AFTER UPDATE OF ${code}_released ON ${table}
          FOR EACH ROW WHEN (NEW.${code}_released AND NOT OLD.${code}_released)
          EXECUTE FUNCTION ${table}_addresses_release();
        CREATE OR REPLACE TRIGGER ${table}_addresses_delete AFTER DELETE ON ${table}
          REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION ${table}_addresses_delete()`);
    }
    // A code becomes a former one of what has it: only its end changes the address.
    await define(
      queryRunner,
      'former_codes_addresses_delete',
      `DELETE FROM addresses
        WHERE address = ${addressOf('OLD.domain_id', 'OLD.code')} AND target_kind = OLD.target_kind AND target_id = OLD.target_id;`,
    );
    await queryRunner.query(`
      CREATE OR REPLACE TRIGGER former_codes_addresses_delete AFTER DELETE ON former_codes
        FOR EACH ROW EXECUTE FUNCTION former_codes_addresses_delete()`);
    await backfill(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table] of KINDS) {
      for (const event of ['insert', 'move', 'release', 'delete']) {
        await queryRunner.query(`DROP TRIGGER ${table}_addresses_${event} ON ${table}`);
        await queryRunner.query(`DROP FUNCTION ${table}_addresses_${event}`);
      }
    }
    await queryRunner.query(`DROP TRIGGER former_codes_addresses_delete ON former_codes`);
    await queryRunner.query(`DROP FUNCTION former_codes_addresses_delete`);
    await queryRunner.query(`DROP TABLE addresses`);
  }
}

/** Domain and code in one column, by which a table can be distributed. */
function addressOf(domain: string, code: string): string {
  return `${domain} || '/' || ${code}`;
}

/** @param variable a declaration: transition tables are read before other tables are named */
async function define(
  queryRunner: QueryRunner,
  name: string,
  statements: string,
  variable?: string,
): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    ${variable ? `DECLARE ${variable};` : ''}
    BEGIN
      ${statements}
      RETURN NULL;
    END $$`);
}

/** Rows are locked, so that none frees its code between being read and being written. */
async function backfill(queryRunner: QueryRunner): Promise<void> {
  for (const [table, code, kind] of KINDS) {
    for (let after: string | undefined = '0'; after;) {
      const rows = (await queryRunner.query(
        `WITH part AS MATERIALIZED (
           SELECT id, domain_id, ${code} AS code, organization_id, ${code}_released AS released FROM ${table}
            WHERE id > $1 ORDER BY id LIMIT ${PART} FOR SHARE
         ), added AS (
           INSERT INTO addresses
           SELECT ${addressOf('domain_id', 'code')}, ${kind}, organization_id, id FROM part WHERE NOT released ORDER BY 1
           ON CONFLICT DO NOTHING
         )
         SELECT max(id) AS last FROM part HAVING count(*) > 0`,
        [after],
      )) as { last: string }[];
      after = rows[0]?.last;
    }
  }
  await queryRunner.query(`
    WITH former AS MATERIALIZED (SELECT * FROM former_codes FOR SHARE)
    INSERT INTO addresses SELECT ${addressOf('domain_id', 'code')}, target_kind, organization_id, target_id FROM former
    ON CONFLICT DO NOTHING`);
}
