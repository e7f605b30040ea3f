import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Addresses1700000012420 } from './1700000012420-addresses';

const KINDS = [
  ['links', 'code', 1],
  ['campaigns', 'alias', 2],
] as const;

/**
 * What takes or frees a code writes addresses itself. The version before relies on triggers, which so leave addresses
 * alone that a row has already; a later migration drops them. Without organizations there is no version before, and they
 * are dropped at once.
 */
export class AddressesWithoutTriggers1700000012900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(`SELECT EXISTS (SELECT FROM organizations) AS upgraded`)) as {
      upgraded: boolean;
    }[];
    if (!found?.upgraded) {
      await drop(queryRunner);
      return;
    }
    for (const [table, code, kind] of KINDS) {
      const values = (row: string) =>
        `${row}.domain_id || '/' || ${row}.${code}, ${kind}, ${row}.organization_id, ${row}.id`;
      await queryRunner.query(`
        CREATE OR REPLACE FUNCTION ${table}_addresses_insert() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE taken addresses[];
        BEGIN
          SELECT array_agg(ROW (${values('added')})::addresses ORDER BY id) INTO taken
            FROM added WHERE NOT ${code}_released;
          INSERT INTO addresses SELECT t.* FROM unnest(taken) AS t WHERE ${isNew('t')} ORDER BY 1;
          RETURN NULL;
        END $$`);
      await queryRunner.query(`
        CREATE OR REPLACE FUNCTION ${table}_addresses_move() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO addresses
          SELECT * FROM (VALUES (${values('NEW')})) AS t (address, target_kind, organization_id, target_id)
           WHERE ${isNew('t')};
          RETURN NULL;
        END $$`);
    }
  }

  /** While every process is stopped. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await new Addresses1700000012420().up(queryRunner);
  }
}

function isNew(row: string): string {
  return `NOT EXISTS (
    SELECT FROM addresses AS a
     WHERE a.address = ${row}.address AND a.target_kind = ${row}.target_kind AND a.target_id = ${row}.target_id)`;
}

async function drop(queryRunner: QueryRunner): Promise<void> {
  const triggers = KINDS.flatMap(([table]) =>
    ['insert', 'move', 'release', 'delete'].map((event) => [table, `${table}_addresses_${event}`] as const),
  );
  for (const [table, trigger] of [...triggers, ['former_codes', 'former_codes_addresses_delete'] as const]) {
    await queryRunner.query(`DROP TRIGGER IF EXISTS ${trigger} ON ${table}`);
    await queryRunner.query(`DROP FUNCTION IF EXISTS ${trigger}`);
  }
}
