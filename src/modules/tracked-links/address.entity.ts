import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whose a code is that something has or had. It is written in the transaction that takes or frees the code. */
@Entity('addresses')
export class Address {
  /** Domain and code: `codeKey`. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;
}
