import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Matches an opt-out with the contacts that have its value: the blind index of `contacts`. It is null for
 * rows of earlier versions, whose values only the service can decrypt; it fills them in before it needs them.
 */
export class UnsubscribeContactIndex1700000009430 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE unsubscribes ADD COLUMN contact_index bytea');
    await queryRunner.query(
      `CREATE INDEX unsubscribes_contact_idx ON unsubscribes (organization_id, channel, contact_index)
        WHERE contact_index IS NOT NULL AND deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX unsubscribes_unindexed_idx ON unsubscribes (organization_id, id)
        WHERE contact_index IS NULL AND deleted_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE unsubscribes DROP COLUMN contact_index');
  }
}
