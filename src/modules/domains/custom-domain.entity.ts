import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DomainCheck } from './checks/domain-check';

/** States of a custom domain (docs/concepts/domains.md#states). */
export const DOMAIN_STATUSES = ['PENDING', 'VERIFIED', 'ACTIVE', 'FAILED', 'REVOKED'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** States in which a domain serves links and accepts new ones. */
export const USABLE_STATUSES = ['VERIFIED', 'ACTIVE'] as const satisfies readonly DomainStatus[];

@Entity('custom_domains')
export class CustomDomain {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Lower case, punycode, without a trailing dot. */
  @Column({ name: 'domain_name', type: 'text' })
  domainName!: string;

  @Column({ type: 'text' })
  status!: DomainStatus;

  /** User name of the person who added it. */
  @Column({ name: 'owner_username', type: 'text' })
  ownerUsername!: string;

  /** First label of the required value of the CNAME; null for a subdomain of the short domain, which needs no CNAME. */
  @Column({ name: 'verification_token', type: 'text', nullable: true })
  verificationToken!: string | null;

  /** The response of ACTIVATION_PATH on the domain, by which the service tests whether it is reached. */
  @Column({ name: 'activation_token', type: 'text' })
  activationToken!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Start of the current or last wait for its CNAME. */
  @Column({ name: 'pending_since', type: 'timestamptz' })
  pendingSince!: Date;

  /** Until this time, a pending claim reserves the name. */
  @Column({ name: 'held_until', type: 'timestamptz' })
  heldUntil!: Date;

  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  /** Time of the first of the consecutive checks that did not find the CNAME; null after a successful one. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Redirect for `/`; null: a page. */
  @Column({ name: 'root_url', type: 'text', nullable: true })
  rootUrl!: string | null;

  /** Redirect for addresses that are not links; null: a page. */
  @Column({ name: 'not_found_url', type: 'text', nullable: true })
  notFoundUrl!: string | null;

  /** Redirect for links that have expired or reached their limit; null: a page. */
  @Column({ name: 'expired_url', type: 'text', nullable: true })
  expiredUrl!: string | null;

  /** Whether codes that differ in letter case alone are different ones. */
  @Column({ name: 'case_sensitive_codes', type: 'boolean' })
  caseSensitiveCodes!: boolean;

  /** Start of the last check. */
  @Column({ name: 'last_checked_at', type: 'timestamptz', nullable: true })
  lastCheckedAt!: Date | null;

  /** Result of the last completed check. */
  @Column({ name: 'last_check', type: 'jsonb', nullable: true })
  lastCheck!: DomainCheck | null;

  @Column({ name: 'deletion_requested_at', type: 'timestamptz', nullable: true })
  deletionRequestedAt!: Date | null;

  /** Why the platform has disabled it, so that its links return 410; null if enabled. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  /** Time of the deletion, after which its name is still shown for its links. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
