import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  og_fetches_turns_idx: '(organization_id, due_at) WHERE tries < 3',
  og_fetches_exhausted_idx: '(due_at) WHERE tries >= 3',
};

/**
 * Open Graph fetches by organization, for the turns that organizations take, and those without attempts left. Built without
 * blocking writers; the migration can be interrupted and run again. The version before reads the table instead, which holds
 * little.
 */
export class TurnsOfOgFetches1700000013071 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON og_fetches ${columns}`);
    }
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS og_fetches_due_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX IF NOT EXISTS og_fetches_due_idx ON og_fetches (due_at)');
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
