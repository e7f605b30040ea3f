import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transaction counts once per app and goal type. Inserts name no conflict target, so that older versions
 * still running work with either index.
 */
export class GoalTransactions1700000009500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNIQUE INDEX goals_type_transaction_key ON goals (organization_id, app_id, transaction_id, goal_type)
       WHERE transaction_id IS NOT NULL`);
    await queryRunner.query('DROP INDEX goals_transaction_key');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // Goals that share a transaction with a goal of another type are distinguished by their type.
    await queryRunner.query(`
      UPDATE goals AS later SET transaction_id = transaction_id || ' ' || goal_type
       WHERE EXISTS (
         SELECT FROM goals AS first
          WHERE first.organization_id = later.organization_id AND first.app_id = later.app_id
            AND first.transaction_id = later.transaction_id AND first.id < later.id)`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX goals_transaction_key ON goals (organization_id, app_id, transaction_id)
       WHERE transaction_id IS NOT NULL`);
    await queryRunner.query('DROP INDEX goals_type_transaction_key');
  }
}
