import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * User names are found in any letter case. The index is not unique, because names that differ only in case may exist
 * already. Time zones get the letter case of their IANA names.
 */
export class NamesInAnyCase1700000011400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX users_lower_username_idx ON users (lower(username))');
    await queryRunner.query(`
      UPDATE organizations o SET time_zone = zone.name
      FROM pg_timezone_names zone
      WHERE lower(zone.name) = lower(o.time_zone) AND zone.name <> o.time_zone`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX users_lower_username_idx');
  }
}
