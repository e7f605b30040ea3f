import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A set in FROM is made whole before its first row is read; in a select list, the first free slot ends it. */
export class SlotsOneByOne1700000012910 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await define(queryRunner, '(SELECT generate_series(0, 100000) AS slot) AS slots');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await define(queryRunner, 'generate_series(0, 100000) AS slot');
  }
}

async function define(queryRunner: QueryRunner, slots: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION contact_count_slot() RETURNS integer LANGUAGE sql VOLATILE AS $$
      SELECT slot FROM ${slots} WHERE pg_try_advisory_xact_lock(7234010, slot) LIMIT 1
    $$`);
}
