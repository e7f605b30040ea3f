import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { HealthProblem, HealthStatus } from '../tracked-links/health/tracked-link-health';

/** Health of the destinations of a link or campaign. Triggers insert rows, restart them, and delete them. */
@Entity('link_health')
export class LinkHealth {
  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'text' })
  status!: HealthStatus;

  /** Why the last check failed; null when it did not. */
  @Column({ type: 'text', nullable: true })
  problem!: HealthProblem | null;

  /** Failures of the last three days since the last success. */
  @Column({ name: 'failed_at', type: 'timestamptz', array: true })
  failedAt!: Date[];

  /** Null while it is not unhealthy. */
  @Column({ name: 'unhealthy_since', type: 'timestamptz', nullable: true })
  unhealthySince!: Date | null;

  @Column({ name: 'checked_at', type: 'timestamptz', nullable: true })
  checkedAt!: Date | null;

  @Column({ name: 'next_check_at', type: 'timestamptz' })
  nextCheckAt!: Date;

  /** Counts changes of the destinations, so that the result of a check that has begun before one is dropped. */
  @Column({ type: 'integer' })
  generation!: number;
}
