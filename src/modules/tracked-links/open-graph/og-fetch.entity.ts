import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A queued fetch of a destination's Open Graph fields. */
@Entity('og_fetches')
export class OgFetch {
  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Time of the next attempt. */
  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt!: Date;

  /** Attempts started so far. */
  @Column({ type: 'smallint' })
  tries!: number;
}
