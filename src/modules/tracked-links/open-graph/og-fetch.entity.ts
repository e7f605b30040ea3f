import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TRACKED_LINK_KIND } from '../../clicks/tracked-link-kind';

/** A destination whose page is to be read for its Open Graph fields. */
@Entity('og_fetches')
export class OgFetch {
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: (typeof TRACKED_LINK_KIND)[keyof typeof TRACKED_LINK_KIND];

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
