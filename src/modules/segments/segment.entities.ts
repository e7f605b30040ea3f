import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of a segment; `Segment` is the decrypted form. */
@Entity('segments')
export class SegmentRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /**
   * Assigned from the sequence `segment_ids` before the insert, because the encryption of `conditions` is bound to it.
   */
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** Whether it is evaluated daily. */
  @Column({ name: 'is_active', type: 'boolean' })
  isActive!: boolean;

  /** JSON of the condition groups, encrypted. */
  @Column({ type: 'text' })
  conditions!: string;

  @Column({ name: 'condition_group_count', type: 'smallint' })
  conditionGroupCount!: number;

  @Column({ name: 'member_count', type: 'bigint', insert: false })
  memberCount!: number;

  /** Last evaluation, daily or on demand; null if never. */
  @Column({ name: 'last_evaluated_at', type: 'timestamptz', nullable: true })
  lastEvaluatedAt!: Date | null;

  /** Last evaluation on demand. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
