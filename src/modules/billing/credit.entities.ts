import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { CreditType } from './credit-account';

const CREDITS = { type: 'numeric', precision: 24, scale: 4 } as const;

/**
 * Sums of an organization's credits, in the notation of Postgres. Paid credit is `charged - usedPaid`, free
 * credit `granted - usedFree`.
 */
@Entity('credit_accounts')
export class CreditSums {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ ...CREDITS, default: 0 })
  charged!: string;

  @Column({ ...CREDITS, default: 0 })
  granted!: string;

  @Column({ ...CREDITS, name: 'used_paid', default: 0 })
  usedPaid!: string;

  @Column({ ...CREDITS, name: 'used_free', default: 0 })
  usedFree!: string;
}

/** A movement of credits; amounts in the notation of Postgres. */
@Entity('credit_transactions')
export class CreditTransaction {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  type!: CreditType;

  @Column(CREDITS)
  amount!: string;

  @Column({ ...CREDITS, name: 'paid_change' })
  paidChange!: string;

  @Column({ ...CREDITS, name: 'free_change' })
  freeChange!: string;

  @Column({ ...CREDITS, name: 'balance_after' })
  balanceAfter!: string;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** Unique in the organization: a repeated movement is not applied again. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
