import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One slot of an organization's link counter, maintained by triggers on `links`; the count is the sum over slots. */
@Entity('link_counts')
export class LinkCount {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Concurrent transactions write to different slots to avoid lock contention. */
  @PrimaryColumn({ type: 'integer' })
  slot!: number;

  @Column({ type: 'bigint' })
  links!: number;
}
