import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Android apps that the short domain names; those that it names already stay. */
export class AppsOnTheShortDomain1700000013300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE apps ADD COLUMN IF NOT EXISTS on_short_domain boolean NOT NULL DEFAULT true',
    );
    await queryRunner.query('ALTER TABLE apps ALTER COLUMN on_short_domain SET DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE apps DROP COLUMN on_short_domain');
  }
}
