import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles of console users. Users from before, and those that the version before creates meanwhile, are ADMIN. */
export class Roles1700000009900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'ADMIN'
        CONSTRAINT users_role_check CHECK (role IN ('VIEWER', 'EDITOR', 'ADMIN'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN role');
  }
}
