import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 10_000;

/**
 * Adds existing contacts to the change feed in batches, so that no writer waits for long. It can be
 * interrupted and run again.
 */
export class KnownContacts1700000009410 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    let last: { organization: number; id: number } | undefined = { organization: 0, id: 0 };
    while (last) {
      const rows = (await queryRunner.query(
        `WITH lot AS MATERIALIZED (
           SELECT organization_id, id, deactivated_at FROM contacts WHERE (organization_id, id) > ($1, $2)
            ORDER BY organization_id, id LIMIT ${BATCH}
         ), known AS (
           INSERT INTO contact_changes (organization_id, contact_id, position)
           SELECT organization_id, id, id FROM lot WHERE deactivated_at IS NULL
           ON CONFLICT (organization_id, contact_id) DO NOTHING
         )
         SELECT organization_id AS organization, id FROM lot ORDER BY 1 DESC, 2 DESC LIMIT 1`,
        [last.organization, last.id],
      )) as { organization: number; id: number }[];
      last = rows[0];
    }
  }

  /** The previous migration drops the table. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
