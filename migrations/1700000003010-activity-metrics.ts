import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cap on an organization's custom metrics, kept where all processes meet (docs/concepts/sessions.md#activity). */
export class ActivityMetrics1700000003010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Those of the metrics that may be recorded: known ones, and new ones while there is room. Whoever adds one holds
    // the organization's row until he commits; its other statements see what was there when he got it.
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
