import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('ip_allow_list')
export class AllowedIp {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Formatted by `formatRange`. */
  @Column({ type: 'text' })
  cidr!: string;

  @Column({ type: 'text', nullable: true })
  label!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
