import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The person an event is about, so that it can be erased with them. */
export class OutboxSubjects1700000002195 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox_events ADD COLUMN subject text`);
    await queryRunner.query(
      `CREATE INDEX outbox_events_subject_idx ON outbox_events (organization_id, subject) WHERE subject IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox_events DROP COLUMN subject`);
  }
}
