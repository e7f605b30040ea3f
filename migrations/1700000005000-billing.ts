import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credits, sent messages, and the start date of an organization's plan (null: the day of creation). An
 * account is four sums that only grow, except for refunds: paid credit is charged - used_paid, free credit is
 * granted - used_free. Days of rollups are in the organization's time zone at the time of writing.
 */
export class Billing1700000005000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE organizations ADD COLUMN plan_started_on date');
    await queryRunner.query(`
      CREATE TABLE credit_accounts (
        organization_id bigint PRIMARY KEY REFERENCES organizations (id),
        charged numeric(24, 4) NOT NULL DEFAULT 0,
        granted numeric(24, 4) NOT NULL DEFAULT 0,
        used_paid numeric(24, 4) NOT NULL DEFAULT 0,
        used_free numeric(24, 4) NOT NULL DEFAULT 0,
        CHECK (used_paid BETWEEN 0 AND charged),
        CHECK (used_free BETWEEN 0 AND granted)
      )`);
    await queryRunner.query(`
      CREATE TABLE credit_transactions (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        id bigint GENERATED ALWAYS AS IDENTITY,
        type text NOT NULL CHECK (type IN ('CHARGE', 'FREE_GRANT', 'USE', 'REFUND')),
        amount numeric(24, 4) NOT NULL CHECK (amount > 0),
        paid_change numeric(24, 4) NOT NULL,
        free_change numeric(24, 4) NOT NULL,
        balance_after numeric(24, 4) NOT NULL CHECK (balance_after >= 0),
        reason text,
        reference text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX credit_transactions_reference_key ON credit_transactions (organization_id, reference)
       WHERE reference IS NOT NULL`);

    await queryRunner.query(`
      CREATE TABLE message_sends (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        sent_at timestamptz NOT NULL,
        rate numeric(20, 4) NOT NULL,
        status text NOT NULL CHECK (status IN ('SUCCESS', 'FAILED', 'UNSENT')),
        channel_type text NOT NULL,
        message_id text NOT NULL,
        PRIMARY KEY (organization_id, message_id)
      )`);
    await queryRunner.query('CREATE INDEX message_sends_time_idx ON message_sends (sent_at)');
    await queryRunner.query(`
      CREATE TABLE message_send_rollups (
        organization_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        sends bigint NOT NULL,
        rate_sum numeric(24, 4) NOT NULL,
        channel_type text NOT NULL,
        PRIMARY KEY (organization_id, day, channel_type, slot)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['message_send_rollups', 'message_sends', 'credit_transactions', 'credit_accounts']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query('ALTER TABLE organizations DROP COLUMN plan_started_on');
  }
}
