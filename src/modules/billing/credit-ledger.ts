import { Injectable } from '@nestjs/common';
import { auditEntriesOf, AuditLog } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { KeyedMutex } from '../../common/keyed-mutex';
import { balanceOf, type CreditAccount, type CreditType, freeOf, moved, paidOf } from './credit-account';
import { toNumeric, unitsOf } from './money';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** A movement that is asked for. */
export interface CreditMovement {
  readonly type: CreditType;
  /** More than 0, with four decimals at most. */
  readonly amount: number;
  readonly reason: string | null;
  /** Applied once; null: each time. */
  readonly reference: string | null;
}

/** A movement as it is kept; amounts as Postgres writes them. */
export interface CreditTransaction extends Omit<CreditMovement, 'amount'> {
  readonly id: number;
  readonly amount: string;
  readonly paidChange: string;
  readonly freeChange: string;
  readonly balanceAfter: string;
  readonly createdAt: Date;
}

/** What organizations have paid, been given and used: every movement is kept, and their sum is the balance. */
@Injectable()
export class CreditLedger {
  /** Those that wait for the same account wait here: in Postgres they would take every connection of the pool. */
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies a movement, one at a time for each organization.
   * @returns the kept one, `duplicated` when its reference had been there: nothing is changed then
   * @throws InsufficientCredits, RefundExceedsUse
   */
  async move(
    caller: Caller,
    movement: CreditMovement,
  ): Promise<{ transaction: CreditTransaction; duplicated: boolean }> {
    return this.turns.run(String(caller.organizationId), () => this.apply(caller, movement));
  }

  private apply(caller: Caller, movement: CreditMovement): ReturnType<CreditLedger['move']> {
    return this.database.write(async (tx) => {
      const before = await this.lock(tx, caller.organizationId);
      const known = await this.known(tx, caller.organizationId, movement.reference);
      if (known) return { transaction: known, duplicated: true };
      const after = moved(before, movement.type, unitsOf(movement.amount));
      const transaction = await this.keep(tx, caller, movement, before, after);
      return { transaction, duplicated: false };
    });
  }

  /** Newest first. */
  async list(
    organizationId: number,
    { page, size }: PageQuery,
  ): Promise<[rows: CreditTransaction[], total: number]> {
    const [rows, [count]] = await Promise.all([
      this.database.read<CreditTransaction>(LIST, [organizationId, size, page * size]),
      this.database.read<{ total: number }>(COUNT, [organizationId]),
    ]);
    return [rows, count?.total ?? 0];
  }

  private async lock(tx: Tx, organizationId: number): Promise<CreditAccount> {
    const locked = await tx.query<Record<keyof CreditAccount, string>>(LOCK, [organizationId]);
    const [row] = locked.length > 0 ? locked : await this.open(tx, organizationId);
    if (!row) throw new Error('An account that was just made is not there');
    const { charged, granted, usedPaid, usedFree } = row;
    return {
      charged: unitsOf(charged),
      granted: unitsOf(granted),
      usedPaid: unitsOf(usedPaid),
      usedFree: unitsOf(usedFree),
    };
  }

  private async open(tx: Tx, organizationId: number): Promise<Record<keyof CreditAccount, string>[]> {
    await tx.query(OPEN, [organizationId]);
    return tx.query(LOCK, [organizationId]);
  }

  private async known(
    tx: Tx,
    organizationId: number,
    reference: string | null,
  ): Promise<CreditTransaction | undefined> {
    if (reference === null) return undefined;
    const [known] = await tx.query<CreditTransaction>(FIND, [organizationId, reference]);
    return known;
  }

  private async keep(
    tx: Tx,
    caller: Caller,
    movement: CreditMovement,
    before: CreditAccount,
    after: CreditAccount,
  ): Promise<CreditTransaction> {
    const { charged, granted, usedPaid, usedFree } = after;
    const kept = {
      ...movement,
      amount: toNumeric(unitsOf(movement.amount)),
      paidChange: toNumeric(paidOf(after) - paidOf(before)),
      freeChange: toNumeric(freeOf(after) - freeOf(before)),
      balanceAfter: toNumeric(balanceOf(after)),
      createdAt: this.clock.date(),
    };
    const { type, amount, paidChange, freeChange, balanceAfter, reason, reference, createdAt } = kept;
    const [row] = await tx.query<{ id: number }>(KEEP, [
      caller.organizationId,
      ...[charged, granted, usedPaid, usedFree].map(toNumeric),
      ...[type, amount, paidChange, freeChange, balanceAfter, reason, reference, createdAt],
      ...this.audit.valuesOf(caller, { action: 'credits.move', resourceType: 'credit-transaction' }),
    ]);
    return { ...kept, id: row?.id ?? 0 };
  }
}

const LOCK = `
  SELECT charged, granted, used_paid AS "usedPaid", used_free AS "usedFree"
    FROM credit_accounts WHERE organization_id = $1 FOR UPDATE`;

const OPEN = `INSERT INTO credit_accounts (organization_id) VALUES ($1) ON CONFLICT DO NOTHING`;

const KEEP = `
  WITH account AS (
    UPDATE credit_accounts SET charged = $2, granted = $3, used_paid = $4, used_free = $5 WHERE organization_id = $1
  ), made AS (
    INSERT INTO credit_transactions (organization_id, type, amount, paid_change, free_change, balance_after, reason,
                                     reference, created_at)
    VALUES ($1, $6, $7, $8, $9, $10, $11, $12, $13)
    RETURNING id
  )
  ${auditEntriesOf('made', 14)}
  RETURNING resource_id::bigint AS id`;

const COLUMNS = `
  id, type, amount, paid_change AS "paidChange", free_change AS "freeChange", balance_after AS "balanceAfter", reason,
  reference, created_at AS "createdAt"`;

const FIND = `SELECT ${COLUMNS} FROM credit_transactions WHERE organization_id = $1 AND reference = $2`;

const LIST = `
  SELECT ${COLUMNS} FROM credit_transactions WHERE organization_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`;

const COUNT = `SELECT count(*)::bigint AS total FROM credit_transactions WHERE organization_id = $1`;
