import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers of active contacts by list filter and by group, maintained by triggers, because counting a million
 * rows is too slow for a list. Each transaction adds to its own slot, so that none waits for another.
 */
export class ContactCounts1700000002030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE contact_counts (
        organization_id bigint NOT NULL,
        slot integer NOT NULL,
        origin text NOT NULL,
        push_opt_in boolean NOT NULL,
        sms_opt_in boolean NOT NULL,
        email_opt_in boolean NOT NULL,
        contacts bigint NOT NULL,
        CONSTRAINT contact_counts_pkey
          PRIMARY KEY (organization_id, slot, origin, push_opt_in, sms_opt_in, email_opt_in)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`
      CREATE TABLE contact_group_counts (
        organization_id bigint NOT NULL,
        group_id bigint NOT NULL,
        slot integer NOT NULL,
        members bigint NOT NULL,
        CONSTRAINT contact_group_counts_pkey PRIMARY KEY (organization_id, group_id, slot)
      ) WITH (fillfactor = 50)`);
    // The first slot that is free or already held by this transaction; it is released at the end of the
    // transaction.
    await queryRunner.query(`
      CREATE FUNCTION contact_count_slot() RETURNS integer LANGUAGE sql VOLATILE AS $$
        SELECT slot FROM generate_series(0, 100000) AS slot WHERE pg_try_advisory_xact_lock(7234010, slot) LIMIT 1
      $$`);
    const key = 'organization_id, origin, push_opt_in, sms_opt_in, email_opt_in';
    const rows = (table: string, sign: string) =>
      `SELECT ${key}, ${sign}1 AS n FROM ${table} WHERE deactivated_at IS NULL`;
    await countBy(queryRunner, 'contacts', key, 'contacts', rows);
    const member = (table: string, sign: string) =>
      `SELECT organization_id, group_id, ${sign}1 AS n FROM ${table}`;
    await countBy(queryRunner, 'contact_group_members', 'organization_id, group_id', 'members', member);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['contacts', 'contact_group_members']) {
      for (const event of ['insert', 'update', 'delete']) {
        await queryRunner.query(`DROP TRIGGER ${table}_count_${event} ON ${table}`);
        await queryRunner.query(`DROP FUNCTION ${table}_count_${event}`);
      }
    }
    await queryRunner.query(`DROP FUNCTION contact_count_slot`);
    await queryRunner.query(`DROP TABLE contact_group_counts`);
    await queryRunner.query(`DROP TABLE contact_counts`);
  }
}

/** Statement-level, so that a bulk request of a thousand contacts updates only a few counts. */
async function countBy(
  queryRunner: QueryRunner,
  table: 'contacts' | 'contact_group_members',
  key: string,
  figure: string,
  rows: (table: string, sign: string) => string,
): Promise<void> {
  const counts = table === 'contacts' ? 'contact_counts' : 'contact_group_counts';
  const sources = {
    insert: { referencing: 'NEW TABLE AS added', rows: rows('added', '+') },
    update: {
      referencing: 'OLD TABLE AS gone NEW TABLE AS added',
      rows: `${rows('added', '+')} UNION ALL ${rows('gone', '-')}`,
    },
    delete: { referencing: 'OLD TABLE AS gone', rows: rows('gone', '-') },
  };
  for (const [event, source] of Object.entries(sources)) {
    const name = `${table}_count_${event}`;
    await queryRunner.query(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ${counts} AS known (slot, ${key}, ${figure})
        SELECT contact_count_slot(), changed.*
          FROM (SELECT ${key}, sum(n) FROM (${source.rows}) AS r GROUP BY ${key} HAVING sum(n) <> 0) AS changed
        ON CONFLICT (slot, ${key}) DO UPDATE SET ${figure} = known.${figure} + excluded.${figure};
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER ${name} AFTER ${event.toUpperCase()} ON ${table}
        REFERENCING ${source.referencing} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
  }
}
