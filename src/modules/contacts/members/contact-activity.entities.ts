import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A contact's activity in one metric. */
@Entity('contact_activities')
export class ContactActivityRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'contact_id', type: 'bigint' })
  contactId!: number;

  @PrimaryColumn({ type: 'text' })
  metric!: string;

  @Column({ name: 'first_at', type: 'timestamptz' })
  firstAt!: Date;

  @Column({ name: 'last_at', type: 'timestamptz' })
  lastAt!: Date;

  @Column({ type: 'bigint' })
  count!: number;

  /** Sum of the amounts, in the notation of Postgres. */
  @Column({ type: 'numeric', precision: 24, scale: 4 })
  sum!: string;
}
