import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Dimension values become text in the rows that count them, and the days of a finished month are compacted
 * into one row (docs/adr/0037-days-compacted-into-months.md). The previous version continues with `terms`,
 * which are read in addition to `dimensions`; a later migration drops those columns, `click_terms` and
 * `click_running_totals`.
 */
export class ClickDimensions1700000009800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Nullable, because the previous version copies rows through a table like this one, without the column.
    await queryRunner.query(`
      ALTER TABLE clicks
        ADD COLUMN dimensions text[],
        ${NUMBERED.map((column) => `ALTER COLUMN ${column} DROP NOT NULL`).join(', ')}`);
    for (const table of DAY_TABLES) {
      await queryRunner.query(`
        ALTER TABLE ${table}
          ADD COLUMN dimensions text[] NOT NULL DEFAULT '{}',
          ADD COLUMN dimension_counts integer[] NOT NULL DEFAULT '{}',
          ALTER COLUMN terms SET DEFAULT '{}',
          ALTER COLUMN counts SET DEFAULT '{}'`);
    }
    // For retention, which looks for old days: rows are written in the order of their days.
    await queryRunner.query(
      `CREATE INDEX click_rollups_day_idx ON click_rollups USING brin (day) WITH (autosummarize = on)`,
    );
    await queryRunner.query(`DROP TABLE click_month_rollups`);
    await queryRunner.query(`TRUNCATE click_months_built`);
    // dimensions[i] occurred counts[i] times in the month.
    await queryRunner.query(`
      CREATE TABLE click_months (
        target_id bigint NOT NULL,
        month date NOT NULL,
        target_kind smallint NOT NULL,
        dimensions text[] NOT NULL,
        counts bigint[] NOT NULL,
        PRIMARY KEY (target_id, target_kind, month)
      )`);
    await queryRunner.query(`
      CREATE TABLE click_months_due (
        target_id bigint NOT NULL,
        month date NOT NULL,
        target_kind smallint NOT NULL,
        PRIMARY KEY (target_id, target_kind, month)
      )`);
    // Compaction starts a day later: by then no process of the previous version counts late clicks.
    await queryRunner.query(`INSERT INTO scheduled_jobs (name, last_run_at) VALUES ('clicks.months', now())`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM scheduled_jobs WHERE name = 'clicks.months'`);
    await queryRunner.query(`DROP TABLE click_months_due, click_months`);
    await queryRunner.query(`TRUNCATE click_months_built`);
    await queryRunner.query(`
      CREATE TABLE click_month_rollups (
        target_id bigint NOT NULL,
        month date NOT NULL,
        target_kind smallint NOT NULL,
        terms integer[] NOT NULL,
        counts integer[] NOT NULL,
        PRIMARY KEY (target_id, target_kind, month)
      )`);
    // Late clicks were not added to these.
    await queryRunner.query(`TRUNCATE click_running_totals`);
    await queryRunner.query(`DROP INDEX click_rollups_day_idx`);
    await queryRunner.query(NUMBER_VALUES);
    for (const table of DAY_TABLES) {
      await queryRunner.query(termsFromDimensions(table));
      await queryRunner.query(`
        ALTER TABLE ${table}
          DROP COLUMN dimensions, DROP COLUMN dimension_counts,
          ALTER COLUMN terms DROP DEFAULT, ALTER COLUMN counts DROP DEFAULT`);
    }
    await queryRunner.query(CLICK_TERMS_FROM_DIMENSIONS);
    await queryRunner.query(`
      ALTER TABLE clicks
        DROP COLUMN dimensions, ${NUMBERED.map((column) => `ALTER COLUMN ${column} SET NOT NULL`).join(', ')}`);
  }
}

const DAY_TABLES = ['click_rollups', 'click_user_days'];
/** Columns of `clicks` that contain numbers of click_terms and are never null. */
const NUMBERED = ['country', 'browser', 'os', 'device_type', 'referrer'];
/** Dimensions by their number in click_terms. */
const DIMENSIONS = [
  'hour',
  'country',
  'browser',
  'os',
  'device',
  'referrer',
  'tracker',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
];
const NAMES = `ARRAY[${DIMENSIONS.map((name) => `'${name}'`).join(', ')}]`;
const numberOf = (value: string) => `array_position(${NAMES}, split_part(${value}, ':', 1)) - 1`;
const textOf = (value: string) => `substr(${value}, strpos(${value}, ':') + 1)`;

const NUMBER_VALUES = `
  INSERT INTO click_terms (dimension, value)
  SELECT DISTINCT ${numberOf('said')}, ${textOf('said')}
    FROM (SELECT unnest(dimensions) AS said FROM click_rollups
          UNION SELECT unnest(dimensions) FROM click_user_days
          UNION SELECT unnest(dimensions) FROM clicks) AS all_values
   WHERE ${numberOf('said')} IS NOT NULL
  ON CONFLICT (dimension, value) DO NOTHING`;

const termsFromDimensions = (table: string) => `
  UPDATE ${table} AS r
     SET (terms, counts) = (
           SELECT array_agg(term), array_agg(count)
             FROM (SELECT term, sum(count)::int AS count
                     FROM (SELECT * FROM unnest(r.terms, r.counts) AS old (term, count)
                           UNION ALL
                           SELECT t.id, new.count
                             FROM unnest(r.dimensions, r.dimension_counts) AS new (said, count)
                             JOIN click_terms t
                               ON t.dimension = ${numberOf('new.said')} AND t.value = ${textOf('new.said')}) AS both_ways
                    GROUP BY term) AS summed)
   WHERE dimensions <> '{}'`;

const CLICK_TERMS_FROM_DIMENSIONS = `
  UPDATE clicks AS c
     SET (country, browser, os, device_type, referrer, tracker, utm_source, utm_medium, utm_term, utm_content) = (
           SELECT ${DIMENSIONS.slice(1)
             .map((_, i) => `max(t.id) FILTER (WHERE t.dimension = ${String(i + 1)})`)
             .join(', ')}
             FROM unnest(c.dimensions) AS said
             JOIN click_terms t ON t.dimension = ${numberOf('said')} AND t.value = ${textOf('said')})
   WHERE country IS NULL`;
