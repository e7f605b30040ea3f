import { Injectable } from '@nestjs/common';
import { auditEntriesOf, AuditLog } from '../../access/audit/audit-log';
import type { Caller } from '../../access/caller';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { KeyedMutex } from '../../common/keyed-mutex';
import { balanceOf, type CreditAccount, type CreditType, freeOf, moved, paidOf } from './credit-account';
import { CreditTransaction } from './credit.entities';
import { toNumeric, unitsOf } from './money';
import { Database, type Tx } from '../../infrastructure/database/database';

export interface CreditMovement {
  readonly type: CreditType;
  /** Positive, with at most four decimals. */
  readonly amount: number;
  readonly reason: string | null;
  /** A transaction with a reference is applied once; null: always applied. */
  readonly reference: string | null;
}

/** Credits of organizations: every transaction is stored, and the balance is their sum. */
@Injectable()
export class CreditLedger {
  /** Serializes within the process: waiting for row locks in Postgres would exhaust the connection pool. */
  private readonly accounts = new KeyedMutex();

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies a transaction, one at a time per organization.
   * @returns the stored transaction; `duplicated` if its reference was known and nothing changed
   * @throws INSUFFICIENT_CREDITS, REFUND_EXCEEDS_USE
   */
  move(
    caller: Caller,
    movement: CreditMovement,
  ): Promise<{ transaction: CreditTransaction; duplicated: boolean }> {
    const { organizationId } = caller;
    const { type, amount, reference } = movement;
    return this.accounts.run(String(organizationId), () =>
      this.database.write(async (tx) => {
        const before = await this.lock(tx, organizationId);
        const transactions = tx.repository(CreditTransaction);
        const known = reference === null ? null : await transactions.findOneBy({ organizationId, reference });
        if (known) return { transaction: known, duplicated: true };
        const after = moved(before, type, unitsOf(amount));
        return { transaction: await this.store(tx, caller, movement, before, after), duplicated: false };
      }),
    );
  }

  /** Newest first. */
  list(
    organizationId: number,
    { page, size }: PageQuery,
  ): Promise<[transactions: CreditTransaction[], total: number]> {
    return this.database.report(organizationId, (tx) =>
      tx.repository(CreditTransaction).findAndCount({
        where: { organizationId },
        order: { id: 'DESC' },
        skip: page * size,
        take: size,
      }),
    );
  }

  private async lock(tx: Tx, organizationId: number): Promise<CreditAccount> {
    const read = () => tx.query<LockedAccount>(LOCK, [organizationId]);
    let [row] = await read();
    if (!row) {
      await tx.query(OPEN, [organizationId]);
      [row] = await read();
    }
    if (!row) throw new Error('The new credit account was not found');
    const { charged, granted, usedPaid, usedFree } = row;
    return {
      charged: unitsOf(charged),
      granted: unitsOf(granted),
      usedPaid: unitsOf(usedPaid),
      usedFree: unitsOf(usedFree),
    };
  }

  private async store(
    tx: Tx,
    caller: Caller,
    movement: CreditMovement,
    before: CreditAccount,
    after: CreditAccount,
  ): Promise<CreditTransaction> {
    const { charged, granted, usedPaid, usedFree } = after;
    const stored = {
      organizationId: caller.organizationId,
      ...movement,
      amount: toNumeric(unitsOf(movement.amount)),
      paidChange: toNumeric(paidOf(after) - paidOf(before)),
      freeChange: toNumeric(freeOf(after) - freeOf(before)),
      balanceAfter: toNumeric(balanceOf(after)),
      createdAt: this.clock.date(),
    };
    const { type, amount, paidChange, freeChange, balanceAfter, reason, reference, createdAt } = stored;
    const [row] = await tx.query<{ id: number }>(STORE, [
      caller.organizationId,
      ...[charged, granted, usedPaid, usedFree].map(toNumeric),
      ...[type, amount, paidChange, freeChange, balanceAfter, reason, reference, createdAt],
      ...this.audit.valuesOf(caller, { action: 'credits.move', resourceType: 'credit-transaction' }),
    ]);
    return { ...stored, id: row?.id ?? 0 };
  }
}

/** Numbers as text, as Postgres returns them. */
type LockedAccount = Record<keyof CreditAccount, string>;

const LOCK = `
  SELECT charged, granted, used_paid AS "usedPaid", used_free AS "usedFree"
    FROM credit_accounts WHERE organization_id = $1 FOR UPDATE`;

const OPEN = `INSERT INTO credit_accounts (organization_id) VALUES ($1) ON CONFLICT DO NOTHING`;

const STORE = `
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
