import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RunningTotals1700000007000 } from './1700000007000-running-totals';

/**
 * Drops what the previous version no longer uses: numbered values of clicks, and running totals
 * (docs/adr/0037-days-compacted-into-months.md). Rows that only have numbers become text first, a few pages
 * in each transaction; it can be interrupted and run again. `terms` and `counts` of days and `click_terms`
 * stay, because statistics of the previous version read them; a later migration drops them.
 */
export class NumberedValues1700000009890 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['click_rollups', 'click_user_days']) {
      await convert(queryRunner, table, `terms <> '{}'`, DAY_VALUES);
    }
    const partitions = (await queryRunner.query(PARTITIONS)) as { name: string }[];
    for (const { name } of partitions) await convert(queryRunner, name, 'dimensions IS NULL', CLICK_VALUES);
    // A validated constraint spares SET NOT NULL the scan under its lock.
    for (const action of [
      'DROP CONSTRAINT IF EXISTS clicks_dimensions_check',
      'ADD CONSTRAINT clicks_dimensions_check CHECK (dimensions IS NOT NULL) NOT VALID',
      'VALIDATE CONSTRAINT clicks_dimensions_check',
      'ALTER COLUMN dimensions SET NOT NULL',
      'DROP CONSTRAINT clicks_dimensions_check',
    ]) {
      await queryRunner.query(`ALTER TABLE clicks ${action}`);
    }
    for (const statement of [
      'DROP TRIGGER IF EXISTS goal_rollups_totals ON goal_rollups',
      'DROP TRIGGER IF EXISTS session_user_rollups_day ON session_user_rollups',
      'DROP FUNCTION IF EXISTS add_goal_totals, goal_total_parts, add_session_day_users',
      'DROP TABLE IF EXISTS goal_totals, session_day_users, click_running_totals',
      `DELETE FROM scheduled_jobs WHERE name = 'clicks.totals'`,
      `ALTER TABLE clicks ${NUMBERED.map((column) => `DROP COLUMN IF EXISTS ${column}`).join(', ')}`,
    ]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE clicks
        ALTER COLUMN dimensions DROP NOT NULL,
        ${NUMBERED.map((column) => `ADD COLUMN ${column} integer`).join(', ')}`);
    await queryRunner.query(`
      CREATE TABLE click_running_totals (
        target_id bigint NOT NULL,
        pairs bigint NOT NULL,
        day date NOT NULL,
        target_kind smallint NOT NULL,
        terms integer[] NOT NULL,
        counts bigint[] NOT NULL,
        PRIMARY KEY (target_id, target_kind, day)
      )`);
    await queryRunner.query(`INSERT INTO scheduled_jobs (name, last_run_at) VALUES ('clicks.totals', now())`);
    await new RunningTotals1700000007000().up(queryRunner);
  }
}

/** Pages of a table that one transaction converts. */
const STEP = 128;
/** Columns of `clicks` that contain numbers of click_terms. */
const NUMBERED = [
  'country',
  'browser',
  'os',
  'device_type',
  'referrer',
  'tracker',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
];
/** A value with its dimension; `click_terms.dimension` counts from 0. */
const VALUE = `
  (ARRAY['hour', 'country', 'browser', 'os', 'device', 'referrer', 'tracker', 'utm_source', 'utm_medium', 'utm_term',
         'utm_content'])[t.dimension + 1] || ':' || t.value`;

const PARTITIONS = `
  SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'clicks'::regclass ORDER BY 1`;

const DAY_VALUES = `
  terms = '{}', counts = '{}', (dimensions, dimension_counts) = (
    SELECT coalesce(array_agg(value), '{}'), coalesce(array_agg(count), '{}')
      FROM (SELECT value, sum(count)::int AS count
              FROM (SELECT * FROM unnest(r.dimensions, r.dimension_counts) AS known (value, count)
                    UNION ALL
                    SELECT ${VALUE}, numbered.count
                      FROM unnest(r.terms, r.counts) AS numbered (term, count) JOIN click_terms t ON t.id = numbered.term
                   ) AS pairs
             GROUP BY value) AS summed)`;

const CLICK_VALUES = `
  dimensions = ARRAY(
    SELECT ${VALUE}
      FROM unnest(ARRAY[${NUMBERED.map((column) => `r.${column}`).join(', ')}]) WITH ORDINALITY AS numbered (term, place)
      JOIN click_terms t ON t.id = numbered.term
     ORDER BY place)`;

/** Converts rows where they are stored. Rows that others have locked are skipped, and left for a further round. */
async function convert(
  queryRunner: QueryRunner,
  table: string,
  which: string,
  values: string,
): Promise<void> {
  const left = async () => {
    const [row] = (await queryRunner.query(
      `SELECT EXISTS (SELECT FROM ${table} WHERE ${which}) AS more,
              pg_relation_size($1) / current_setting('block_size')::int AS pages`,
      [table],
    )) as { more: boolean; pages: number }[];
    return row?.more ? row.pages : 0;
  };
  for (let pages = await left(); pages > 0; pages = await left()) {
    for (let page = 0; page < pages; page += STEP) {
      await queryRunner.query(
        `WITH lot AS MATERIALIZED (
           SELECT ctid AS place FROM ${table}
            WHERE ctid >= $1::text::tid AND ctid < $2::text::tid AND ${which}
              FOR UPDATE SKIP LOCKED
         )
         UPDATE ${table} AS r SET ${values} FROM lot WHERE r.ctid = lot.place`,
        [`(${String(page)},0)`, `(${String(page + STEP)},0)`],
      );
    }
  }
}
