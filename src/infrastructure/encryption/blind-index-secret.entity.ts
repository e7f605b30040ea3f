import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The secret of blind indexes: one row, with id 1 and organization 0. */
@Entity('blind_index_secrets')
export class BlindIndexSecret {
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'text' })
  secret!: string;
}
