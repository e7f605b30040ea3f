import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The organization in primary keys and unique constraints, as their last column, so that tables can be distributed by
 * it and the same look-ups are served. Indexes are built without blocking writers. Keys that upserts of the version
 * before name stay beside the new ones, and a later migration drops them; without organizations there is no version
 * before. It can be interrupted and run again.
 */
export class OrganizationsInKeys1700000012200 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(`SELECT EXISTS (SELECT FROM organizations) AS upgraded`)) as {
      upgraded: boolean;
    }[];
    for (const key of KEYS) {
      await extend(queryRunner, key, found?.upgraded === true && key.upserts);
    }
    // The primary key is (organization_id, id).
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS webhook_endpoints_id_key');
  }

  /** In one transaction, while every process is stopped. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE UNIQUE INDEX webhook_endpoints_id_key ON webhook_endpoints (id)');
    for (const key of KEYS) {
      await queryRunner.query(`DROP INDEX IF EXISTS ${supersededBy(key)}`);
      await queryRunner.query(`CREATE UNIQUE INDEX ${newOf(key)} ON ${key.table} (${key.columns})`);
      await replace(queryRunner, key);
    }
  }
}

interface Key {
  readonly table: string;
  readonly name: string;
  /** Before the organization. */
  readonly columns: string;
  readonly type: 'PRIMARY KEY' | 'UNIQUE';
  /** Whether the version before names these columns in ON CONFLICT. */
  readonly upserts: boolean;
}

const KEYS: readonly Key[] = [
  primary('outbox_events', 'id'),
  primary('webhook_deliveries', 'id'),
  unique('webhook_deliveries', 'webhook_deliveries_event_key', 'event_id, endpoint_id', true),
  primary('bulk_jobs', 'id'),
  primary('blind_index_secrets', 'id'),
  unique('opt_out_links', 'opt_out_links_token_key', 'token_hash'),
  primary('og_fetches', 'target_kind, target_id', true),
  primary('link_health', 'target_kind, target_id'),
  primary('campaigns', 'id'),
  primary('links', 'id'),
];

function primary(table: string, columns: string, upserts = false): Key {
  return { table, name: `${table}_pkey`, columns, type: 'PRIMARY KEY', upserts };
}

function unique(table: string, name: string, columns: string, upserts = false): Key {
  return { table, name, columns, type: 'UNIQUE', upserts };
}

const newOf = ({ name }: Key) => `${name}_new`;
const supersededBy = ({ name }: Key) => `${name}_before`;

/** @param keep whether the columns of before stay unique under another name */
async function extend(queryRunner: QueryRunner, key: Key, keep: boolean): Promise<void> {
  const { table, name } = key;
  const columns = `${key.columns}, organization_id`;
  const [present] = (await queryRunner.query(
    `SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute WHERE attrelid = $1::regclass`,
    [name],
  )) as { columns: string }[];
  if (present?.columns === columns) return;
  const build = async (index: string, on: string) => {
    // An interrupted build leaves an invalid index behind.
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await queryRunner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (${on})`);
  };
  await build(newOf(key), columns);
  if (keep) await build(supersededBy(key), key.columns);
  await replace(queryRunner, key);
}

/** Makes the new index the key. */
async function replace(queryRunner: QueryRunner, key: Key): Promise<void> {
  const { table, name, type } = key;
  // Statements sent together are one transaction.
  await queryRunner.query(
    type === 'UNIQUE'
      ? `DROP INDEX ${name}; ALTER INDEX ${newOf(key)} RENAME TO ${name}`
      : `ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${newOf(key)}`,
  );
}
