import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { CreditType } from './credit-account';

const CREDITS = { type: 'numeric', precision: 24, scale: 4 } as const;

/** A transaction of credits; amounts are text, as Postgres returns them. */
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

  /** Unique in the organization, so that a repeated transaction is not applied again. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
