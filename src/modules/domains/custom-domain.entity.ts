import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** States of a custom domain (docs/concepts/domains.md#states). */
export const DOMAIN_STATUSES = ['PENDING', 'VERIFIED', 'ACTIVE', 'FAILED', 'REVOKED'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** Those in which a domain serves links and takes new ones. */
export const USABLE_STATUSES = ['VERIFIED', 'ACTIVE'] as const satisfies readonly DomainStatus[];

/** A domain of a customer's own, on which its links are served. */
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

  /** User name of whoever added it. */
  @Column({ name: 'owner_username', type: 'text' })
  ownerUsername!: string;

  /** First label of what the CNAME must lead to; null for a sub-domain of the short domain, which needs none. */
  @Column({ name: 'verification_token', type: 'text', nullable: true })
  verificationToken!: string | null;

  /** What this service answers on the domain when it asks itself whether the domain leads here. */
  @Column({ name: 'activation_token', type: 'text' })
  activationToken!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Since when it waits for its CNAME, or waited the last time. */
  @Column({ name: 'pending_since', type: 'timestamptz' })
  pendingSince!: Date;

  /** Until then nobody else may add the name while this claim waits for its CNAME. */
  @Column({ name: 'held_until', type: 'timestamptz' })
  heldUntil!: Date;

  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  /** First of the checks in a row, up to the last one, that did not find the CNAME. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Where `/` leads; null: to a page. */
  @Column({ name: 'root_url', type: 'text', nullable: true })
  rootUrl!: string | null;

  /** Where addresses lead that are no link; null: to a page. */
  @Column({ name: 'not_found_url', type: 'text', nullable: true })
  notFoundUrl!: string | null;

  /** Where links lead that have expired or are used up; null: to a page. */
  @Column({ name: 'expired_url', type: 'text', nullable: true })
  expiredUrl!: string | null;

  /** When the last check began. */
  @Column({ name: 'last_checked_at', type: 'timestamptz', nullable: true })
  lastCheckedAt!: Date | null;

  @Column({ name: 'deletion_requested_at', type: 'timestamptz', nullable: true })
  deletionRequestedAt!: Date | null;

  /** Why the platform has disabled it: its links answer 410 then; null: it is not disabled. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  /** Set: gone for everyone, but links that were on it still tell its name. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
