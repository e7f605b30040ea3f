import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Statement triggers read their transition table into variables first, and then touch the rows of one organization:
 * with Citus, no statement may name both a transition table and a distributed table.
 */
export class TransitionTables1700000012400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, counts, key, events } of COUNTED) {
      for (const [event, rows] of Object.entries(events)) {
        await replace(
          queryRunner,
          `${table}_count_${event}()`,
          `
          DECLARE
            own_slot integer;
            changes record;
          BEGIN
            FOR changes IN
              SELECT organization_id, ${key.map((column) => `array_agg(${column}) AS ${column}, `).join('')}array_agg(n) AS n
                FROM (SELECT organization_id, ${key.map((column) => `${column}, `).join('')}sum(n) AS n FROM (${rows}) AS r
                       GROUP BY ${['organization_id', ...key].join(', ')} HAVING sum(n) <> 0) AS changed
               GROUP BY organization_id
            LOOP
              own_slot := contact_count_slot();
              INSERT INTO ${counts.table} AS known (organization_id, slot, ${[...key, counts.figure].join(', ')})
              SELECT changes.organization_id, own_slot, changed.*
                FROM unnest(${[...key, 'n'].map((column) => `changes.${column}`).join(', ')}) AS changed
              ON CONFLICT (${['organization_id', 'slot', ...key].join(', ')}) DO UPDATE
                SET ${counts.figure} = known.${counts.figure} + excluded.${counts.figure};
            END LOOP;
            RETURN NULL;
          END`,
        );
      }
    }
    await replace(
      queryRunner,
      'link_health_insert()',
      `
      DECLARE
        spread CONSTANT boolean := (SELECT count(*) > ${AT_ONCE} FROM changed);
        added record;
      BEGIN
        FOR added IN
          SELECT organization_id, array_agg(id) AS ids,
                 array_agg(CASE WHEN spread THEN link_health_slot(original_url, updated_at) ELSE updated_at END) AS times
            FROM changed WHERE deleted_at IS NULL GROUP BY organization_id
        LOOP
          INSERT INTO link_health (target_kind, target_id, organization_id, next_check_at)
          SELECT TG_ARGV[0]::smallint, a.id, added.organization_id, a.next_check_at
            FROM unnest(added.ids, added.times) AS a (id, next_check_at);
        END LOOP;
        RETURN NULL;
      END`,
    );
    await replace(
      queryRunner,
      'link_health_update()',
      healthUpdate('AND organization_id = NEW.organization_id'),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table, counts, key, events } of COUNTED) {
      const columns = ['organization_id', ...key].join(', ');
      for (const [event, rows] of Object.entries(events)) {
        await replace(
          queryRunner,
          `${table}_count_${event}()`,
          `
          BEGIN
            INSERT INTO ${counts.table} AS known (slot, ${columns}, ${counts.figure})
            SELECT contact_count_slot(), changed.*
              FROM (SELECT ${columns}, sum(n) FROM (${rows}) AS r GROUP BY ${columns} HAVING sum(n) <> 0) AS changed
            ON CONFLICT (slot, ${columns}) DO UPDATE SET ${counts.figure} = known.${counts.figure} + excluded.${counts.figure};
            RETURN NULL;
          END`,
        );
      }
    }
    await replace(
      queryRunner,
      'link_health_insert()',
      `
      DECLARE
        spread boolean := (SELECT count(*) > ${AT_ONCE} FROM changed);
      BEGIN
        INSERT INTO link_health (target_kind, target_id, organization_id, next_check_at)
        SELECT TG_ARGV[0]::smallint, id, organization_id,
               CASE WHEN spread THEN link_health_slot(original_url, updated_at) ELSE updated_at END
          FROM changed WHERE deleted_at IS NULL;
        RETURN NULL;
      END`,
    );
    await replace(queryRunner, 'link_health_update()', healthUpdate(''));
  }
}

/** Links of one statement that are checked at once; more, as of an import, are spread over the week. */
const AT_ONCE = 100;

const contact = (table: string, sign: string) =>
  `SELECT organization_id, origin, push_opt_in, sms_opt_in, email_opt_in, ${sign}1 AS n FROM ${table}
    WHERE deactivated_at IS NULL`;
const member = (table: string, sign: string) =>
  `SELECT organization_id, group_id, ${sign}1 AS n FROM ${table}`;
const link = (sign: string) => `SELECT organization_id, ${sign}1 AS n FROM changed WHERE deleted_at IS NULL`;

/** Tables whose rows are counted, and what each event adds, read from its transition tables. */
const COUNTED: {
  table: string;
  counts: { table: string; figure: string };
  key: string[];
  events: Record<string, string>;
}[] = [
  {
    table: 'contacts',
    counts: { table: 'contact_counts', figure: 'contacts' },
    key: ['origin', 'push_opt_in', 'sms_opt_in', 'email_opt_in'],
    events: {
      insert: contact('added', '+'),
      update: `${contact('added', '+')} UNION ALL ${contact('gone', '-')}`,
      delete: contact('gone', '-'),
    },
  },
  {
    table: 'contact_group_members',
    counts: { table: 'contact_group_counts', figure: 'members' },
    key: ['group_id'],
    events: {
      insert: member('added', '+'),
      update: `${member('added', '+')} UNION ALL ${member('gone', '-')}`,
      delete: member('gone', '-'),
    },
  },
  {
    table: 'links',
    counts: { table: 'link_counts', figure: 'links' },
    key: [],
    events: { insert: link('+'), delete: link('-') },
  },
];

const healthUpdate = (organization: string) => `
  BEGIN
    IF NEW.deleted_at IS NOT NULL THEN
      DELETE FROM link_health WHERE target_kind = TG_ARGV[0]::smallint AND target_id = NEW.id ${organization};
    ELSE
      UPDATE link_health
         SET status = 'unknown', problem = NULL, failed_at = '{}', checked_at = NULL,
             next_check_at = NEW.updated_at, generation = generation + 1
       WHERE target_kind = TG_ARGV[0]::smallint AND target_id = NEW.id ${organization};
    END IF;
    RETURN NULL;
  END`;

async function replace(queryRunner: QueryRunner, name: string, body: string): Promise<void> {
  await queryRunner.query(
    `CREATE OR REPLACE FUNCTION ${name} RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`,
  );
}
