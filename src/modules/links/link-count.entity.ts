import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of an organization's number of links, which triggers on `links` maintain; the sum over slots is the number. */
@Entity('link_counts')
export class LinkCount {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Concurrent transactions write to different slots, so that none waits for another. */
  @PrimaryColumn({ type: 'integer' })
  slot!: number;

  @Column({ type: 'bigint' })
  links!: number;
}
