import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A destination whose page is to be read for its Open Graph fields. */
@Entity('og_fetches')
export class OgFetch {
  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Time of the next try. */
  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt!: Date;

  /** Tries that have begun. */
  @Column({ type: 'smallint' })
  tries!: number;
}
