import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { FailureReason } from '../funnel';

/** An app's attempt to resolve the link or campaign that opened it. */
@Entity('deep_link_resolutions')
export class DeepLinkResolution {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint', nullable: true })
  kind!: number | null;

  @Column({ name: 'tracked_link_id', type: 'bigint', nullable: true })
  trackedLinkId!: number | null;

  /** Whether by the device's fingerprint instead of a token or code. */
  @Column({ name: 'by_fingerprint', type: 'boolean' })
  byFingerprint!: boolean;

  /** Null if it succeeded. */
  @Column({ name: 'failure_reason', type: 'text', nullable: true })
  failure!: FailureReason | null;

  @Column({ name: 'attempted_at', type: 'timestamptz' })
  attemptedAt!: Date;
}
