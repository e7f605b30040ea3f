import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credits, sent messages, and notices about exceeded click limits. */
export class BillingAndUsage1800000001200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // An organization's credit: the paid balance is charged - used_paid, the free one granted - used_free.
    await queryRunner.query(`
      CREATE TABLE credit_accounts (
        organization_id bigint PRIMARY KEY REFERENCES organizations,
        charged numeric(24,4) NOT NULL DEFAULT 0,
        granted numeric(24,4) NOT NULL DEFAULT 0,
        used_paid numeric(24,4) NOT NULL DEFAULT 0,
        used_free numeric(24,4) NOT NULL DEFAULT 0,
        CHECK (used_paid >= 0 AND used_paid <= charged),
        CHECK (used_free >= 0 AND used_free <= granted)
      )`);
    // A credit transaction.
    await queryRunner.query(`
      CREATE TABLE credit_transactions (
        organization_id bigint NOT NULL REFERENCES organizations,
        id bigint GENERATED ALWAYS AS IDENTITY,
        type text NOT NULL CHECK (type IN ('CHARGE', 'FREE_GRANT', 'USE', 'REFUND')),
        amount numeric(24,4) NOT NULL CHECK (amount > 0),
        paid_change numeric(24,4) NOT NULL,
        free_change numeric(24,4) NOT NULL,
        balance_after numeric(24,4) NOT NULL CHECK (balance_after >= 0),
        reason text,
        reference text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX credit_transactions_reference_key ON credit_transactions (organization_id, reference)
        WHERE reference IS NOT NULL`);
    // A message that was sent or failed.
    await queryRunner.query(`
      CREATE TABLE message_sends (
        organization_id bigint NOT NULL REFERENCES organizations,
        sent_at timestamptz NOT NULL,
        rate numeric(20,4) NOT NULL,
        status text NOT NULL CHECK (status IN ('SUCCESS', 'FAILED', 'UNSENT')),
        channel_type text NOT NULL,
        message_id text NOT NULL,
        PRIMARY KEY (organization_id, message_id)
      );
      CREATE INDEX message_sends_time_idx ON message_sends (sent_at)`);
    // Successful sends of a day and channel; the total is the sum over the slots.
    await queryRunner.query(`
      CREATE TABLE message_send_rollups (
        organization_id bigint NOT NULL,
        day date NOT NULL, -- in the organization's time zone when it was written
        slot smallint NOT NULL,
        sends bigint NOT NULL,
        rate_sum numeric(24,4) NOT NULL,
        channel_type text NOT NULL,
        PRIMARY KEY (organization_id, day, channel_type, slot)
      )`);
    // A month in which an organization has been notified that its clicks exceeded the limit.
    await queryRunner.query(`
      CREATE TABLE click_limit_notices (
        organization_id bigint NOT NULL REFERENCES organizations,
        month date NOT NULL,
        PRIMARY KEY (organization_id, month)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE click_limit_notices, message_send_rollups, message_sends, credit_transactions,
        credit_accounts`);
  }
}
