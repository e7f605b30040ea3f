import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secret of blind indexes, encrypted: one row. */
export class BlindIndexSecrets1700000002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE blind_index_secrets (
        id bigint PRIMARY KEY CHECK (id = 1),
        organization_id bigint NOT NULL CHECK (organization_id = 0),
        secret text NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE blind_index_secrets');
  }
}
