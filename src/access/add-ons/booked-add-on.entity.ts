import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddOn } from '../caller';

@Entity('add_ons')
export class BookedAddOn {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ type: 'text' })
  code!: AddOn;

  /** Null: open-ended. */
  @Column({ name: 'active_until', type: 'timestamptz', nullable: true })
  activeUntil!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
