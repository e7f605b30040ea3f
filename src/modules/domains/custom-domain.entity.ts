import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** States of a custom domain (doc 1 §3, 4-decisions §13). */
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

  /** Lower case, without a trailing dot. */
  @Column({ name: 'domain_name', type: 'text' })
  domainName!: string;

  @Column({ type: 'text' })
  status!: DomainStatus;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
