import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEY = 'deep_link_tokens_pkey';
const PART = 10_000;

/**
 * The organization in the key of tokens, as its last column, so that they can be distributed by it; 0 for what pages
 * reported of which it is not known yet. Indexes are built without blocking writers. The key of before stays as an index
 * for the version before, which names its columns in ON CONFLICT, and a later migration drops it; without organizations
 * there is no version before. It can be interrupted and run again.
 */
export class KeysOfTokens1700000012960 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(`
      SELECT EXISTS (SELECT FROM organizations) AS upgraded,
             EXISTS (SELECT FROM pg_attribute
                      WHERE attrelid = '${KEY}'::regclass AND attname = 'organization_id') AS extended`)) as {
      upgraded: boolean;
      extended: boolean;
    }[];
    if (found?.extended) return;
    await forbidNull(queryRunner);
    await build(queryRunner, `${KEY}_new`, 'issued_at, token_hash, organization_id');
    if (found?.upgraded) await build(queryRunner, 'deep_link_tokens_key_before', 'issued_at, token_hash');
    await queryRunner.query(REPLACE);
  }

  /** In one transaction, while every process is stopped. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX IF EXISTS deep_link_tokens_key_before');
    // What a page reported is lost where its click was counted beside it.
    await queryRunner.query(`
      DELETE FROM deep_link_tokens AS r USING deep_link_tokens AS other
       WHERE r.organization_id = 0 AND other.issued_at = r.issued_at AND other.token_hash = r.token_hash
         AND other.organization_id <> 0`);
    await queryRunner.query(`CREATE UNIQUE INDEX ${KEY}_new ON deep_link_tokens (issued_at, token_hash)`);
    await queryRunner.query(REPLACE);
    await queryRunner.query(`
      ALTER TABLE deep_link_tokens
        ALTER COLUMN organization_id DROP NOT NULL, ALTER COLUMN organization_id DROP DEFAULT`);
    await queryRunner.query(
      'UPDATE deep_link_tokens SET organization_id = NULL WHERE organization_id = 0 OR target_id IS NULL',
    );
  }
}

const REPLACE = `
  ALTER TABLE deep_link_tokens
    DROP CONSTRAINT ${KEY}, ADD CONSTRAINT ${KEY} PRIMARY KEY USING INDEX ${KEY}_new`;

async function forbidNull(queryRunner: QueryRunner): Promise<void> {
  // The version before adds reports without an organization.
  await queryRunner.query('ALTER TABLE deep_link_tokens ALTER COLUMN organization_id SET DEFAULT 0');
  for (let rows = PART; rows === PART;) {
    const [, changed] = (await queryRunner.query(`
      UPDATE deep_link_tokens SET organization_id = 0
       WHERE organization_id IS NULL AND (issued_at, token_hash) IN (
               SELECT issued_at, token_hash FROM deep_link_tokens WHERE organization_id IS NULL LIMIT ${PART})`)) as [
      unknown,
      number,
    ];
    rows = changed;
  }
  // A validated constraint spares SET NOT NULL the scan under its lock.
  for (const action of [
    'DROP CONSTRAINT IF EXISTS deep_link_tokens_organization_check',
    'ADD CONSTRAINT deep_link_tokens_organization_check CHECK (organization_id IS NOT NULL) NOT VALID',
    'VALIDATE CONSTRAINT deep_link_tokens_organization_check',
    'ALTER COLUMN organization_id SET NOT NULL',
    'DROP CONSTRAINT deep_link_tokens_organization_check',
  ]) {
    await queryRunner.query(`ALTER TABLE deep_link_tokens ${action}`);
  }
}

async function build(queryRunner: QueryRunner, index: string, columns: string): Promise<void> {
  // An interrupted build leaves an invalid index behind.
  await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  await queryRunner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON deep_link_tokens (${columns})`);
}
