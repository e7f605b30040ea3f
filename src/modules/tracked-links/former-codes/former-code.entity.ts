import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A code or alias that a link or campaign had before it got another one. */
@Entity('former_codes')
export class FormerCode {
  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'domain_id', type: 'bigint' })
  domainId!: number;

  @PrimaryColumn({ type: 'text' })
  code!: string;

  @Column({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Whether the organization chose it; only then may another link or campaign have it once it leads nowhere. */
  @Column({ name: 'is_alias', type: 'boolean' })
  isAlias!: boolean;

  /** Whether it still leads to the link or campaign. */
  @Column({ type: 'boolean' })
  leads!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
