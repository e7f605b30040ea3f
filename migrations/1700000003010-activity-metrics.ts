import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The cap on an organization's custom metrics, enforced in the database for all processes
 * (docs/concepts/sessions.md#activity).
 */
export class ActivityMetrics1700000003010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The metrics that may be recorded: existing ones, and new ones below the cap. Adding one locks the
    // organization's row until the commit; later statements see the metrics as of the lock.
    await queryRunner.query(`
      CREATE FUNCTION admit_activity_metrics(organization bigint, wanted text[]) RETURNS SETOF text
      LANGUAGE plpgsql VOLATILE ROWS 5 AS $$
      DECLARE
        allowed integer;
      BEGIN
        IF (SELECT count(*) FROM activity_metrics AS m
             WHERE m.organization_id = organization AND m.metric = ANY (wanted)) < cardinality(wanted)
           AND (SELECT count(*) FROM activity_metrics AS m WHERE m.organization_id = organization)
             < (SELECT o.custom_metric_limit FROM organizations AS o WHERE o.id = organization)
        THEN
          SELECT o.custom_metric_limit INTO allowed FROM organizations AS o
           WHERE o.id = organization FOR NO KEY UPDATE;
          INSERT INTO activity_metrics (organization_id, metric)
          SELECT organization, w.metric FROM unnest(wanted) AS w (metric)
           WHERE NOT EXISTS (SELECT 1 FROM activity_metrics AS m
                              WHERE m.organization_id = organization AND m.metric = w.metric)
           ORDER BY w.metric
           LIMIT greatest(0, allowed - (SELECT count(*) FROM activity_metrics AS m
                                         WHERE m.organization_id = organization));
        END IF;
        RETURN QUERY SELECT m.metric FROM activity_metrics AS m
                      WHERE m.organization_id = organization AND m.metric = ANY (wanted);
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION admit_activity_metrics');
  }
}
