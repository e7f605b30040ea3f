import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Apps and organizations have a copy on every Citus node, where a locked row makes all others wait: the limit of
 * metrics takes an advisory lock. A tie to an app waits for the deletion itself, whose transaction locks no rows first.
 */
export class AppAndMetricLocks1700000012410 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(appLives('FOR SHARE'));
    await queryRunner.query(
      admitMetrics(`
        PERFORM pg_advisory_xact_lock(hashtextextended('activity_metrics', organization));
        SELECT o.custom_metric_limit INTO allowed FROM organizations AS o WHERE o.id = organization;`),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(appLives('FOR KEY SHARE'));
    await queryRunner.query(
      admitMetrics(`
        SELECT o.custom_metric_limit INTO allowed FROM organizations AS o
         WHERE o.id = organization FOR NO KEY UPDATE;`),
    );
  }
}

const appLives = (lock: string) => `
  CREATE OR REPLACE FUNCTION app_lives(app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM apps WHERE id = app AND deleted_at IS NULL ${lock};
    RETURN FOUND;
  END $$`;

const admitMetrics = (lock: string) => `
  CREATE OR REPLACE FUNCTION admit_activity_metrics(organization bigint, wanted text[]) RETURNS SETOF text
  LANGUAGE plpgsql VOLATILE ROWS 5 AS $$
  DECLARE
    allowed integer;
  BEGIN
    IF (SELECT count(*) FROM activity_metrics AS m
         WHERE m.organization_id = organization AND m.metric = ANY (wanted)) < cardinality(wanted)
       AND (SELECT count(*) FROM activity_metrics AS m WHERE m.organization_id = organization)
         < (SELECT o.custom_metric_limit FROM organizations AS o WHERE o.id = organization)
    THEN
      ${lock}
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
  END $$`;
